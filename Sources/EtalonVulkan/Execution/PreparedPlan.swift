internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// What all frames of a plan share on a device: pipelines, textures, samplers, and how the passes are cut.
final class PreparedPlan: Sendable {
  let plan: Plan
  let pool: MemoryPool
  /// By the kernel's index in the plan.
  let pipelines: [ComputePipeline]
  /// By the texture's index in the plan; persistent textures swap theirs with their previous ones after every frame.
  let textures: [Texture]
  /// By the buffer's index in the plan.
  let buffers: [Buffer]
  /// The dispatches of a frame.
  let passes: [Plan.Pass]
  let stepsForState: [Bool]
  /// Nil for a plan that makes no mipmaps.
  let mipmaps: MipmapMaker?
  private let samplers: [Sampler: TextureSampler]
  private let maxBandByteCount: Int
  /// Nil where dispatches are as large as can be, and in order.
  let tiles: DispatchTiles?

  init(
    _ plan: Plan, pipelines: [ComputePipeline], mipmaps: ComputePipeline?, imports: [PixelBuffer], maxBandByteCount: Int,
    tiles: DispatchTiles?, pool: MemoryPool, queue: WorkQueue
  ) throws(RenderError) {
    self.plan = plan
    passes = plan.passes
    stepsForState = plan.stepsForState
    self.pool = pool
    self.pipelines = pipelines
    self.maxBandByteCount = maxBandByteCount
    self.tiles = tiles
    let textures = try Texture.all(of: plan, in: pool)
    self.textures = textures
    var buffers: [Buffer] = []
    for buffer in plan.buffers {
      buffers.append(
        try Buffer(
          byteCount: buffer.byteCount, usage: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .device, name: "buffer '\(buffer.name)'", in: pool))
    }
    self.buffers = buffers
    var samplers: [Sampler: TextureSampler] = [:]
    for case .sampled(_, let sampler) in (plan.setupPasses + passes).flatMap(\.bindings.values) where samplers[sampler] == nil {
      samplers[sampler] = try TextureSampler(sampler, on: pool.device)
    }
    self.samplers = samplers
    self.mipmaps = try mipmaps.map { (pipeline) throws(RenderError) in
      try MipmapMaker(plan.memoryWithMipmaps, of: textures, pipeline: pipeline, on: pool.device)
    }
    try TextureUpload(pool: pool, queue: queue).fill(textures, from: imports)
  }

  /// The textures of a frame by their index in the plan.
  func textures(isSwapped: Bool) -> [Texture] { plan.memory(isSwapped: isSwapped).map { textures[$0] } }

  func sampler(_ sampler: Sampler) -> TextureSampler {
    guard let made = samplers[sampler] else { preconditionFailure("a sampler that no pass of the plan has") }
    return made
  }

  /// How pictures of a size are cut; the same for all outputs and passes, so that a pass can write several outputs.
  func bands(of size: Size) -> RowBands {
    let bytesPerPixel = plan.outputs.map(\.format.bytesPerPixel).max() ?? 16
    return RowBands(of: size, bytesPerPixel: bytesPerPixel, maxByteCount: maxBandByteCount, maxRowCount: tiles?.height ?? .max)
  }

  /// The parts of an output of a size that have memory of their own, from the top of the picture down, and from the left to the right: bands, or
  /// pieces of them where passes are cut.
  func parts(ofOutput size: Size) -> [DispatchRegion] {
    let regions = bands(of: size).regions
    return tiles.map { tiles in regions.flatMap(tiles.columns) } ?? regions
  }

  /// The regions that a pass over pixels is cut into; none for other passes.
  func regions(of pass: Plan.Pass) -> [DispatchRegion] {
    guard case .pixels(let size) = pass.coverage else { return [] }
    guard !pass.writesOutput else { return parts(ofOutput: size).map { $0.moved(into: pass.region) } }
    let regions = bands(of: size).regions.map { $0.moved(into: pass.region) }
    return tiles.map { tiles in regions.flatMap(tiles.cut) } ?? regions
  }

  /// How many frames fit in flight: as many as asked for, as long as their outputs and pictures do not take more than a quarter of the memory they lie in.
  func framesInFlight(wanted: Int) throws(RenderError) -> Int {
    let capacity = pool.capacity(for: .readback)
    let frame = plan.outputs.reduce(0) { $0 + $1.size.pixelCount * $1.format.bytesPerPixel }
    guard frame <= capacity else {
      throw RenderError(
        .outOfMemory, "a frame takes \(frame >> 20) MiB, and '\(pool.device.physical.name)' has \(capacity >> 20) MiB for it",
        help: ["render at a smaller size"])
    }
    let pictures = StreamStaging.byteCount(of: plan)
    return max(1, min(wanted, capacity / 4 / max(1, frame), pool.capacity(for: .upload) / 4 / max(1, pictures)))
  }
}
