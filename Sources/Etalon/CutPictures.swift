internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// Warns about pictures of which a result of another size shows only a part, because the filter over them counts in pixels.
struct CutPictures {
  private(set) var warnings: [Diagnostic] = []
  private var known: Set<ContentHash> = []

  /// Looks at the main pictures of all filters of a graph, if somebody said how large its result is.
  init(_ graph: ImageGraph) {
    guard let size = graph.size else { return }
    for image in graph.outputs.flatMap({ $0.image.parts() }) { look(at: image, size) }
  }

  private mutating func look(at image: ImageRecipe, _ size: Size) {
    guard known.insert(image.digest).inserted, case .filter(let use) = image.operation else { return }
    guard let main = use.filter.mainInput, main.origin == .user, let picture = use.inputs[main.name].flatMap({ Self.picture($0.image) }),
      picture.size != size, !Self.hasOwnSize(use.filter.manifest.extent), use.filter.manifest.readsInPixels(main),
      !use.filter.countsPixels(of: main)
    else { return }
    let isPart = picture.size.width > size.width || picture.size.height > size.height
    warnings.append(
      Diagnostic(
        "input.size", "'\(main.name)' of '\(use.filter.manifest.name)' is read in pixels, and its picture is \(picture.size), not \(size)",
        severity: .warning,
        labels: main.place.map { [.init($0.source, $0.range, isPart ? "shows a part of it" : "does not fill the result")] } ?? [],
        help: ["leave out '--size', or scale the picture first: 'photo.png | resize \(size) | …'"]))
  }

  /// Whether a result is as large as its filter says, as that of `resize`, and not as somebody asked for.
  private static func hasOwnSize(_ extent: ResultExtent) -> Bool { if case .rectangle = extent { true } else { false } }

  private static func picture(_ image: ImageRecipe) -> PixelBuffer? {
    switch image.operation {
    case .picture(let picture): picture
    case .stream(let stream): stream.model
    case .filter, .before: nil
    }
  }
}
