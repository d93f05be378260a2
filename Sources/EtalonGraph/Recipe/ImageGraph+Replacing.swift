internal import EtalonTypes

extension ImageGraph {
  /// The same graph with the lenient readings of some filters in their place.
  package func replacing(filters refused: Set<GraphFilter>) -> ImageGraph {
    var replacement = Replacement(refused)
    var graph = self
    graph.outputs = outputs.map { output in
      Output(
        name: output.name, image: replacement.image(output.image), furtherOutput: output.furtherOutput, format: output.format,
        alpha: output.alpha)
    }
    graph.feedback = feedback.mapValues { replacement.image($0) }
    return graph
  }
}

/// Rebuilds recipes, each once.
private struct Replacement {
  private let refused: Set<GraphFilter>
  private var known: [ContentHash: ImageRecipe] = [:]

  init(_ refused: Set<GraphFilter>) { self.refused = refused }

  mutating func image(_ image: ImageRecipe) -> ImageRecipe {
    for part in image.parts(besides: { known[$0.digest] != nil }) { known[part.digest] = replaced(part) }
    return replaced(image)
  }

  /// A recipe whose pictures are rebuilt.
  private func replaced(_ image: ImageRecipe) -> ImageRecipe {
    if let known = known[image.digest] { return known }
    guard case .filter(let use) = image.operation else { return image }
    var inputs: [String: FilterUse.Input] = [:]
    for (name, input) in use.inputs {
      inputs[name] = FilterUse.Input(replaced(input.image), address: input.address, interpolation: input.interpolation)
    }
    let filter = refused.contains(use.filter) ? use.filter.alternative ?? use.filter : use.filter
    let replaced = FilterUse(
      filter, inputs: inputs, values: use.values, animated: use.animated, declarations: use.declarations, extent: use.extent,
      origin: use.origin)
    return ImageRecipe(.filter(replaced), label: image.label)
  }
}
