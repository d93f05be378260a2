package import EtalonManifest
package import EtalonTypes

/// What a picture is made of: a file, or a filter over other pictures.
///
/// Nothing is computed before it is lowered to a plan.
///
/// Recipes share what they have in common; two that would give the same pixels of the same parts are equal.
///
/// **Concurrency**: immutable.
package final class ImageRecipe: Sendable, Hashable {
  package enum Operation: Sendable, Hashable {
    /// Pixels that are the same in every frame.
    case picture(PixelBuffer)
    /// Pixels that come with each frame.
    case stream(ImageStream)
    case filter(FilterUse)
    /// What the node of a graph with this name showed a frame ago; transparent black on the first frame.
    case before(String)
  }

  package let operation: Operation
  /// What a person calls it, for prints and messages: `photo.png`, `blocks`.
  package let label: String
  /// Covers everything but labels.
  package let digest: ContentHash
  /// How many filters stand one behind the other in it at most; 0 for a picture.
  package let depth: Int

  /// A recipe is at most so deep: giving a recipe back gives those back that it is made of, one inside the other, which needs stack.
  package static let mostDepth = 1_000

  /// - Precondition: it is not deeper than `mostDepth`, which `result(of:label:)` checks.
  package init(_ operation: Operation, label: String) {
    self.operation = operation
    self.label = label
    var hasher = ContentHasher()
    switch operation {
    case .picture(let picture):
      hasher.add("picture", "\(picture.size) \(picture.format) \(picture.alpha)")
      hasher.add("pixels", ContentHash(of: picture.bytes).description)
    case .stream(let stream):
      hasher.add("stream", stream.name)
      hasher.add("model", "\(stream.model.size) \(stream.model.format) \(stream.model.alpha)")
    case .filter(let use): use.add(to: &hasher)
    case .before(let name): hasher.add("before", name)
    }
    digest = hasher.finish()
    if case .filter(let use) = operation { depth = use.depth } else { depth = 0 }
  }

  package static func == (one: ImageRecipe, other: ImageRecipe) -> Bool { one.digest == other.digest }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension ImageRecipe {
  /// What it is made of, each once, those that others read before them, and itself last.
  ///
  /// Walks with a list of its own instead of recursion, because strangers decide how long a chain is.
  ///
  /// - Parameter isKnown: whether a recipe, and what that is made of, is left out.
  package func parts(besides isKnown: (ImageRecipe) -> Bool = { _ in false }) -> [ImageRecipe] {
    var seen: Set<ContentHash> = []
    var parts: [ImageRecipe] = []
    var open = [(image: self, isRead: false)]
    while let (image, isRead) = open.popLast() {
      if isRead {
        parts.append(image)
      } else if !isKnown(image), seen.insert(image.digest).inserted {
        open.append((image, true))
        guard case .filter(let use) = image.operation else { continue }
        open += use.inputs.sorted { $0.key > $1.key }.map { ($0.value.image, false) }
      }
    }
    return parts
  }
}

/// One application of a filter.
package struct FilterUse: Sendable, Hashable {
  /// A picture for an image input.
  package struct Input: Sendable, Hashable {
    package let image: ImageRecipe
    /// What lies beyond the edge where that differs from the filter's own wish.
    package let address: Sampler.AddressMode?
    /// What lies between pixel centres where that differs from the filter's own wish.
    package let interpolation: Sampler.Interpolation?

    package init(_ image: ImageRecipe, address: Sampler.AddressMode? = nil, interpolation: Sampler.Interpolation? = nil) {
      self.image = image
      self.address = address
      self.interpolation = interpolation
    }
  }

  package let filter: GraphFilter
  /// By the name of the input; every image input of the filter is there.
  package let inputs: [String: Input]
  package let values: ParameterValues
  /// The values that change over time, by the name of the parameter; the others are in `values`.
  package let animated: [String: AnimatedValue]
  /// What values that change over time have to keep to, where somebody narrowed what the filter declares.
  package let declarations: [String: FilterParameter]
  /// What the result covers; nil is what the filter says.
  package let extent: Extent?
  /// The node that applies it.
  package let origin: UseOrigin

  package init(
    _ filter: GraphFilter, inputs: [String: Input], values: ParameterValues, animated: [String: AnimatedValue] = [:],
    declarations: [String: FilterParameter] = [:], extent: Extent? = nil, origin: UseOrigin = UseOrigin()
  ) {
    self.filter = filter
    self.origin = origin
    self.inputs = inputs
    var values = values
    for case (let name, .literal(let value)) in animated { values = values.setting(name, to: value) }
    self.values = values
    self.animated = animated.filter { if case .literal = $0.value { false } else { true } }
    self.declarations = declarations.filter { animated[$0.key] != nil }
    self.extent = extent
  }

  /// How many filters stand one behind the other at most, itself with them.
  var depth: Int { 1 + (inputs.values.map(\.image.depth).max() ?? 0) }

  fileprivate func add(to hasher: inout ContentHasher) {
    hasher.add("filter", filter.digest.description)
    for (name, input) in inputs.sorted(by: { $0.key < $1.key }) {
      hasher.add("input", name)
      hasher.add("image", input.image.digest.description)
      if let address = input.address { hasher.add("address", address.rawValue) }
      if let interpolation = input.interpolation { hasher.add("interpolation", interpolation.rawValue) }
    }
    for parameter in filter.manifest.parameters {
      hasher.add("parameter", parameter.name)
      let value = values[parameter.name].map { "\($0.components)" } ?? "by the clock"
      hasher.add("value", animated[parameter.name]?.recipeText ?? value)
    }
    for (name, declared) in declarations.sorted(by: { $0.key < $1.key }) {
      hasher.add("declaration", "\(name) \(declared.name) \(declared.minimum?.components ?? []) \(declared.maximum?.components ?? [])")
    }
    if let extent { hasher.add("extent", extent.description) }
  }

  /// The same with other values and nothing that changes over time.
  func frozen(at values: ParameterValues) -> FilterUse {
    FilterUse(filter, inputs: inputs, values: values, extent: extent, origin: origin)
  }
}
