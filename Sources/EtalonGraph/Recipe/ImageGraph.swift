internal import EtalonManifest
package import EtalonTypes

/// What the numbers mean that filters compute with.
package enum WorkingSpace: String, Sendable, Hashable, CaseIterable {
  /// sRGB-encoded, as files have them and as ShaderToy and ISF expect.
  case encoded
  /// Proportional to light: pictures are decoded as they come in and encoded as they leave.
  case linear

  var colorSpace: FilterInput.ColorSpace { self == .linear ? .linear : .encoded }
}

/// Recipes that are rendered together, and what becomes of them.
package struct ImageGraph: Sendable, Hashable {
  /// A picture that leaves the graph.
  package struct Output: Sendable, Hashable {
    /// `main`, or the name that the graph gives it.
    package let name: String
    package let image: ImageRecipe
    /// A further output of the filter that the image is the result of; nil is the result itself.
    package let furtherOutput: String?
    /// `rgba8`, `rgba16` or `rgba32f`.
    package let format: PixelFormat
    package let alpha: AlphaMode

    package init(
      name: String = "main", image: ImageRecipe, furtherOutput: String? = nil, format: PixelFormat = .rgba8, alpha: AlphaMode = .straight
    ) {
      self.name = name
      self.image = image
      self.furtherOutput = furtherOutput
      self.format = format
      self.alpha = alpha
    }
  }

  package var outputs: [Output]
  /// The pictures that recipes of the kind `before` mean, by name.
  package var feedback: [String: ImageRecipe]
  /// The size that was asked for; nil is that of the first picture, else 1280×720.
  package var size: Size?
  /// How it gets this size, decided once for all frames of a shot; nil decides it on each.
  package var fit: SizeFit?
  /// How pictures between filters are stored.
  package var format: PixelFormat
  /// What the numbers of pictures between filters mean.
  package var workingSpace = WorkingSpace.encoded
  /// How much smaller than said everything is computed.
  package var proxy = ProxyScale.whole
  /// What a plan may do to be fast; off to measure what that is worth.
  package var options = PlanOptions()

  package init(
    outputs: [Output], feedback: [String: ImageRecipe] = [:], size: Size? = nil, format: PixelFormat = .rgba16f
  ) {
    self.outputs = outputs
    self.feedback = feedback
    self.size = size
    self.format = format
  }
}

extension ImageGraph {
  /// Every application of a filter in the graph, each once.
  package var uses: [FilterUse] { filterRecipes.map(\.use) }

  /// The same with the digests of their recipes.
  var filterRecipes: [(recipe: ContentHash, use: FilterUse)] {
    var seen: Set<ContentHash> = []
    var uses: [(recipe: ContentHash, use: FilterUse)] = []
    var open = feedback.sorted { $0.key < $1.key }.map(\.value) + outputs.map(\.image)
    while let image = open.popLast() {
      guard seen.insert(image.digest).inserted, case .filter(let use) = image.operation else { continue }
      uses.append((image.digest, use))
      open += use.inputs.sorted { $0.key < $1.key }.map(\.value.image)
    }
    return uses
  }
}
