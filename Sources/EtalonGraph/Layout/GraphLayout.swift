internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

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

  var nodes: [GraphNode] = []
  private(set) var outputs: [Output] = []
  /// The nodes that others read as they were a frame ago, by the name of the feedback.
  private(set) var feedback: [String: Int] = [:]
  /// What generators cover.
  let size: Size

  /// How much smaller than said everything is.
  var proxy: ProxyScale { graph.proxy }

  private let graph: ImageGraph
  private let fit: SizeFit
  private let frozen: [ContentHash: ParameterValues]
  private let evaluator: any ExpressionEvaluator
  private var known: [ContentHash: Int] = [:]
  /// The pictures that stand between two filters.
  var conversions: [Conversion: Int] = [:]

  /// Throws what is wrong with sizes, at the place of the expression that gives them.
  ///
  /// - Parameter values: those of the filters whose values change over time, by the recipe.
  init(_ graph: ImageGraph, values: [ContentHash: ParameterValues] = [:], evaluator: any ExpressionEvaluator) throws {
    self.graph = graph
    frozen = values
    self.evaluator = evaluator
    fit = graph.fit ?? SizeFit(graph, values: { _ in values }, evaluator: evaluator)
    size = graph.proxy.size(fit.canvas)
    for (name, image) in graph.feedback.sorted(by: { $0.key < $1.key }) {
      let node = try self.node(of: image)
      feedback[name] = try fitted(node, to: Extent(size), PictureForm(alpha: .premultiplied, space: graph.workingSpace.colorSpace))
    }
    for output in graph.outputs {
      var node = try self.proxied(self.node(of: output.image))
      if output.furtherOutput == nil { node = try fitted(node) }
      if nodes[node].form.space == .linear, output.furtherOutput == nil {
        // Encoding leaves straight colors, which most files want.
        let own = nodes[node].form.alpha
        node = try converted(node, to: PictureForm(alpha: own == .opaque || output.alpha == own ? own : .straight, space: .encoded))
      }
      if case .filter = nodes[node].operation {
      } else {
        node = add(BuiltInKernels.copy, reading: node, values: [:], form: nodes[node].form)
      }
      outputs.append(Output(name: output.name, node: node, furtherOutput: output.furtherOutput, format: output.format, alpha: output.alpha))
    }
    copyWhatIsKept()
  }

  /// Pictures that leave the graph and are kept for others as well are computed once and copied.
  private mutating func copyWhatIsKept() {
    var kept = Set(nodes.flatMap(\.reads)).union(feedback.values)
    for place in outputs.indices where outputs[place].furtherOutput == nil {
      let output = outputs[place], node = output.node
      guard kept.contains(node) || outputs[..<place].contains(where: { $0.node == node && $0.furtherOutput == nil }) else { continue }
      let copy = add(BuiltInKernels.copy, reading: node, values: [:], form: nodes[node].form)
      kept.insert(node)
      outputs[place] = Output(name: output.name, node: copy, furtherOutput: nil, format: output.format, alpha: output.alpha)
    }
  }

  /// A result as large as was asked for.
  private mutating func fitted(_ node: Int) throws -> Int {
    let frame = fit.composite.flatMap(extent(of:)) ?? Extent(size)
    let result = fit.cutsResults && grows(node) ? placed(node, on: frame) : node
    guard let size = fit.resizedTo else { return result }
    let ratio = SizeFit.Ratio(size: proxy.size(size), whole: frame.size), fitted = ratio(nodes[result].extent.size)
    let most = Size(max(FilterExtents.largestSide, size.width), max(FilterExtents.largestSide, size.height))
    guard fitted.width <= most.width, fitted.height <= most.height else {
      let tooLarge = Diagnostic(
        "size.too-large", "a result of \(nodes[result].extent.size) would become \(fitted) where the composite in it becomes \(size)",
        help: ["a side may have up to \(FilterExtents.largestSide) pixels; ask for a smaller size"],
        notes: ["the composite is \(frame.size), and everything behind it becomes larger by the same ratio"])
      throw DiagnosticsError(nodes[result].origin.placed(tooLarge, besides: ""))
    }
    return try resized(result, to: Extent(fitted))
  }

  private func grows(_ node: Int) -> Bool {
    guard case .filter(let filter, _, _) = nodes[node].operation else { return false }
    return filter.manifest.extent == .grown
  }

  /// What the picture of a recipe covers.
  func extent(of recipe: ContentHash) -> Extent? { known[recipe].map { nodes[$0].extent } }

  /// Whether there is nothing but one filter over its pictures.
  var isOneFilter: Bool { nodes.count { if case .filter = $0.operation { true } else { false } } == 1 }

  // MARK: nodes

  /// The node of a recipe, behind those of what it is made of.
  private mutating func node(of image: ImageRecipe) throws -> Int {
    for part in image.parts(besides: { known[$0.digest] != nil }) { try add(part) }
    return knownNode(of: image)
  }

  private func knownNode(of image: ImageRecipe) -> Int {
    guard let node = known[image.digest] else { preconditionFailure("'\(image.label)' has no node") }
    return node
  }

  private mutating func add(_ image: ImageRecipe) throws {
    var node: GraphNode
    switch image.operation {
    case .picture(let picture):
      let extent = Extent(fit.size(ofPicture: picture.size))
      node = GraphNode(
        label: image.label, operation: .picture(picture), extent: extent, form: PictureForm(alpha: picture.alpha, space: .encoded))
    case .stream(let stream):
      // The first picture may be opaque and another not.
      let alpha = stream.model.format.channelCount == 4 ? AlphaMode.straight : .opaque
      node = GraphNode(
        label: image.label, operation: .stream(stream), extent: Extent(fit.size(ofPicture: stream.model.size)),
        form: PictureForm(alpha: alpha, space: .encoded))
    case .before(let name):
      node = GraphNode(
        label: image.label, operation: .before(name), extent: Extent(size),
        form: PictureForm(alpha: .premultiplied, space: graph.workingSpace.colorSpace))
    case .filter(let use):
      node = try self.node(of: frozen[image.digest].map { use.frozen(at: $0) } ?? use, label: image.label)
      node.isAnimated = !use.animated.isEmpty || frozen[image.digest] != nil
    }
    node.recipe = image.digest
    nodes.append(node)
    known[image.digest] = nodes.count - 1
  }

  private mutating func node(of whole: FilterUse, label: String) throws -> GraphNode {
    let use = whole.computed(at: graph.proxy)
    let manifest = use.filter.manifest
    var given: [String: Int] = [:]
    for (name, input) in use.inputs.sorted(by: { $0.key < $1.key }) {
      let node = knownNode(of: input.image)
      let isShown = manifest.inputs.contains { $0.name == name && $0.isShown }
      given[name] = isShown ? try proxied(node) : node
    }
    let rule = ExtentRule(use, inputs: given.mapValues { nodes[$0].extent }, size: size, isWhole: graph.proxy.isWhole)
    let extent = try rule.extent(evaluator)
    var reads: [String: GraphNode.Read] = [:]
    for declared in manifest.inputs {
      guard var node = given[declared.name] else { continue }
      let input = graph.workingSpace.resolved(declared)
      if use.filter.countsPixels(of: input) { node = try counted(node) }
      if input.shape == .flat, input.sound == nil {
        if rule.places(input), rule.continuesGenerators { node = continued(node, over: extent) }
        if rule.places(input) { node = placed(node, on: extent, continues: use.inputs[input.name]?.address == .clamp) }
        node = try converted(node, for: input)
      }
      let wish = use.inputs[input.name]
      let sampler = Sampler(wish?.interpolation ?? input.sampler.interpolation, wish?.address ?? input.sampler.address)
      reads[input.name] = GraphNode.Read(node: node, sampler: sampler)
    }
    var filter = use.filter
    if filter == ImageOperation.resize.filter, let input = filter.mainInput, let read = reads[input.name] {
      let step = resizing(read.node, to: extent.size, use.values)
      filter = step.filter
      reads[input.name] = GraphNode.Read(node: step.node, sampler: read.sampler)
    }
    return GraphNode(
      label: label, operation: .filter(filter, inputs: reads, use.values), extent: extent,
      form: PictureForm(alpha: manifest.alpha, space: graph.workingSpace.result(of: manifest)),
      lightColors: graph.workingSpace.lightColors(of: manifest), origin: use.origin)
  }
}

// MARK: sizes of pictures

extension GraphLayout {
  /// A picture or a stream as small as the proxy; everything else is already.
  private mutating func proxied(_ node: Int) throws -> Int {
    guard !graph.proxy.isWhole else { return node }
    switch nodes[node].operation {
    case .filter, .before: return node
    case .picture, .stream: break
    }
    return try resized(node, to: graph.proxy.extent(nodes[node].extent), by: 2)
  }

  /// A picture or a stream with as many pixels as it covers, for a filter that counts them.
  private mutating func counted(_ node: Int) throws -> Int {
    switch nodes[node].operation {
    case .picture(let picture) where picture.size != nodes[node].extent.size: break
    case .stream(let stream) where stream.model.size != nodes[node].extent.size: break
    case .picture, .stream, .filter, .before: return node
    }
    return try resized(node, to: nodes[node].extent)
  }

  /// A picture with more or fewer pixels.
  ///
  /// - Parameter kernel: the value of the parameter 'filter'; nil is its default.
  private mutating func resized(_ node: Int, to extent: Extent, by kernel: Double? = nil) throws -> Int {
    let resize = ImageOperation.resize.filter
    guard let input = resize.mainInput else { preconditionFailure("resize without a picture") }
    let read = try converted(node, for: graph.workingSpace.resolved(input))
    let values = kernel.map { ["filter": Value(.int, [$0])] } ?? [:]
    let step = resizing(
      read, to: extent.size, values.reduce(ParameterValues(defaultsOf: resize.manifest)) { $0.setting($1.key, to: $1.value) })
    return add(step.filter, reading: step.node, values: values, form: nodes[read].form, extent: extent)
  }
}

extension FilterInput {
  /// Whether it shows a picture of a user, not numbers, a sound, or what belongs to the filter.
  var isShown: Bool { origin == .user && shape == .flat && sound == nil && space != .data }
}

extension FilterUse {
  /// The same with values that measure pixels as a proxy has them.
  fileprivate func computed(at proxy: ProxyScale) -> FilterUse {
    guard !proxy.isWhole else { return self }
    return FilterUse(
      filter, inputs: inputs, values: proxy.values(values, of: filter.manifest.parameters), animated: animated, declarations: declarations,
      extent: extent.map(proxy.extent), origin: origin)
  }
}
