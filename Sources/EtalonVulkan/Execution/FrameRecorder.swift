internal import CVulkan
internal import EtalonPlan
internal import EtalonSPIRV

/// Records a frame for one frame slot: zeroed state, pictures, the steps of the plan, barriers.
struct FrameRecorder {
  private let prepared: PreparedPlan
  /// The textures of the frame by their index in the plan.
  private let textures: [Texture]
  /// Where the pictures of the frame lie; nil when no texture is filled.
  private let staging: StreamStaging?
  private let marks: PassMarks?
  private let commands: CommandBuffer
  private let variant: FrameVariant
  private var steps: StepRecorder

  init(
    _ prepared: PreparedPlan, _ variant: FrameVariant, textures: [Texture], sets: DescriptorSets, staging: StreamStaging?,
    mipmapEnds: MipmapEnds?, marks: PassMarks?, commands: CommandBuffer
  ) {
    self.prepared = prepared
    self.textures = textures
    self.staging = staging
    self.marks = marks
    self.commands = commands
    self.variant = variant
    steps = StepRecorder(
      prepared, memory: prepared.plan.memory(isSwapped: variant.isSwapped), sets: sets, layouts: TextureLayouts(textures, variant),
      mipmapEnds: mipmapEnds, commands: commands)
  }

  /// Records all steps, and that the processor reads the outputs at the end.
  mutating func record() {
    startFrame()
    fillStreams()
    steps.record(prepared.plan.steps, where: variant.writesOutputs ? nil : prepared.stepsForState, marks: marks)
    commands.barrier(.work, .work, steps.layouts.moveForNextFrame())
    commands.barrier(.compute, .host)
  }

  // MARK: Zeros

  private mutating func startFrame() {
    if variant.startsState { steps.clear(textures.indices.filter { textures[$0].description.isKept }) }
    steps.zero(prepared.plan.buffers.indices.filter { variant.startsState || !prepared.plan.buffers[$0].isPersistent })
  }

  // MARK: Pictures of the frame

  private mutating func fillStreams() {
    guard let staging, !variant.filled.isEmpty else { return }
    let filled = variant.filled.sorted()
    // Also waits for the frame before to have read what the textures held.
    commands.barrier(.work, .upload, steps.layouts.move(filled, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL))
    for index in filled { staging.recordCopy(to: textures[index], at: index, commands) }
    let halved = filled.filter { textures[$0].description.makesStreamedMipmaps }
    for index in halved { steps.makeMipmaps(of: index) }
    commands.barrier(.work, .compute, steps.layouts.move(filled, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL))
  }
}

// MARK: Steps

/// Records the steps of a frame or of the setup: dispatches with their barriers and layouts, zeros, mipmaps.
struct StepRecorder {
  var layouts: TextureLayouts
  private let prepared: PreparedPlan
  /// The index of the texture in whose memory each texture of the plan lies.
  private let memory: [Int]
  private let textures: [Texture]
  private let sets: DescriptorSets
  private let commands: CommandBuffer
  private let mipmapEnds: MipmapEnds?

  /// - Parameter sets: those of the dispatches that are recorded.
  /// - Parameter mipmapEnds: where smallest levels are copied to; nil where no step makes any that may hold NaN.
  init(
    _ prepared: PreparedPlan, memory: [Int], sets: DescriptorSets, layouts: TextureLayouts, mipmapEnds: MipmapEnds?, commands: CommandBuffer
  ) {
    self.prepared = prepared
    self.memory = memory
    textures = memory.map { prepared.textures[$0] }
    self.sets = sets
    self.layouts = layouts
    self.mipmapEnds = mipmapEnds
    self.commands = commands
  }

  /// Records the steps that are needed; the end of every dispatch is marked.
  ///
  /// - Parameter isNeeded: by step; nil for all of them.
  mutating func record(_ steps: [Plan.Step], where isNeeded: [Bool]? = nil, marks: PassMarks?) {
    var pass = 0
    for (index, step) in steps.enumerated() {
      let isNeeded = isNeeded?[index] ?? true
      switch step {
      case .clear(let texture): if isNeeded { clear([texture]) }
      case .makeMipmaps(let texture):
        guard isNeeded else { continue }
        makeMipmaps(of: texture)
        mipmapEnds?.recordCopy(at: index, of: texture, textures[texture], &layouts, commands)
      case .dispatch(let description):
        if isNeeded { record(description, pass) }
        marks?.recordEnd(of: pass, commands)
        pass += 1
      }
    }
  }

  // MARK: Zeros

  /// Zeroes buffers of the plan.
  func zero(_ buffers: [Int]) {
    guard !buffers.isEmpty else { return }
    // Also orders the fills after the frame before, which used the same buffers.
    commands.barrier(.work, .work)
    for index in buffers {
      let buffer = prepared.buffers[index]
      unsafe commands.device.vk.pointee.CmdFillBuffer(commands.handle, buffer.handle, 0, UInt64(buffer.byteCount), 0)
    }
  }

  /// Makes textures transparent black.
  mutating func clear(_ indices: [Int]) {
    guard !indices.isEmpty else { return }
    commands.barrier(.work, .work, layouts.move(indices, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL))
    for index in indices {
      var black = VkClearColorValue(float32: (0, 0, 0, 0))
      var everything = textures[index].everything
      unsafe commands.device.vk.pointee.CmdClearColorImage(
        commands.handle, textures[index].image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1, &everything)
    }
  }

  // MARK: Dispatches

  mutating func makeMipmaps(of texture: Int) {
    guard textures[texture].description.levelCount > 1 else { return }
    commands.barrier(.work, .compute, layouts.move([texture], to: VK_IMAGE_LAYOUT_GENERAL))
    prepared.mipmaps?.record(textures[texture], at: memory[texture], commands)
  }

  private mutating func record(_ pass: Plan.Pass, _ index: Int) {
    let reads = layouts.move(pass.sampledTextures.sorted(), to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
    let writes = layouts.move(pass.targets.sorted(), to: VK_IMAGE_LAYOUT_GENERAL)
    // Also orders the first pass after what was submitted before, which used the same textures.
    commands.barrier(.work, .compute, reads + writes)
    let pipeline = prepared.pipelines[pass.kernel]
    unsafe commands.device.vk.pointee.CmdBindPipeline(commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle)
    switch pass.coverage {
    case .pixels:
      let bands = Array(prepared.regions(of: pass).enumerated())
      for (band, region) in prepared.tiles == nil ? bands : bands.reversed() {
        unsafe dispatch(region, pipeline, sets.set(pass: index, band: band))
        if prepared.tiles != nil { commands.barrier(.compute, .compute) }
      }
    case .workgroups(let x, let y, let z):
      unsafe bind(sets.set(pass: index, band: 0), pipeline)
      let whole = WorkgroupBox(count: [x, y, z].map(UInt32.init))
      for box in prepared.tiles == nil || pipeline.knowsCount ? [whole] : whole.pieces { dispatch(box) }
    }
  }

  /// Workgroups of a kernel that states their size.
  private func dispatch(_ box: WorkgroupBox) {
    let vk = unsafe commands.device.vk
    guard prepared.tiles != nil else {
      return unsafe vk.pointee.CmdDispatch(commands.handle, box.count[0], box.count[1], box.count[2])
    }
    unsafe vk.pointee.CmdDispatchBase(
      commands.handle, box.first[0], box.first[1], box.first[2], box.count[0], box.count[1], box.count[2])
    // So that the pieces are done in their order.
    commands.barrier(.compute, .compute)
  }

  private func bind(_ set: VkDescriptorSet, _ pipeline: ComputePipeline) {
    var set: VkDescriptorSet? = unsafe set
    unsafe commands.device.vk.pointee.CmdBindDescriptorSets(
      commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &set, 0, nil)
  }

  private func dispatch(_ region: DispatchRegion, _ pipeline: ComputePipeline, _ set: VkDescriptorSet) {
    unsafe bind(set, pipeline)
    let words = region.words
    unsafe commands.device.vk.pointee.CmdPushConstants(
      commands.handle, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT.rawValue, 0, UInt32(DispatchRegion.byteCount), words)
    let counts = region.workgroupCounts
    unsafe commands.device.vk.pointee.CmdDispatch(commands.handle, UInt32(counts.x), UInt32(counts.y), 1)
  }
}

/// Some of the workgroups of a dispatch.
private struct WorkgroupBox: Sendable, Hashable {
  /// How many pieces a side is cut into at most.
  private static let mostPieces: UInt32 = 8

  /// Along x, y and z.
  var first: [UInt32] = [0, 0, 0]
  var count: [UInt32]

  /// Smaller boxes that together are this one, the last first.
  var pieces: [WorkgroupBox] {
    (0..<3).reduce([self]) { boxes, axis in boxes.flatMap { $0.cut(along: axis) } }
  }

  private func cut(along axis: Int) -> [WorkgroupBox] {
    let step = max(1, (count[axis] + Self.mostPieces - 1) / Self.mostPieces)
    return stride(from: 0, to: count[axis], by: Int(step)).reversed().map { start in
      var piece = self
      piece.first[axis] += start
      piece.count[axis] = min(step, count[axis] - start)
      return piece
    }
  }
}

extension ComputePipeline {
  /// Whether the kernel asks how many workgroups there are: then they cannot be dispatched in several pieces.
  fileprivate var knowsCount: Bool {
    guard let module = try? SPIRVModule(kernel.words) else { return true }
    return (0..<module.instructionCount).contains { position in
      let instruction = module[position]
      return instruction.opcode == .OpDecorate && instruction[1] == Decoration.BuiltIn.rawValue
        && instruction[2] == BuiltIn.NumWorkgroups.rawValue
    }
  }
}

// MARK: Layouts

/// In which layout the textures of a frame are while its commands are recorded.
struct TextureLayouts {
  private let textures: [Texture]
  private var layouts: [VkImageLayout]
  /// The texture that lies in each block of memory, by the number of the block.
  private var holders: [Int: Int] = [:]

  /// As they are before the setup.
  init(forSetup textures: [Texture]) {
    self.textures = textures
    layouts = textures.map { texture in
      if case .imported = texture.description.role { VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL } else { VK_IMAGE_LAYOUT_UNDEFINED }
    }
  }

  /// As the setup and the frame before left them, or before anything was written to those that the frame fills or whose state starts.
  init(_ textures: [Texture], _ variant: FrameVariant) {
    self.textures = textures
    layouts = textures.enumerated().map { index, texture in
      switch texture.description.role {
      case .imported, .setup: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
      case .streamed: variant.filled.contains(index) ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
      case .transient: VK_IMAGE_LAYOUT_UNDEFINED
      case .persistent, .previous: variant.startsState ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
      }
    }
  }

  /// What has to move so that some textures are in a layout; they count as moved then.
  mutating func move(_ indices: some Collection<Int>, to layout: VkImageLayout) -> [LayoutMove] {
    var moves: [LayoutMove] = []
    for index in indices { takeTurn(index) }
    for index in indices where layouts[index] != layout {
      moves.append(LayoutMove(texture: textures[index], from: layouts[index], to: layout))
      layouts[index] = layout
    }
    return moves
  }

  /// Counts what a texture held as lost where another has been in its memory since.
  private mutating func takeTurn(_ index: Int) {
    guard let block = textures[index].description.block, holders[block] != index else { return }
    holders[block] = index
    layouts[index] = VK_IMAGE_LAYOUT_UNDEFINED
  }

  /// Brings the textures that the setup leaves to frames into the layout in which they expect them.
  mutating func moveForFirstFrame() -> [LayoutMove] {
    move(textures.indices.filter { textures[$0].description.role == .setup }, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
  }

  /// Brings the textures that outlive the frame into the layout in which the next one expects them.
  fileprivate mutating func moveForNextFrame() -> [LayoutMove] {
    move(
      textures.indices.filter { textures[$0].description.isKept || textures[$0].description.isStreamed },
      to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
  }
}
