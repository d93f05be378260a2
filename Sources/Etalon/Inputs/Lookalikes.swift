internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlugins
internal import EtalonTypes

/// The pictures of Etalon that stand in for some of a player's site.
struct Lookalikes {
  let pictures: [(input: FilterInput, picture: PixelBuffer)]

  /// - Parameter inputs: those that have no picture.
  init(for inputs: [FilterInput]) {
    pictures = inputs.compactMap { input in
      Self.title(for: input).flatMap { Lookalike.picture(titled: $0, strokes: Self.strokes) }.map { (input, $0) }
    }
  }

  /// The letters of the filter `text`; nil where the built-in filters are missing, which is told elsewhere.
  private static func strokes() -> PixelBuffer? {
    BuiltInFilters.folder.flatMap { try? PictureReader().read(path: "\($0)/generate/text/strokes.png") }
  }

  /// The title of the picture that an input reads, where one of Etalon looks like it.
  static func title(for input: FilterInput) -> String? {
    guard case .asset(let asset) = input.origin, let entry = ShaderToyAssets.entry(path: asset.id), entry.shape == input.shape,
      Lookalike.titles.contains(entry.title)
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
