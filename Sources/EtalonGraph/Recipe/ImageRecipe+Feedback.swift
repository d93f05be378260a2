internal import EtalonManifest
internal import EtalonTypes

extension ImageRecipe {
  /// The same picture with other names for the feedback that it reads; the picture itself where it reads none of it.
  package func renamingFeedback(_ names: [String: String]) -> ImageRecipe {
    var renaming = FeedbackRenaming(names)
    return renaming.image(self)
  }
}

/// Rebuilds recipes, each once.
private struct FeedbackRenaming {
  private let names: [String: String]
  private var known: [ContentHash: ImageRecipe] = [:]

  init(_ names: [String: String]) { self.names = names }

  mutating func image(_ image: ImageRecipe) -> ImageRecipe {
    for part in image.parts(besides: { known[$0.digest] != nil }) { known[part.digest] = rebuilt(part) }
    return known[image.digest] ?? image
  }

  /// A recipe whose pictures are rebuilt.
  private func rebuilt(_ image: ImageRecipe) -> ImageRecipe {
    switch image.operation {
    case .picture, .stream: return image
    case .before(let name): return names[name].map { ImageRecipe(.before($0), label: image.label) } ?? image
    case .filter(let use):
      var inputs: [String: FilterUse.Input] = [:]
      for (name, input) in use.inputs {
        inputs[name] = FilterUse.Input(known[input.image.digest] ?? input.image, address: input.address, interpolation: input.interpolation)
      }
      guard inputs != use.inputs else { return image }
      let renamed = FilterUse(
        use.filter, inputs: inputs, values: use.values, animated: use.animated, declarations: use.declarations, extent: use.extent,
        origin: use.origin)
      return ImageRecipe(.filter(renamed), label: image.label)
    }
  }
}
