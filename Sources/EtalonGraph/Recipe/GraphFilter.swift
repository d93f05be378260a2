package import EtalonManifest
package import EtalonTypes
internal import Synchronization

/// A filter that recipes can apply: what its file says, and a hash by which equal filters are found equal.
///
/// **Concurrency**: immutable, shared by all recipes that apply it.
package final class GraphFilter: Sendable, Hashable {
  package let manifest: FilterManifest
  /// Covers the text of every pass and everything that the header says.
  package let digest: ContentHash

  /// Whether its pictures are read wherever they lie, although it says what it covers.
  let readsWholePictures: Bool
  /// The same filter read more leniently, for when the compiler refuses this one; nil where that reads the same.
  package let alternative: GraphFilter?
  /// The passes as they read regions of pictures, where they can; each is made when it is asked for.
  private let regional = Mutex<[Int: PassSource?]>([:])

  /// - Parameter alternative: the same filter read more leniently.
  package convenience init(_ manifest: FilterManifest, alternative: GraphFilter? = nil) {
    self.init(manifest, readsWholePictures: false, alternative: alternative)
  }

  init(_ manifest: FilterManifest, readsWholePictures: Bool, alternative: GraphFilter? = nil) {
    self.readsWholePictures = readsWholePictures
    self.manifest = manifest.endingInPixels()
    // The pixels of an output do not depend on which others are wanted.
    let text = self.manifest.withoutFurtherOutputs
    var hasher = ContentHasher()
    hasher.add("manifest", ManifestPrinter().text(text))
    for pass in text.passes {
      hasher.add("pass", pass.name)
      hasher.add("text", pass.source.text)
    }
    let digest = hasher.finish()
    self.digest = digest
    self.alternative = alternative.flatMap { $0.digest == digest ? nil : $0 }
  }

  /// A pass whose textures are regions of pictures; nil where its text cannot be rewritten so.
  func readingRegions(pass: Int) -> PassSource? {
    regional.withLock { known in
      if let made = known[pass] { return made }
      let made = manifest.passes[pass].readingRegions
      known[pass] = .some(made)
      return made
    }
  }

  /// A pass as it is compiled.
  ///
  /// - Precondition: its text can be rewritten where it reads regions.
  func source(ofPass pass: Int, readsRegions: Bool) -> PassSource {
    guard readsRegions else { return manifest.passes[pass] }
    guard let source = readingRegions(pass: pass) else { preconditionFailure("pass \(pass) of '\(manifest.name)' reads whole pictures") }
    return source
  }

  package static func == (one: GraphFilter, other: GraphFilter) -> Bool { one.digest == other.digest }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// The input that a chain feeds and that gives the result its extent: the first that a user fills.
  package var mainInput: FilterInput? { manifest.mainInput }

  /// Whether it reads an input at positions in pixels of its own result, so that the picture has to have as many.
  ///
  /// The dialects of others say that such positions count the pixels of the picture, however large the result is.
  package func countsPixels(of input: FilterInput) -> Bool {
    manifest.dialect == .native && !readsWholePictures && input.isShown && input.name == mainInput?.name && manifest.readsInPixels(input)
  }
}

extension FilterManifest {
  /// The input that a chain feeds and that gives the result its extent: the first that a user fills.
  package var mainInput: FilterInput? {
    let flat = inputs.filter { $0.shape == .flat && $0.sound == nil && $0.isRead }
    return flat.first { $0.name == "inputImage" && $0.origin == .user } ?? flat.first { $0.origin == .user }
      ?? flat.first { if case .asset = $0.origin { true } else { false } }
  }
}
