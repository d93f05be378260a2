internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlugins
internal import EtalonTypes
internal import Synchronization

/// The pictures of Etalon that stand in for some of a player's site.
struct Lookalikes {
  let pictures: [(input: FilterInput, picture: PixelBuffer)]

  /// - Parameter inputs: those that have no picture.
  init(for inputs: [FilterInput]) {
    pictures = inputs.compactMap { input in
      Self.title(for: input).flatMap { $0 == Self.fontTitle ? Self.font() : Lookalike.picture(titled: $0) }.map { (input, $0) }
    }
  }

  private static let fontTitle = "Font 1"
  private static let knownFont = Mutex<PixelBuffer?>(nil)

  /// The letters of the filter `text` as the font of the site; nil where the built-in filters are missing, which is told elsewhere.
  private static func font() -> PixelBuffer? {
    knownFont.withLock { known in
      if let known { return known }
      guard let folder = BuiltInFilters.folder,
        let strokes = try? PictureReader().read(path: "\(folder)/generate/text/strokes.png")
      else { return nil }
      known = FontPicture(strokes: strokes)?.picture()
      return known
    }
  }

  /// The title of the picture that an input reads, where one of Etalon looks like it.
  static func title(for input: FilterInput) -> String? {
    guard case .asset(let asset) = input.origin, let entry = ShaderToyAssets.entry(path: asset.id), entry.shape == input.shape,
      Lookalike.titles.contains(entry.title) || entry.title == fontTitle
    else { return nil }
    return entry.title
  }

  /// One note for all of them.
  var notes: [Diagnostic] {
    guard !pictures.isEmpty else { return [] }
    let list = pictures.map { "'\(Self.title(for: $0.input) ?? "")' of \($0.input.name)" }.joined(separator: ", ")
    return [
      Diagnostic(
        "input.lookalike", "Etalon's own pictures stand in for pictures of the site: \(list); their pixels differ", severity: .note,
        help: ["name a folder with the site's pictures with '--assets', or type '--missing-input fail'"])
    ]
  }
}
