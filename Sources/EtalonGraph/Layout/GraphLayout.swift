internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonPlan
package import EtalonTypes

/// The pictures of a graph in an order in which they can be computed, each once, with what it covers and what its numbers mean.
struct GraphLayout {
  /// A picture that leaves the graph.
  struct Output {
    let name: String
    let node: Int
    /// A further output of the filter of the node; nil is its result.
    let furtherOutput: String?
    let format: PixelFormat
    let alpha: AlphaMode
  }

  private(set) var nodes: [GraphNode] = []
  private(set) var outputs: [Output] = []
  /// The nodes that others read as they were a frame ago, by the name of the feedback.
  private(set) var feedback: [String: Int] = [:]
  /// What generators cover.
  let size: Size

  private let graph: ImageGraph
  private let frozen: [ContentHash: ParameterValues]
  private let evaluator: any ExpressionEvaluator
  private var known: [ContentHash: Int] = [:]
  private var converted: [Conversion: Int] = [:]

  /// A picture in another form than its own.
  private struct Conversion: Hashable {
    let node: Int
    let step: ContentHash
    let detail: String
  }

  /// Throws what is wrong with sizes, at the place of the expression that gives them.
  ///
  /// - Parameter values: those of the filters whose values change over time, by the recipe.
  init(_ graph: ImageGraph, values: [ContentHash: ParameterValues] = [:], evaluator: any ExpressionEvaluator) throws {
    self.graph = graph
    frozen = values
    self.evaluator = evaluator
    size = graph.nominalSize
    for (name, image) in graph.feedback.sorted(by: { $0.key < $1.key }) {
      let node = try self.node(of: image)
      feedback[name] = try fitted(node, to: Extent(size), PictureForm(alpha: .premultiplied, space: nodes[node].form.space))
    }
    for output in graph.outputs {
      var node = try self.node(of: output.image)
      // A size that was asked for stays, whatever lies beside it.
      if graph.size != nil, output.furtherOutput == nil, grows(node) { node = placed(node, on: Extent(size)) }
      if nodes[node].form.space == .linear, output.furtherOutput == nil {
        node = try converted(node, to: PictureForm(alpha: nodes[node].form.alpha, space: .encoded))
      }
      if case .filter = nodes[node].operation {
      } else {
        node = add(BuiltInKernels.copy, reading: node, values: [:], form: nodes[node].form)
      }
      outputs.append(Output(name: output.name, node: node, furtherOutput: output.furtherOutput, format: output.format, alpha: output.alpha))
    }
  }

  private func grows(_ node: Int) -> Bool {
    guard case .filter(let filter, _, _) = nodes[node].operation else { return false }
    return filter.manifest.extent == .grown
  }

  /// Whether there is nothing but one filter over its pictures.
  var isOneFilter: Bool { nodes.count { if case .filter = $0.operation { true } else { false } } == 1 }

  // MARK: nodes

  private mutating func node(of image: ImageRecipe) throws -> Int {
    if let node = known[image.digest] { return node }
    var node: GraphNode
    switch image.operation {
    case .picture(let picture):
      let extent = Extent(graph.size ?? picture.size)
      node = GraphNode(
        label: image.label, operation: .picture(picture), extent: extent, form: PictureForm(alpha: picture.alpha, space: .encoded))
    case .stream(let stream):
      // The first picture may be opaque and another not.
      let alpha = stream.model.format.channelCount == 4 ? AlphaMode.straight : .opaque
      node = GraphNode(
        label: image.label, operation: .stream(stream), extent: Extent(graph.size ?? stream.model.size),
        form: PictureForm(alpha: alpha, space: .encoded))
    case .before(let name):
      node = GraphNode(
        label: image.label, operation: .before(name), extent: Extent(size), form: PictureForm(alpha: .premultiplied, space: .encoded))
    case .filter(let use):
      node = try self.node(of: frozen[image.digest].map { use.frozen(at: $0) } ?? use, label: image.label)
      node.isAnimated = !use.animated.isEmpty || frozen[image.digest] != nil
    }
    node.recipe = image.digest
    nodes.append(node)
    known[image.digest] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func node(of use: FilterUse, label: String) throws -> GraphNode {
    let manifest = use.filter.manifest
    var given: [String: Int] = [:]
    for (name, input) in use.inputs.sorted(by: { $0.key < $1.key }) { given[name] = try node(of: input.image) }
    let rule = ExtentRule(use, inputs: given.mapValues { nodes[$0].extent }, size: size)
    let extent = try rule.extent(evaluator)
    var reads: [String: GraphNode.Read] = [:]
    for input in manifest.inputs {
      guard var node = given[input.name] else { continue }
      if input.shape == .flat, input.sound == nil {
        if rule.places(input) { node = placed(node, on: extent, continues: use.inputs[input.name]?.address == .clamp) }
        node = try converted(node, for: input)
      }
      let wish = use.inputs[input.name]
      let sampler = Sampler(wish?.interpolation ?? input.sampler.interpolation, wish?.address ?? input.sampler.address)
      reads[input.name] = GraphNode.Read(node: node, sampler: sampler)
    }
    return GraphNode(
      label: label, operation: .filter(use.filter, inputs: reads, use.values), extent: extent,
      form: PictureForm(alpha: manifest.alpha, space: manifest.resultSpace))
  }

  // MARK: what stands between two filters

  private mutating func fitted(_ node: Int, to extent: Extent, _ form: PictureForm) throws -> Int {
    try converted(placed(node, on: extent), to: form)
  }

  /// The picture as an input reads it.
  private mutating func converted(_ node: Int, for input: FilterInput) throws -> Int {
    if case .picture(let picture) = nodes[node].operation {
      let upright = picture.converted(for: input)
      let wanted = input.isFlipped ? upright.turnedOver : upright
      return known(node, step: "picture", "\(input.space) \(input.alpha) \(input.isFlipped)") {
        GraphNode(
          label: $0.label, operation: .picture(wanted), extent: $0.extent, form: PictureForm(alpha: wanted.alpha, space: input.space))
      }
    }
    var result = node
    if input.isFlipped { result = add(BuiltInKernels.flip, reading: result, values: [:], form: nodes[result].form) }
    guard input.space != .data else { return result }
    return try converted(result, to: PictureForm(alpha: input.alpha, space: input.space))
  }

  /// The picture with other numbers: light is only converted while colors are not multiplied by coverage.
  private mutating func converted(_ node: Int, to form: PictureForm) throws -> Int {
    var result = node
    if nodes[result].form.space != form.space {
      result = try converted(result, toAlpha: .straight)
      let step = form.space == .linear ? BuiltInKernels.linearize : BuiltInKernels.encode
      result = add(step, reading: result, values: [:], form: PictureForm(alpha: nodes[result].form.alpha, space: form.space))
    }
    return try converted(result, toAlpha: form.alpha)
  }

  private mutating func converted(_ node: Int, toAlpha alpha: AlphaMode) throws -> Int {
    let form = nodes[node].form
    guard let step = BuiltInKernels.alpha(from: form.alpha, to: alpha) else { return node }
    return add(step, reading: node, values: [:], form: PictureForm(alpha: alpha, space: form.space))
  }

  /// The picture where it lies on another part of the plane; beside it is nothing, or its last pixels go on.
  private mutating func placed(_ node: Int, on extent: Extent, continues: Bool = false) -> Int {
    let own = nodes[node].extent
    guard own != extent else { return node }
    let form = nodes[node].form
    let values = [
      "origin": Value(.vec2, [Double(extent.x - own.x), Double(extent.y - own.y)]),
      "span": Value(.vec2, [Double(own.size.width), Double(own.size.height)]),
    ]
    if continues { return add(BuiltInKernels.continued, reading: node, values: values, form: form, extent: extent) }
    // Beside the picture nothing is covered, which opaque pictures could not say.
    let covered = PictureForm(alpha: form.alpha == .opaque ? .straight : form.alpha, space: form.space)
    return add(BuiltInKernels.place, reading: node, values: values, form: covered, extent: extent)
  }

  private mutating func add(
    _ filter: GraphFilter, reading node: Int, values: [String: Value], form: PictureForm, extent: Extent? = nil
  ) -> Int {
    let text = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.components)" }.joined(separator: " ")
    return known(node, step: filter.manifest.name, "\(text) \(extent ?? nodes[node].extent)") { read in
      let sampler = filter.manifest.inputs.first?.sampler ?? Sampler()
      return GraphNode(
        label: "\(read.label).\(filter.manifest.name)",
        operation: .filter(
          filter, inputs: ["inputImage": .init(node: node, sampler: sampler)],
          values.reduce(ParameterValues(defaultsOf: filter.manifest)) { $0.setting($1.key, to: $1.value) }),
        extent: extent ?? read.extent, form: form)
    }
  }

  private mutating func known(_ node: Int, step: String, _ detail: String, _ make: (GraphNode) -> GraphNode) -> Int {
    let conversion = Conversion(node: node, step: ContentHash(of: Array(step.utf8)), detail: detail)
    if let found = converted[conversion] { return found }
    nodes.append(make(nodes[node]))
    converted[conversion] = nodes.count - 1
    return nodes.count - 1
  }
}

extension FilterManifest {
  /// A filter that reads nothing but light gives light.
  fileprivate var resultSpace: FilterInput.ColorSpace {
    let spaces = Set(inputs.filter { $0.origin == .user }.map(\.space))
    return spaces.contains(.linear) && spaces.isSubset(of: [.linear, .data]) ? .linear : .encoded
  }
}

extension ImageGraph {
  /// The size of the graph: what was asked for, that of the first picture, or 1280×720.
  package var nominalSize: Size { size ?? firstPicture?.size ?? Size(1280, 720) }

  /// The picture that a chain begins with: following first inputs from the first output.
  fileprivate var firstPicture: PixelBuffer? {
    var seen: Set<ContentHash> = []
    func first(_ image: ImageRecipe) -> PixelBuffer? {
      guard seen.insert(image.digest).inserted else { return nil }
      switch image.operation {
      case .picture(let picture): return picture
      case .stream(let stream): return stream.model
      case .before: return nil
      case .filter(let use):
        let others = use.filter.manifest.inputs.filter { $0.origin == .user && $0.shape == .flat }
        for input in [use.filter.mainInput].compactMap(\.self) + others {
          if let found = use.inputs[input.name].flatMap({ first($0.image) }) { return found }
        }
        return nil
      }
    }
    for output in outputs {
      if let found = first(output.image) { return found }
    }
    return nil
  }
}
