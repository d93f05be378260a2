package import EtalonManifest
package import EtalonTypes

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
    /// Whether a result leaves the graph proportional to light, as OpenEXR files have it; otherwise it is sRGB-encoded.
    ///
    /// Further outputs of a filter leave as it gives them.
    package let isLight: Bool
    /// Set for a result that leaves the graph as the planes of a video, `name/luma` and so on, each with four pixels in one of its output.
    package var planes: PlaneForm?

    package init(
      name: String = "main", image: ImageRecipe, furtherOutput: String? = nil, format: PixelFormat = .rgba8, alpha: AlphaMode = .straight,
      isLight: Bool = false, planes: PlaneForm? = nil
    ) {
      self.isLight = isLight
      self.planes = planes
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

// MARK: size

extension ImageGraph {
  /// The size of a graph without a size and without pictures.
  package static let usualSize = Size(1280, 720)

  /// What generators cover, and what expressions call the size: as the size was fitted, as it was asked for, that of the first picture, or 1280×720.
  package var nominalSize: Size { fit?.canvas ?? size ?? firstPictureSize ?? Self.usualSize }

  /// The first composite that the first output goes back to, following main pictures; nil where none lays pictures out.
  var mainComposite: ContentHash? {
    guard var image = outputs.first?.image else { return nil }
    while case .filter(let use) = image.operation {
      if use.laysOut { return image.digest }
      guard let next = use.filter.mainInput.flatMap({ use.inputs[$0.name]?.image }) else { return nil }
      image = next
    }
    return nil
  }

  /// The size of the picture that a chain begins with: following first inputs from the first output.
  var firstPictureSize: Size? {
    var seen: Set<ContentHash> = []
    var open = Array(outputs.map(\.image).reversed())
    while let image = open.popLast() {
      guard seen.insert(image.digest).inserted else { continue }
      switch image.operation {
      case .picture(let picture): return picture.size
      case .stream(let stream): return stream.size
      case .before: continue
      case .filter(let use):
        let others = use.filter.manifest.inputs.filter { $0.origin == .user && $0.shape == .flat && $0.sound == nil && $0.isRead }
        let inputs = [use.filter.mainInput].compactMap(\.self) + others
        open += inputs.reversed().compactMap { input in
          guard let image = use.inputs[input.name]?.image else { return nil }
          // A pixel that stands for a picture that is not read has no size to give.
          if !input.isRead, case .picture(let picture) = image.operation, picture.size == Size(1, 1) { return nil }
          return image
        }
      }
    }
    return nil
  }
}

extension FilterUse {
  /// Whether it lays several pictures out, each where it lies on the plane.
  fileprivate var laysOut: Bool {
    let manifest = filter.manifest
    guard extent == nil, manifest.extent == .union, manifest.dialect == .native, manifest.kind == .composite else { return false }
    return manifest.inputs.count { $0.origin == .user && $0.shape == .flat && $0.sound == nil && inputs[$0.name] != nil } > 1
  }
}

// MARK: state

extension ImageGraph {
  /// Whether a frame depends on the frame before.
  package var keepsState: Bool { !feedback.isEmpty || uses.contains { $0.filter.manifest.keepsState } }

  /// Whether frames may differ in more than in what streams show: by clocks, values that change, and what a frame leaves to the next.
  package var changesWithTime: Bool {
    keepsState
      || uses.contains { use in
        !use.animated.isEmpty || use.filter == BuiltInKernels.presence
          || use.filter.manifest.passes.contains { $0.uniforms.contains { !$0.meaning.isStill(for: use.values) } }
      }
  }

  /// The pictures whose filters keep targets or buffers from frame to frame.
  package var keepers: [ImageRecipe] {
    Self.images(from: feedback.values + outputs.map(\.image)).filter { image in
      if case .filter(let use) = image.operation { use.filter.manifest.keepsState } else { false }
    }
  }

  /// All that is made for the next frame, and what that is made of, each once.
  package var imagesOfState: [ImageRecipe] { Self.images(from: feedback.values + keepers) }

  /// How long what a frame leaves has an effect on later ones.
  ///
  /// A filter with a target or a buffer of its own, and pictures that are made of what they were before, may remember for ever. A picture that is only read as it was
  /// a frame ago is forgotten after that frame; where it is made of such a picture, after two.
  package var memory: StateMemory {
    guard keepsState else { return .none }
    guard keepers.isEmpty else { return .endless }
    var lengths: [String: Int] = [:]
    func length(_ name: String, behind path: Set<String>) -> Int? {
      if let known = lengths[name] { return known }
      guard !path.contains(name), let image = feedback[name] else { return nil }
      var longest = 0
      for earlier in Self.reads(of: image) {
        guard let found = length(earlier, behind: path.union([name])) else { return nil }
        longest = max(longest, found)
      }
      lengths[name] = longest + 1
      return longest + 1
    }
    let found = feedback.keys.map { length($0, behind: []) }
    return found.contains(nil) ? .endless : .frames(found.compactMap(\.self).max() ?? 0)
  }

  /// The pictures that an image is made of as they were a frame ago.
  private static func reads(of image: ImageRecipe) -> [String] {
    images(from: [image]).compactMap { if case .before(let name) = $0.operation { name } else { nil } }
  }

  /// Some pictures and all that they are made of, each once.
  private static func images(from roots: [ImageRecipe]) -> [ImageRecipe] {
    var seen: Set<ImageRecipe> = []
    var found: [ImageRecipe] = []
    var open = roots
    while let image = open.popLast() {
      guard seen.insert(image).inserted else { continue }
      found.append(image)
      if case .filter(let use) = image.operation { open += use.inputs.values.map(\.image) }
    }
    return found
  }
}

/// How long what a frame leaves to the next has an effect.
package enum StateMemory: Sendable, Hashable {
  /// Frames leave nothing.
  case none
  /// After so many frames it has none.
  case frames(Int)
  /// Perhaps for ever.
  case endless

  /// The same where the author of a filter knows that it is shorter.
  package func limited(to frames: Int?) -> StateMemory {
    guard let frames else { return self }
    switch self {
    case .none: return .none
    case .frames(let count): return .frames(min(count, frames))
    case .endless: return .frames(frames)
    }
  }
}

extension FilterManifest {
  /// Whether some of its targets or buffers outlive a frame.
  package var keepsState: Bool { targets.contains(where: \.isPersistent) || buffers.contains(where: \.isPersistent) }
}

// MARK: replacing

extension ImageGraph {
  /// The same graph with the lenient readings of some filters in their place.
  package func replacing(filters refused: Set<GraphFilter>) -> ImageGraph {
    replacingFilters { filter in refused.contains(filter) ? filter.alternative ?? filter : filter }
  }

  /// The same graph with filters that draw the keys of each frame, where they read the keyboard.
  package var drawingKeys: ImageGraph {
    replacingFilters { filter in
      let readsKeys = filter.manifest.inputs.contains { $0.origin == .keyboard }
      return readsKeys ? GraphFilter(filter.manifest.drawingKeys) : filter
    }
  }

  private func replacingFilters(_ change: @escaping (GraphFilter) -> GraphFilter) -> ImageGraph {
    var replacement = Replacement(change)
    var graph = self
    graph.outputs = outputs.map { output in
      Output(
        name: output.name, image: replacement.image(output.image), furtherOutput: output.furtherOutput, format: output.format,
        alpha: output.alpha, planes: output.planes)
    }
    graph.feedback = feedback.mapValues { replacement.image($0) }
    return graph
  }
}

/// Rebuilds recipes, each once.
private struct Replacement {
  private let change: (GraphFilter) -> GraphFilter
  private var known: [ContentHash: ImageRecipe] = [:]

  init(_ change: @escaping (GraphFilter) -> GraphFilter) { self.change = change }

  mutating func image(_ image: ImageRecipe) -> ImageRecipe {
    for part in image.parts(besides: { known[$0.digest] != nil }) { known[part.digest] = replaced(part) }
    return replaced(image)
  }

  /// A recipe whose pictures are rebuilt.
  private func replaced(_ image: ImageRecipe) -> ImageRecipe {
    if let known = known[image.digest] { return known }
    guard case .filter(let use) = image.operation else { return image }
    let filter = change(use.filter)
    var inputs: [String: FilterUse.Input] = [:]
    for (name, input) in use.inputs where filter.manifest.inputs.contains(where: { $0.name == name }) {
      inputs[name] = FilterUse.Input(replaced(input.image), address: input.address, interpolation: input.interpolation)
    }
    let replaced = FilterUse(
      filter, inputs: inputs, values: use.values, animated: use.animated, declarations: use.declarations, extent: use.extent,
      origin: use.origin, moments: use.moments)
    return ImageRecipe(.filter(replaced), label: image.label)
  }
}
