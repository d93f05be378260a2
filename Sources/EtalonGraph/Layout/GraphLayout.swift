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
    var furtherOutput: String?
    let format: PixelFormat
    let alpha: AlphaMode
    /// The plane of a video that the node leaves the graph as, and the size of the output; nil for a picture.
    ///
    /// The planes of a node follow each other.
    var plane: (kernels: PlaneKernels, size: Size)?
  }

  var nodes: [GraphNode] = []
  private(set) var outputs: [Output] = []
  /// The nodes that others read as they were a frame ago, by the name of the feedback.
  private(set) var feedback: [String: Int] = [:]
  /// What generators cover.
  let size: Size
  /// The size of the first picture that leaves the graph.
  private(set) var resultSize = Size(1, 1)

  /// How much smaller than said everything is.
  var proxy: ProxyScale { graph.proxy }

  private let graph: ImageGraph
  private let fit: SizeFit
  private let frozen: [ContentHash: ParameterValues]
  private let evaluator: any ExpressionEvaluator
  private var known: [ContentHash: Int] = [:]
  /// The pictures that stand between two filters.
  private var conversions: [Conversion: Int] = [:]

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
      // A picture that no filter reads gets its size here.
      var node = try counted(self.proxied(self.node(of: output.image)))
      if output.furtherOutput == nil { node = try fitted(node) }
      let isLight = output.isLight || output.planes?.color.isHDR ?? false
      let space: FilterInput.ColorSpace = isLight ? .linear : .encoded
      if nodes[node].form.space != space, output.furtherOutput == nil {
        // Conversion leaves straight colors, which most files want.
        let own = nodes[node].form.alpha
        node = try converted(node, to: PictureForm(alpha: own == .opaque || output.alpha == own ? own : .straight, space: space))
      }
      if case .filter = nodes[node].operation {
      } else {
        node = add(BuiltInKernels.copy, reading: node, values: [:], form: nodes[node].form)
      }
      if outputs.isEmpty { resultSize = nodes[node].extent.size }
      if let form = output.planes, output.furtherOutput == nil {
        try addPlanes(of: node, form, named: output.name)
      } else {
        outputs.append(
          Output(name: output.name, node: node, furtherOutput: output.furtherOutput, format: output.format, alpha: output.alpha))
      }
    }
    copyWhatIsKept()
  }

  /// A picture leaves the graph as the planes of a video, each an output of its own.
  private mutating func addPlanes(of node: Int, _ form: PlaneForm, named name: String) throws {
    let picture = try converted(
      node, to: PictureForm(alpha: form.hasAlpha ? .straight : .premultiplied, space: form.color.isHDR ? .linear : .encoded))
    let kernels = PlaneKernels(form: form, size: nodes[picture].extent.size)
    for plane in form.planes {
      outputs.append(
        Output(
          name: "\(name)/\(plane.rawValue)", node: picture, format: kernels.outputFormat, alpha: .straight,
          plane: (kernels, kernels.outputSize(of: plane))))
    }
  }

  /// Pictures that leave the graph and are kept for others as well are computed once and copied.
  private mutating func copyWhatIsKept() {
    var kept = Set(nodes.flatMap(\.reads)).union(feedback.values)
    for place in outputs.indices where outputs[place].furtherOutput == nil && outputs[place].plane == nil {
      let output = outputs[place], node = output.node
      guard
        kept.contains(node) || outputs.contains(where: { $0.node == node && $0.plane != nil })
          || outputs[..<place].contains(where: { $0.node == node && $0.furtherOutput == nil })
      else { continue }
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
        label: image.label, operation: .picture(picture), extent: extent, form: PictureForm(of: picture))
    case .stream(let stream):
      if let planes = stream.planes { return known[image.digest] = try video(stream, planes, label: image.label) }
      // The first picture may be opaque and another not.
      let mayCover = stream.alpha == .opaque ? AlphaMode.straight : stream.alpha
      let alpha = stream.format.channelCount == 4 ? mayCover : .opaque
      node = GraphNode(
        label: image.label, operation: .stream(stream), extent: Extent(fit.size(ofPicture: stream.size)),
        form: PictureForm(alpha: alpha, space: stream.isLight ? .linear : .encoded))
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

  /// A video: a stream for each of its planes, and the filters that make a picture of them, upright, with square pixels, and as large as pictures are.
  private mutating func video(_ stream: ImageStream, _ planes: ImageStream.Planes, label: String) throws -> Int {
    var inputs: [String: GraphNode.Read] = [:]
    for plane in planes.form.planes {
      let own = stream.stream(of: plane, in: planes)
      nodes.append(
        GraphNode(
          label: "\(label)/\(plane.rawValue)", operation: .stream(own), extent: Extent(own.size),
          form: PictureForm(alpha: .opaque, space: .encoded)))
      inputs[VideoKernels.input(plane)] = GraphNode.Read(node: nodes.count - 1, sampler: Sampler(.nearest, .clamp))
    }
    let filter = VideoKernels.colors(of: planes.form)
    nodes.append(
      GraphNode(
        label: label, operation: .filter(filter, inputs: inputs, ParameterValues(defaultsOf: filter.manifest)),
        extent: Extent(planes.size), form: PictureForm(alpha: filter.manifest.alpha, space: .encoded)))
    var result = nodes.count - 1
    if planes.orientation != 1 {
      let isTurned = planes.orientation >= 5
      let upright = isTurned ? Size(planes.size.height, planes.size.width) : planes.size
      result = add(
        ImageOperation.orient.filter, reading: result, values: ["orientation": Value(.int, [Double(planes.orientation)])],
        form: nodes[result].form, extent: Extent(upright))
    }
    let size = graph.proxy.size(fit.size(ofPicture: stream.size))
    return nodes[result].extent.size == size ? result : try resized(result, to: Extent(size), by: graph.proxy.isWhole ? nil : 2)
  }

  private mutating func node(of whole: FilterUse, label: String) throws -> GraphNode {
    let use = whole.computed(at: graph.proxy)
    let manifest = use.filter.manifest
    var given: [String: Int] = [:]
    for (name, input) in use.inputs.sorted(by: { $0.key < $1.key }) {
      let node = knownNode(of: input.image)
      let isShown = manifest.input(name)?.isShown ?? false
      given[name] = isShown ? try proxied(node) : node
    }
    let rule = ExtentRule(use, inputs: given.mapValues { nodes[$0].extent }, size: size, isWhole: graph.proxy.isWhole)
    let extent = try rule.extent(evaluator)
    var reads: [String: GraphNode.Read] = [:]
    for declared in manifest.inputsWithMoments {
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
    case .stream(let stream) where stream.size != nodes[node].extent.size: break
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
      extent: extent.map(proxy.extent), origin: origin, moments: moments)
  }
}

// MARK: conversions

/// What stands between two filters whose pictures do not fit each other.
extension GraphLayout {
  /// A picture in another form than its own.
  private struct Conversion: Hashable {
    let node: Int
    let step: String
    let detail: String
  }

  /// The picture on a part of the plane, with other numbers.
  mutating func fitted(_ node: Int, to extent: Extent, _ form: PictureForm) throws -> Int {
    try converted(placed(node, on: extent), to: form)
  }

  /// The picture as an input reads it.
  mutating func converted(_ node: Int, for input: FilterInput) throws -> Int {
    if case .picture(let picture) = nodes[node].operation, picture.isPlain || input.shape != .flat {
      return known(node, step: "picture", "\(input.space) \(input.alpha) \(input.isFlipped)") { read in
        let upright = picture.converted(for: input)
        let wanted = input.isFlipped ? upright.turnedOver(squares: input.shape.squares(in: upright.size) ?? 1) : upright
        return GraphNode(
          label: read.label, operation: .picture(wanted), extent: read.extent, form: PictureForm(alpha: wanted.alpha, space: input.space))
      }
    }
    var result = node
    if input.isFlipped { result = add(BuiltInKernels.flip, reading: result, values: [:], form: nodes[result].form) }
    guard input.space != .data else { return result }
    return try converted(result, to: PictureForm(alpha: input.alpha, space: input.space))
  }

  /// The picture with other numbers: light is only converted while colors are not multiplied by coverage.
  mutating func converted(_ node: Int, to form: PictureForm) throws -> Int {
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
  mutating func placed(_ node: Int, on extent: Extent, continues: Bool = false) -> Int {
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

  /// The filter that makes a picture as large as a result, and the node that it reads: the picture, or one with one of its sides.
  ///
  /// Windows of Lanczos have so many pixels that one side after the other needs a fraction of the work. The other windows cost as much either way, and
  /// are gone through at once, without a picture in between, as long as they are small.
  ///
  /// - Parameter values: those of the operation.
  mutating func resizing(_ node: Int, to size: Size, _ values: ParameterValues) -> (filter: GraphFilter, node: Int) {
    let given = pixels(of: node)
    guard let filter = values["filter"], filter.resizesSides(from: given, to: size) else { return (ImageOperation.resize.filter, node) }
    let side = OperationKernels.resizeSide
    guard given.width != size.width, given.height != size.height else { return (side, node) }
    let (across, up) = (Size(size.width, given.height), Size(given.width, size.height))
    let between = across.pixelCount <= up.pixelCount ? across : up
    let half = add(side, reading: node, values: ["filter": filter], form: nodes[node].form, extent: Extent(between))
    nodes[half].format = .rgba32f
    return (side, half)
  }

  /// The size of the texture of a node; files are as large as they are, whatever they are stretched to.
  func pixels(of node: Int) -> Size {
    switch nodes[node].operation {
    case .picture(let picture): picture.size
    case .stream(let stream): stream.size
    case .filter, .before: nodes[node].extent.size
    }
  }

  /// A filter of Etalon's own over a node; the same one when it is there already.
  mutating func add(
    _ filter: GraphFilter, reading node: Int, values: [String: Value], form: PictureForm, extent: Extent? = nil
  ) -> Int {
    let text = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.components)" }.joined(separator: " ")
    return known(node, step: filter.digest.description, "\(text) \(extent ?? nodes[node].extent)") { read in
      let sampler = filter.manifest.inputs.first?.sampler ?? Sampler()
      return GraphNode(
        label: "\(read.label).\(filter.manifest.name)",
        operation: .filter(
          filter, inputs: ["inputImage": .init(node: node, sampler: sampler)],
          values.reduce(ParameterValues(defaultsOf: filter.manifest)) { $0.setting($1.key, to: $1.value) }),
        extent: extent ?? read.extent, form: form)
    }
  }

  mutating func known(_ node: Int, step: String, _ detail: String, _ make: (GraphNode) -> GraphNode) -> Int {
    let conversion = Conversion(node: node, step: step, detail: detail)
    if let found = conversions[conversion] { return found }
    nodes.append(make(nodes[node]))
    conversions[conversion] = nodes.count - 1
    return nodes.count - 1
  }
}

extension Value {
  /// Whether a picture is resized side by side, with this value of the parameter 'filter'.
  fileprivate func resizesSides(from given: Size, to size: Size) -> Bool {
    switch components.first {
    case 3, 4, 5: true
    case 2: (given.width / size.width + 3) * (given.height / size.height + 3) > 4096
    default: false
    }
  }
}

// MARK: generators

/// Generators that are read beyond the size of the graph.
extension GraphLayout {
  /// The picture of a generator that goes on as far as some part of the plane; every other picture as it is.
  ///
  /// Positions stay those of the plane, so that it is the same picture, of which more is shown. It starts at even coordinates, as regions do.
  mutating func continued(_ node: Int, over extent: Extent) -> Int {
    guard nodes[node].isEndless, !nodes[node].extent.contains(extent) else { return node }
    let (left, low) = (extent.x & ~1, extent.y & ~1)
    let (right, high) = ((extent.x + extent.size.width + 1) & ~1, (extent.y + extent.size.height + 1) & ~1)
    let wide = Extent(x: left, y: low, size: Size(right - left, high - low))
    return known(node, step: "continued", "\(wide)") { read in
      var shown = read
      shown.canvas = read.extent
      shown.extent = wide
      return shown
    }
  }
}

extension GraphNode {
  /// Whether its kernel computes any pixel of the plane by itself: a generator of one pass that reads nothing.
  fileprivate var isEndless: Bool {
    guard case .filter(let filter, let inputs, _) = operation, inputs.isEmpty else { return false }
    let manifest = filter.manifest
    guard manifest.dialect == .native, manifest.extent == .infinite, manifest.passes.count == 1, let pass = manifest.passes.first else {
      return false
    }
    return manifest.buffers.isEmpty && pass.coverage == .pixels && pass.iterations == 1 && pass.target == nil && pass.textures.isEmpty
  }
}

extension Extent {
  fileprivate func contains(_ other: Extent) -> Bool {
    x <= other.x && y <= other.y && other.x + other.size.width <= x + size.width && other.y + other.size.height <= y + size.height
  }
}
