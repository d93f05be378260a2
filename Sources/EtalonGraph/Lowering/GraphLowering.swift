internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// Turns the nodes of a graph into the steps of a plan.
struct GraphLowering {
  private let layout: GraphLayout
  private let format: PixelFormat
  private let evaluator: any ExpressionEvaluator
  private(set) var builder: PlanBuilder
  /// The texture of every node that has one.
  private var textures: [Int: Int] = [:]
  /// The sizes of the further outputs, by their places among all outputs.
  private var outputSizes: [Int: Size] = [:]
  /// Whether passes say how far they read.
  private let statesReach: Bool
  /// What reads each node.
  private let readers: [NodeReaders]
  /// Which nodes are computed inside others; nil where none are.
  private let fusion: FusionPlanner?
  /// What is computed of each node.
  private let regions: GraphRegions
  /// Which nodes are computed before the first frame.
  private let setup: [Bool]
  /// The results that wait for their reader.
  private var waiting: [Int: StageGroup] = [:]

  init(
    _ layout: GraphLayout, format: PixelFormat, source: any KernelSource, evaluator: any ExpressionEvaluator, options: PlanOptions
  ) throws {
    self.layout = layout
    self.format = format
    self.evaluator = evaluator
    builder = PlanBuilder(source: source)
    statesReach = options.statesReach
    readers = NodeReaders.all(of: layout)
    regions = options.crops ? try GraphRegions(layout, readers: readers, evaluator) : .whole(of: layout, evaluator)
    let still = options.hoists ? StillNodes(layout, readers: readers) : .none(of: layout)
    fusion = options.fuses ? try FusionPlanner(layout, readers: readers, still: still, builder: builder) : nil
    let hosts = fusion?.hosts ?? [:]
    setup = layout.nodes.indices.map { still.isSetup($0, host: hosts) }
  }

  /// Whether some picture is not computed as a whole.
  var crops: Bool { regions.crops }

  /// The plan of the graph.
  mutating func plan() throws -> Plan {
    for node in layout.nodes.indices where readers[node].isNeeded {
      builder.isInSetup = setup[node]
      try lower(node)
    }
    let outputs = layout.outputs.enumerated().map { index, output in
      let size = outputSizes[index] ?? output.plane?.size ?? layout.nodes[output.node].extent.size
      return Plan.Output(name: output.name, size: size, format: output.format, alpha: output.alpha)
    }
    let reuse = TextureReuse(textures: builder.textures, setup: builder.setup.steps, steps: builder.frame.steps)
    return Plan(
      textures: reuse.textures, buffers: builder.buffers, outputs: outputs, kernels: builder.kernels, setup: reuse.setup,
      steps: reuse.steps)
  }

  private mutating func lower(_ index: Int) throws {
    let node = layout.nodes[index]
    switch node.operation {
    case .picture(let picture):
      textures[index] = builder.importPicture(
        picture, label: node.label, shape: readers[index].shape, isMipmapped: readers[index].isMipmapped)
    case .stream(let stream): textures[index] = builder.stream(stream, label: node.label, isMipmapped: readers[index].isMipmapped)
    case .before(let name):
      textures[index] = builder.feedback(name, size: node.extent.size, format: format, isMipmapped: readers[index].isMipmapped).previous
    case .filter(let filter, let inputs, let values):
      let extents = try node.placing {
        try FilterExtents(filter.manifest, output: (node.canvas ?? node.extent).size, values: values, evaluator: evaluator)
      }
      var bound: [String: NodeLowering.Input] = [:]
      for (name, read) in inputs {
        bound[name] = textures[read.node].map { NodeLowering.Input(texture: $0, sampler: read.sampler) }
      }
      let reaches = statesReach ? try self.reaches(of: filter, values, around: extents.output) : [:]
      var lowering = NodeLowering(
        node: index, label: layout.isOneFilter ? "" : node.label, filter: filter, inputs: bound, values: values,
        lightColors: layout.nodes[index].lightColors, proxy: layout.proxy, extents: extents, reaches: reaches,
        region: node.computed(regions.nodes[index]), regions: regions.targets[index] ?? [:])
      try finish(try lowering.lower(into: &builder), index)
      for (name, result) in try lowering.lowerRest(into: &builder).sorted(by: { $0.key < $1.key }) {
        try store(result, as: name, of: index)
      }
    }
  }

  /// How far the passes of a filter say that they read.
  private func reaches(of filter: GraphFilter, _ values: ParameterValues, around size: Size) throws -> [Int: (x: Int, y: Int)] {
    let reach = FilterReach(filter, values, around: size, evaluator)
    var reaches: [Int: (x: Int, y: Int)] = [:]
    for (index, pass) in filter.manifest.passes.enumerated() { reaches[index] = try reach.pixels(of: pass) }
    return reaches
  }

  /// Stores a further output of a node.
  private mutating func store(_ result: NodeLowering.Result, as name: String, of index: Int) throws {
    for output in layout.outputs.indices where layout.outputs[output].node == index && layout.outputs[output].furtherOutput == name {
      let wanted = layout.outputs[output]
      outputSizes[output] = result.region.size
      let variant = StoreVariant(of: layout.nodes[index].form.alpha, as: wanted.format, wanted.alpha)
      try dispatch(result, variant, [PassSource.outputName: .output(output)])
    }
  }

  /// Stores the result of a node wherever it is wanted, together with the nodes that are computed inside it.
  private mutating func finish(_ last: NodeLowering.Result, _ index: Int) throws {
    let node = layout.nodes[index]
    let alpha = node.form.alpha == .opaque ? StoreVariant.Alpha.opaque : .asReturned
    let result = StageGroup(
      last, alpha: alpha, arguments: (fusion?.links[index] ?? [:]).compactMapValues { waiting.removeValue(forKey: $0) })
    if fusion?.inner.contains(index) ?? false {
      waiting[index] = result
      return
    }
    let outputs = layout.outputs.indices.filter { layout.outputs[$0].node == index && layout.outputs[$0].furtherOutput == nil }
    for output in outputs where layout.outputs[output].plane == nil {
      let wanted = layout.outputs[output]
      let variant = StoreVariant(of: node.form.alpha, as: wanted.format, wanted.alpha)
      try dispatch(result, variant, [PassSource.outputName: .output(output)])
    }
    let planes = outputs.filter { layout.outputs[$0].plane != nil }
    if !planes.isEmpty, !readers[index].isRead, fusion != nil, try builder.canRepeat(result) { return try dispatch(result, as: planes) }
    guard readers[index].isRead || !planes.isEmpty else { return }
    let texture: Int
    if let name = readers[index].feedback {
      texture = builder.feedback(name, size: node.extent.size, format: format, isMipmapped: readers[index].isMipmapped).kept
    } else {
      // Numbers that only become planes are rounded once, there.
      let kept = readers[index].isRead ? node.format ?? format : .rgba32f
      texture = builder.addTransient(node.label, regions.nodes[index], format: kept, isMipmapped: readers[index].isMipmapped)
    }
    textures[index] = texture
    try dispatch(result, StoreVariant(.texture, alpha: alpha), [PassSource.targetName: .storage(texture: texture)])
    builder.makeMipmaps(of: texture)
    if !planes.isEmpty { try dispatch(StageGroup(copy(of: texture, index), alpha: alpha, arguments: [:]), as: planes) }
  }

  /// Stores a picture as the planes of a video.
  ///
  /// - Parameter outputs: the planes, which follow each other.
  private mutating func dispatch(_ group: StageGroup, as outputs: [Int]) throws {
    guard let kernels = outputs.first.flatMap({ layout.outputs[$0].plane })?.kernels else { return }
    // A node that is several outputs gives each its planes.
    let count = kernels.form.planes.count
    for first in stride(from: 0, to: outputs.count, by: count) {
      try builder.dispatch(group, format: format, planes: kernels, Array(outputs[first..<first + count]))
    }
  }

  /// The colors of a texture, pixel by pixel.
  private func copy(of texture: Int, _ index: Int) -> NodeLowering.Result {
    let copy = BuiltInKernels.copy, node = layout.nodes[index]
    let name = layout.isOneFilter ? "planes" : "\(node.label).planes"
    return NodeLowering.Result(
      node: index, name: name, filter: copy, pass: copy.resultPass, region: PictureRegion(node.extent.size), readsRegions: false,
      bound: copy.resultSource.textures.reduce(into: [:]) { $0[$1.name] = .sampled(texture: texture, $1.sampler) },
      state: PassState(targetSize: node.extent.size, values: ParameterValues(defaultsOf: copy.manifest)), reach: nil)
  }

  private mutating func dispatch(_ group: StageGroup, _ variant: StoreVariant, _ stored: [String: Plan.Binding]) throws {
    guard group.stages.count > 1 else { return try dispatch(group.result, variant, stored) }
    try builder.dispatch(group, format: format, variant, stored)
  }

  private mutating func dispatch(_ result: NodeLowering.Result, _ variant: StoreVariant, _ stored: [String: Plan.Binding]) throws {
    let kernel = try builder.kernel(
      result.filter, pass: result.pass, variant, readsRegions: result.readsRegions, storesRegion: !result.region.isWhole)
    let writer = builder.writer(of: kernel, result.source.uniforms)
    var state = result.state
    for iteration in 0..<result.source.iterations {
      state.iteration = iteration
      builder.dispatch(
        result.name, kernel: kernel, coverage: .pixels(result.region.size), region: result.region, result.bound.merging(stored) { $1 },
        uniforms: GraphDispatch(node: result.node, writer: writer, state: state), reach: result.reach)
    }
  }
}

extension GraphNode {
  /// A region of its picture, as its kernel sees that.
  fileprivate func computed(_ region: PictureRegion) -> PictureRegion {
    guard let canvas else { return region }
    let (x, y) = (extent.x - canvas.x + region.extent.x, extent.y - canvas.y + region.extent.y)
    return PictureRegion(Extent(x: x, y: y, size: region.size), beyond: canvas.size)
  }
}

/// What a node is used for: which nodes read it, and how.
struct NodeReaders {
  /// Whether an output depends on it.
  private(set) var isNeeded = false
  /// The nodes that read it, each as often as it does.
  private(set) var nodes: [Int] = []
  /// The name under which a later frame reads it.
  private(set) var feedback: String?
  private(set) var isMipmapped = false
  private(set) var shape = TextureShape.flat

  /// Whether anything needs it as a texture.
  var isRead: Bool { !nodes.isEmpty || feedback != nil }

  /// The readers of every node of a layout, those that nothing depends on left out.
  static func all(of layout: GraphLayout) -> [NodeReaders] {
    var all = [NodeReaders](repeating: NodeReaders(), count: layout.nodes.count)
    var open = layout.outputs.map(\.node)
    while let index = open.popLast() {
      guard !all[index].isNeeded else { continue }
      all[index].isNeeded = true
      switch layout.nodes[index].operation {
      case .picture, .stream: break
      case .before(let name):
        if let node = layout.feedback[name] {
          all[node].feedback = name
          open.append(node)
        }
      case .filter(let filter, let inputs, _):
        for (name, read) in inputs {
          all[read.node].nodes.append(index)
          if read.sampler.interpolation == .mipmap { all[read.node].isMipmapped = true }
          if let input = filter.manifest.inputs.first(where: { $0.name == name }) { all[read.node].shape = input.shape }
          open.append(read.node)
        }
      }
    }
    // What a node shows now and what it showed a frame ago are one texture at different times.
    for node in layout.nodes.indices {
      guard case .before(let name) = layout.nodes[node].operation, let kept = layout.feedback[name] else { continue }
      let isMipmapped = all[node].isMipmapped || all[kept].isMipmapped
      all[node].isMipmapped = isMipmapped
      all[kept].isMipmapped = isMipmapped
    }
    return all
  }
}

/// Decides which nodes are computed once, before the first frame, because nothing about them changes from frame to frame.
///
/// Those that cost little and are computed inside a reader that changes stay there: storing them would cost as much.
struct StillNodes {
  /// By node: whether all frames show the same; nodes that an output or the next frame needs are stored by every frame and do not count.
  private let isStill: [Bool]
  /// By node: whether it, or anything still that it depends on, reads its pictures anywhere but at its own pixel, or has several passes.
  private let isCostly: [Bool]

  /// Nothing is computed before the first frame.
  static func none(of layout: GraphLayout) -> StillNodes {
    StillNodes(isStill: layout.nodes.map { _ in false }, isCostly: layout.nodes.map { _ in false })
  }

  private init(isStill: [Bool], isCostly: [Bool]) {
    self.isStill = isStill
    self.isCostly = isCostly
  }

  init(_ layout: GraphLayout, readers: [NodeReaders]) {
    var shows: [Bool] = []
    var isStill: [Bool] = []
    var isCostly: [Bool] = []
    let stored = Set(layout.outputs.map(\.node))
    for (index, node) in layout.nodes.enumerated() {
      let isAlike = node.isStill
      shows.append(isAlike && node.reads.allSatisfy { shows[$0] })
      isStill.append(isAlike && node.reads.allSatisfy { isStill[$0] } && !stored.contains(index) && readers[index].feedback == nil)
      isCostly.append(node.isCostly || node.reads.contains { isCostly[$0] })
    }
    // A graph that never changes has no setup: every frame shows the same, so that one frame is enough.
    let isAllStill = layout.nodes.indices.allSatisfy { shows[$0] || !readers[$0].isNeeded }
    self.isStill = isAllStill ? isStill.map { _ in false } : isStill
    self.isCostly = isCostly
  }

  /// Whether a node may be computed inside its reader.
  func mayFuse(_ node: Int, into reader: Int) -> Bool { !isStill[node] || isStill[reader] || !isCostly[node] }

  /// Whether a node, or the reader inside which it is computed, is computed before the first frame.
  ///
  /// - Parameter host: the reader inside which a node is computed.
  fileprivate func isSetup(_ node: Int, host: [Int: Int]) -> Bool {
    var last = node
    while let next = host[last] { last = next }
    return isStill[last]
  }
}

extension GraphNode {
  /// Whether what it does to its pictures is the same in every frame.
  fileprivate var isStill: Bool {
    switch operation {
    case .picture: true
    case .stream, .before: false
    case .filter(let filter, _, let values):
      !isAnimated && !filter.manifest.targets.contains { $0.isPersistent } && !filter.manifest.buffers.contains { $0.isPersistent }
        && filter.manifest.passes.allSatisfy { pass in pass.uniforms.allSatisfy { $0.meaning.isStill(for: values) } }
    }
  }

  fileprivate var isCostly: Bool {
    guard case .filter(let filter, _, _) = operation else { return false }
    let passes = filter.manifest.passes
    return passes.count > 1 || passes.contains { $0.iterations > 1 || ($0.form != .color && !$0.textures.isEmpty) }
  }
}
