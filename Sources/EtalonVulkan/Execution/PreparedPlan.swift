internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
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
  private let samplers: [Sampler: VulkanSampler]
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
    var samplers: [Sampler: VulkanSampler] = [:]
    for case .sampled(_, let sampler) in (plan.setupPasses + passes).flatMap(\.bindings.values) where samplers[sampler] == nil {
      samplers[sampler] = try VulkanSampler(sampler, on: pool.device)
    }
    self.samplers = samplers
    self.mipmaps = try mipmaps.map { (pipeline) throws(RenderError) in
      try MipmapMaker(plan.memoryWithMipmaps, of: textures, pipeline: pipeline, on: pool.device)
    }
    try TextureUpload(pool: pool, queue: queue).fill(textures, from: imports)
  }

  /// The textures of a frame by their index in the plan.
  func textures(isSwapped: Bool) -> [Texture] { plan.memory(isSwapped: isSwapped).map { textures[$0] } }

  func sampler(_ sampler: Sampler) -> VulkanSampler {
    guard let made = samplers[sampler] else { preconditionFailure("a sampler that no pass of the plan has") }
    return made
  }

  /// How pictures of a size are cut; the same for all outputs and passes, so that a pass can write several outputs.
  func bands(of size: Size) -> RowBands {
    let bytesPerPixel = plan.outputs.map(\.format.bytesPerPixel).max() ?? 16
    return RowBands(of: size, bytesPerPixel: bytesPerPixel, maxByteCount: maxBandByteCount, maxRowCount: tiles?.height ?? .max)
  }

  /// The bands of an output; one where workgroups write what they like of it.
  func bands(ofOutput output: Int) -> [DispatchRegion] { wholeOutputs[output].map { [$0] } ?? bands(of: plan.outputs[output].size).regions }

  /// The parts of an output that have memory of their own, from the top of the picture down, and from the left to the right: bands, or pieces of them
  /// where passes are cut.
  func parts(ofOutput output: Int) -> [DispatchRegion] { wholeOutputs[output].map { [$0] } ?? parts(of: plan.outputs[output].size) }

  /// The outputs that passes over workgroups write, which cannot be cut.
  private var wholeOutputs: [Int: DispatchRegion] {
    var whole: [Int: DispatchRegion] = [:]
    for pass in plan.passes {
      guard case .workgroups = pass.coverage else { continue }
      for case .output(let output) in pass.bindings.values {
        let size = plan.outputs[output].size
        whole[output] = DispatchRegion(originX: 0, originY: 0, endX: size.width, endY: size.height)
      }
    }
    return whole
  }

  private func parts(of size: Size) -> [DispatchRegion] {
    let regions = bands(of: size).regions
    return tiles.map { tiles in regions.flatMap(tiles.columns) } ?? regions
  }

  /// The regions that a pass over pixels is cut into; none for other passes.
  func regions(of pass: Plan.Pass) -> [DispatchRegion] {
    guard case .pixels(let size) = pass.coverage else { return [] }
    guard !pass.writesOutput else { return parts(of: size).map { $0.moved(into: pass.region) } }
    let regions = bands(of: size).regions.map { $0.moved(into: pass.region) }
    return tiles.map { tiles in regions.flatMap(tiles.cut) } ?? regions
  }

  /// How many frames fit in flight: as many as asked for, as long as their outputs and pictures do not take more than a quarter of the memory they lie in.
  func framesInFlight(wanted: Int) throws(RenderError) -> Int {
    for (output, whole) in wholeOutputs.sorted(by: { $0.key < $1.key }) {
      let byteCount = plan.outputs[output].byteCountWithMark(ofRows: whole.height)
      guard byteCount > maxBandByteCount else { continue }
      throw RenderError(
        .outOfMemory,
        "output '\(plan.outputs[output].name)' takes \(byteCount >> 20) MiB, and kernels of '\(pool.device.physical.name)' write at most \(maxBandByteCount >> 20)",
        help: ["render at a smaller size"])
    }
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

// MARK: Bands

/// A picture cut into bands of whole rows, the top band first: each is one dispatch, and one buffer of every output.
struct RowBands: Sendable, Hashable {
  /// Dispatches are cut so that none keeps a device busy for too long.
  static let maxPixelCount = 1 << 24

  /// The bands from the top of the picture down; each starts at an even row, so that quads stay quads.
  let regions: [DispatchRegion]

  /// Cuts a picture so that no band has more than so many bytes, 2²⁴ pixels, or an even number of rows; a band has at least two rows.
  init(of size: Size, bytesPerPixel: Int, maxByteCount: Int, maxRowCount: Int = .max) {
    let maxPixels = min(Self.maxPixelCount, maxByteCount / bytesPerPixel)
    let rows = min(max(2, maxPixels / size.width & ~1), maxRowCount)
    regions = stride(from: 0, to: size.height, by: rows).reversed().map { row in
      DispatchRegion(originX: 0, originY: row, endX: size.width, endY: min(row + rows, size.height))
    }
  }
}

// MARK: Before the first frame

/// The setup of a plan on a device, as the first frame needs it: uniforms, bindings and the recorded commands.
///
/// **Concurrency**: used by one thread at a time.
final class PlanSetup: @unchecked Sendable {
  private let prepared: PreparedPlan
  private let commands: CommandBuffer
  private let sets: DescriptorSets
  private let uniforms: Buffer?
  private let marks: PassMarks?
  private let mipmapEnds: MipmapEnds?

  init(_ prepared: PreparedPlan, uniforms bytes: [[UInt8]], watchesPasses: Bool) throws(RenderError) {
    let device = prepared.pool.device, plan = prepared.plan, passes = plan.setupPasses
    self.prepared = prepared
    let layout = UniformLayout(of: passes, in: plan, alignment: device.uniformAlignment)
    let uniforms =
      layout.byteCount == 0
      ? nil
      : try Buffer(
        byteCount: layout.byteCount, usage: VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, .upload, name: "the uniforms of the setup",
        in: prepared.pool)
    for (index, bytes) in bytes.enumerated() where !bytes.isEmpty { uniforms?.write(bytes, at: layout.offsets[index]) }
    self.uniforms = uniforms
    marks = watchesPasses && passes.count > 1 ? try PassMarks(count: passes.count, on: device) : nil
    sets = try DescriptorSets(
      prepared, passes: passes, textures: prepared.textures, outputs: [], uniforms: uniforms, uniformOffsets: layout.offsets,
      name: "the setup")
    commands = try CommandBuffer(name: "the setup", on: device)
    mipmapEnds = try MipmapEnds(of: plan.setup, in: prepared, name: "the smallest levels of the setup")
    var recorder = StepRecorder(
      prepared, memory: plan.memory(isSwapped: false), sets: sets, layouts: TextureLayouts(forSetup: prepared.textures),
      mipmapEnds: mipmapEnds, commands: commands)
    try commands.record(once: true) { [marks, commands] in
      recorder.zero(plan.buffers.indices.filter { !plan.buffers[$0].isPersistent })
      recorder.record(plan.setup, marks: marks)
      commands.barrier(.work, .work, recorder.layouts.moveForFirstFrame())
    }
  }

  /// Starts the setup; frames that are submitted later on the same queue see what it leaves.
  func submit(to queue: WorkQueue) throws(RenderError) -> UInt64 {
    marks?.reset()
    return try queue.submit(commands) { [self] in describe() }
  }

  /// The passes whose targets have mipmaps with NaN; the setup must be complete.
  func passesWithNaN() throws(RenderError) -> Set<String> { try mipmapEnds?.passesWithNaN() ?? [] }

  /// Names the pass that is running.
  private func describe() -> String {
    let passes = prepared.plan.setupPasses
    guard !passes.isEmpty else { return "what goes before the first frame" }
    let pass = passes[marks?.firstUnfinished ?? passes.count - 1]
    return "what goes before the first frame, in pass '\(pass.name)' ('\(prepared.plan.kernels[pass.kernel].name)')"
  }
}
