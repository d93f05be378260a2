package import EtalonDiagnostics

/// The pictures of two files, folders or sequences that belong together.
///
/// ```
/// for pair in try PicturePairs("out/a.####.png", "references/a.####.png").pairs { … }
/// ```
///
/// **Concurrency**: an immutable value.
package struct PicturePairs: Sendable, Hashable {
  /// A picture and its reference.
  package struct Pair: Sendable, Hashable {
    /// The number of the frame, or the name of the file.
    package let name: String
    /// The number of the frame, in sequences.
    package let frame: Int?
    package let actual: String
    package let reference: String
  }

  /// What is paired.
  package enum Kind: Sendable, Hashable {
    case files, folders, sequences
  }

  package let kind: Kind
  /// The pairs in the order of their numbers or names.
  package let pairs: [Pair]
  /// What only the second one has.
  package let missing: [String]
  /// What only the first one has.
  package let unexpected: [String]

  /// Finds the pairs; both must be of one kind, and something must be there.
  package init(_ actual: String, _ reference: String) throws(RenderError) {
    let kinds = (Self.kind(actual), Self.kind(reference))
    guard kinds.0 == kinds.1 else {
      throw RenderError(
        .invalidInput, "'\(actual)' is \(Self.words(kinds.0)), and '\(reference)' is \(Self.words(kinds.1))",
        help: ["compare two files, two folders, or two sequences such as 'a.####.png'"])
    }
    kind = kinds.0
    switch kind {
    case .files:
      pairs = [Pair(name: actual, frame: nil, actual: actual, reference: reference)]
      (missing, unexpected) = ([], [])
    case .folders: (pairs, missing, unexpected) = Self.match(try Self.files(in: actual), try Self.files(in: reference))
    case .sequences: (pairs, missing, unexpected) = Self.match(try Self.frames(actual), try Self.frames(reference))
    }
  }

  private struct Entry {
    let key: String
    let frame: Int?
    let path: String
  }

  private static func match(_ actual: [Entry], _ reference: [Entry]) -> (pairs: [Pair], missing: [String], unexpected: [String]) {
    let found = Dictionary(actual.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let wanted = Set(reference.map(\.key))
    let pairs = reference.compactMap { entry in
      found[entry.key].map { Pair(name: entry.key, frame: entry.frame, actual: $0.path, reference: entry.path) }
    }
    return (pairs, reference.map(\.key).filter { found[$0] == nil }, actual.map(\.key).filter { !wanted.contains($0) })
  }

  private static func kind(_ path: String) -> Kind {
    switch FileKind(path: path) {
    case .folder: .folders
    case .regular, .device: .files
    case .missing: (try? FramePattern(path))?.hasNumber == true ? .sequences : .files
    }
  }

  private static func words(_ kind: Kind) -> String {
    switch kind {
    case .files: "a file"
    case .folders: "a folder"
    case .sequences: "a sequence"
    }
  }

  private static func files(in path: String) throws(RenderError) -> [Entry] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    let names = try FolderListing.names(in: folder).filter { SequenceFinder.isPicture($0) || $0.lowercased().hasSuffix(".exr") }
    guard !names.isEmpty else {
      throw RenderError(
        .missingInput, "no pictures in '\(path)'", help: ["pictures are PNG, JPEG or OpenEXR files; folders inside are not looked into"])
    }
    return names.map { Entry(key: $0, frame: nil, path: folder + $0) }
  }

  private static func frames(_ text: String) throws(RenderError) -> [Entry] {
    guard let pattern = try? FramePattern(text) else { preconditionFailure("'\(text)' was read as a pattern before") }
    let frames = try pattern.framesOnDisk()
    guard !frames.isEmpty else { throw RenderError(.missingInput, "no frames of '\(text)'", help: ["name a pattern whose frames exist"]) }
    return frames.map { Entry(key: "\($0.frame)", frame: $0.frame, path: $0.path) }
  }
}
