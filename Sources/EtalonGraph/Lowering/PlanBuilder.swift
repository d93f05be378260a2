internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// Collects the parts of a plan while the nodes of a graph are lowered.
struct PlanBuilder {
  /// Identifies a kernel that was compiled before.
  private struct KernelKey: Hashable {
    let filter: ContentHash
    let pass: Int
    let variant: StoreVariant
    let readsRegions: Bool
    let storesRegion: Bool
  }

  var textures: [Plan.Texture] = []
  /// Of the textures that hold a part of a picture, which one.
  var regions: [Int: PictureRegion] = [:]
  var buffers: [Plan.Buffer] = []
  /// What is added while this is true goes before the first frame.
  var isInSetup = false
  private(set) var setup = StepList()
  private(set) var frame = StepList()
  /// The pictures of the imported textures.
  private(set) var imports: [PixelBuffer] = []
  /// What comes with each frame, in the order of the streamed textures.
  private(set) var streams: [String] = []
  private(set) var kernels: [Kernel] = []
  private var kernelIndexes: [KernelKey: Int] = [:]
  private var feedbacks: [String: (kept: Int, previous: Int)] = [:]
  private let source: any KernelSource

  init(source: any KernelSource) { self.source = source }

  /// What a texture holds of a picture.
  func region(of texture: Int) -> PictureRegion { regions[texture] ?? PictureRegion(textures[texture].size) }

  /// How many slices a volume has; 1 of any other texture.
  func depth(of texture: Int) -> Int { textures[texture].shape.isVolume ? textures[texture].layerCount : 1 }

  /// The index of the kernel of a pass, compiled when it is asked for the first time.
  ///
  /// - Parameter readsRegions: whether some of its textures are regions of pictures.
  /// - Parameter storesRegion: whether the texture that it stores into is one.
  mutating func kernel(
    _ filter: GraphFilter, pass: Int, _ variant: StoreVariant, readsRegions: Bool = false, storesRegion: Bool = false
  ) throws -> Int {
    let key = KernelKey(filter: filter.digest, pass: pass, variant: variant, readsRegions: readsRegions, storesRegion: storesRegion)
    if let index = kernelIndexes[key] { return index }
    let text = filter.source(ofPass: pass, readsRegions: readsRegions)
    kernels.append(try source.kernel(of: storesRegion ? text.storingRegion : text, in: filter.manifest.name, storing: variant))
    kernelIndexes[key] = kernels.count - 1
    return kernels.count - 1
  }

  /// The result of a filter as a stage of a fused kernel.
  func stage(_ filter: GraphFilter, linked: Set<Int>, alpha: StoreVariant.Alpha) throws -> Kernel {
    try source.kernel(of: filter.resultSource, in: filter.manifest.name, storing: StoreVariant(.stage(linked: linked), alpha: alpha))
  }

  /// Adds the dispatch of several passes as one.
  ///
  /// - Parameter stored: where it stores, by the name in the text.
  mutating func dispatch(
    _ group: StageGroup, format: PixelFormat, _ variant: StoreVariant, _ stored: [String: Plan.Binding]
  ) throws {
    let region = group.result.region
    try dispatch(
      group, group.passes(format: format, storing: variant), coverage: .pixels(region.size), region: region.isWhole ? nil : region, stored)
  }

  /// Adds the dispatch that leaves a picture as the planes of a video.
  ///
  /// - Parameter outputs: the numbers of the outputs that take the planes, in their order.
  mutating func dispatch(_ group: StageGroup, format: PixelFormat, planes kernels: PlaneKernels, _ outputs: [Int]) throws {
    let passes = group.passes(format: format, storing: StoreVariant(.stage(linked: []), alpha: .asReturned), ending: kernels.text)
    let stored = zip(kernels.form.planes, outputs).map { (PlaneKernels.buffer($0), Plan.Binding.output($1)) }
    let (columns, rows) = kernels.workgroups
    try dispatch(group, passes, coverage: .workgroups(columns, rows, 1), region: nil, Dictionary(uniqueKeysWithValues: stored))
  }

  /// Whether the colors of any pixels can be computed in one invocation, and cost little.
  ///
  /// What stages keep in variables of their own is there when they run again, and loops had better run once for each pixel. A pass that runs several times
  /// in a row sees how often it ran, which a stage does not.
  func canRepeat(_ group: StageGroup) throws -> Bool {
    let runsOnce = group.stages.allSatisfy { $0.result.source.iterations == 1 }
    guard runsOnce, !group.usesQuads, group.result.region.isWhole else { return false }
    let passes = group.passes(format: .rgba32f, storing: StoreVariant(.stage(linked: []), alpha: .asReturned))
    return try passes.stages.allSatisfy { stage in
      try KernelLinker.canRepeat(source.kernel(of: stage.pass, in: stage.filter, storing: stage.variant))
    }
  }

  private mutating func dispatch(
    _ group: StageGroup, _ passes: FusedPasses, coverage: Plan.Pass.Coverage, region: PictureRegion?, _ stored: [String: Plan.Binding]
  ) throws {
    let fused = try source.kernel(joining: passes)
    let linked = fused.linked
    var bindings: [Int: Plan.Binding] = [:]
    for resource in linked.kernel.interface.resources { bindings[resource.binding] = stored[resource.name] }
    var parts: [GraphDispatch.Part] = []
    for (index, (kernel, stage)) in zip(fused.stages, group.stages).enumerated() {
      for resource in kernel.interface.resources {
        guard let binding = linked.stages[index].bindings[resource.binding] else { continue }
        bindings[binding] = stage.result.bound[resource.name]
      }
      guard let offset = linked.stages[index].uniformOffset else { continue }
      let writer = UniformWriter(uniforms: stage.result.source.uniforms, block: kernel.interface.uniforms)
      parts.append(GraphDispatch.Part(node: stage.result.node, writer: writer, state: stage.result.state, offset: offset))
    }
    kernels.append(linked.kernel)
    add(
      Plan.Pass(name: group.name, kernel: kernels.count - 1, coverage: coverage, region: region, bindings: bindings),
      GraphDispatch(parts: parts, byteCount: linked.kernel.interface.uniforms?.size ?? 0))
  }

  /// What fills the uniform block of a kernel.
  func writer(of kernel: Int, _ uniforms: [Uniform]) -> UniformWriter {
    UniformWriter(uniforms: uniforms, block: kernels[kernel].interface.uniforms)
  }

  /// Adds a texture that holds a picture: for a cube map or a volume its faces or slices, squares below each other.
  ///
  /// A single pixel stands for a picture that no kernel reads, whatever its readers call it.
  mutating func importPicture(_ picture: PixelBuffer, label: String, shape: TextureShape, isMipmapped: Bool) -> Int {
    let squares = shape.squares(in: picture.size)
    let solid: Plan.Texture.Shape? = squares.map { shape == .cube ? .cube : .volume(depth: $0) }
    let size = squares == nil ? picture.size : Size(picture.size.width, picture.size.width)
    textures.append(
      Plan.Texture(
        name: label, role: .imported(imports.count), shape: solid ?? .flat, size: size, format: picture.format, isMipmapped: isMipmapped))
    imports.append(picture)
    return textures.count - 1
  }

  /// Adds a texture whose picture comes with each frame.
  mutating func stream(_ stream: ImageStream, label: String, isMipmapped: Bool) -> Int {
    textures.append(
      Plan.Texture(
        name: label, role: .streamed(streams.count), size: stream.size, format: stream.format, isMipmapped: isMipmapped))
    streams.append(stream.name)
    return textures.count - 1
  }

  /// The textures of a picture that the next frame reads: what it is now and what it was a frame ago.
  mutating func feedback(_ name: String, size: Size, format: PixelFormat, isMipmapped: Bool) -> (kept: Int, previous: Int) {
    if let known = feedbacks[name] { return known }
    let pair = (kept: textures.count, previous: textures.count + 1)
    for role in [Plan.Texture.Role.persistent, .previous(of: pair.kept)] {
      textures.append(Plan.Texture(name: name, role: role, size: size, format: format, isMipmapped: isMipmapped))
    }
    feedbacks[name] = pair
    return pair
  }

  /// Adds a dispatch of one pass; `bound` has what its resources are, by their names in the text.
  mutating func dispatch(
    _ name: String, kernel: Int, coverage: Plan.Pass.Coverage, region: PictureRegion, _ bound: [String: Plan.Binding],
    uniforms: GraphDispatch, reach: NodeLowering.Reach? = nil
  ) {
    let resources = kernels[kernel].interface.resources
    var bindings: [Int: Plan.Binding] = [:]
    for resource in resources { bindings[resource.binding] = bound[resource.name] }
    let declared = reach.map { reach in
      Plan.Pass.Reach(x: reach.x, y: reach.y, bindings: Set(resources.filter { reach.textures.contains($0.name) }.map(\.binding)))
    }
    add(
      Plan.Pass(
        name: name, kernel: kernel, coverage: coverage, region: region.isWhole ? nil : region, bindings: bindings, reach: declared),
      uniforms)
  }

  /// Adds the texture of a picture between two nodes; returns its index.
  mutating func addTransient(_ name: String, _ region: PictureRegion, format: PixelFormat, isMipmapped: Bool) -> Int {
    textures.append(Plan.Texture(name: name, role: .transient, size: region.size, format: format, isMipmapped: isMipmapped))
    regions[textures.count - 1] = region
    return textures.count - 1
  }

  // MARK: steps

  private mutating func add(_ pass: Plan.Pass, _ uniforms: GraphDispatch) {
    change { $0.add(pass, uniforms) }
  }

  /// Adds the making of mipmaps, where a texture has them.
  mutating func makeMipmaps(of texture: Int) {
    if textures[texture].isMipmapped { change { $0.steps.append(.makeMipmaps(texture: texture)) } }
  }

  /// Makes a texture transparent black before a pass writes parts of it.
  mutating func clear(_ texture: Int) { change { $0.steps.append(.clear(texture: texture)) } }

  /// Makes a texture that no pass writes transparent black before any other step.
  mutating func clearFirst(_ texture: Int) { change { $0.steps.insert(.clear(texture: texture), at: 0) } }

  private mutating func change(_ body: (inout StepList) -> Void) {
    if isInSetup { body(&setup) } else { body(&frame) }
  }
}

/// Steps in the order in which they are done.
struct StepList {
  var steps: [Plan.Step] = []
  /// One for each dispatch, in the order of the steps.
  private(set) var dispatches: [GraphDispatch] = []

  mutating func add(_ pass: Plan.Pass, _ uniforms: GraphDispatch) {
    steps.append(.dispatch(pass))
    dispatches.append(uniforms)
  }
}

/// What the uniforms of a dispatch come from.
struct GraphDispatch: Sendable {
  /// The uniforms of one pass.
  struct Part: Sendable {
    /// The node whose values its parameters have.
    let node: Int
    let writer: UniformWriter
    let state: PassState
    /// Where they begin in the block of the kernel.
    let offset: Int
  }

  let parts: [Part]
  /// The size of the block where several passes share one.
  let byteCount: Int

  /// The uniforms of one pass alone.
  init(node: Int, writer: UniformWriter, state: PassState) {
    parts = [Part(node: node, writer: writer, state: state, offset: 0)]
    byteCount = 0
  }

  init(parts: [Part], byteCount: Int) {
    self.parts = parts
    self.byteCount = byteCount
  }

  /// The bytes of the uniform block for one frame.
  ///
  /// - Parameter bytes: those of a part.
  func bytes(_ bytes: (Part) -> [UInt8]) -> [UInt8] {
    guard byteCount > 0 else { return parts.first.map(bytes) ?? [] }
    var block = [UInt8](repeating: 0, count: byteCount)
    for part in parts {
      let own = bytes(part)
      block.replaceSubrange(part.offset..<part.offset + own.count, with: own)
    }
    return block
  }
}
