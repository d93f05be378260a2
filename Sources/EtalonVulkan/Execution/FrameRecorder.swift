internal import CVulkan
internal import EtalonPlan

/// Records the steps of a plan for one frame slot: zeroed state, barriers, layouts, dispatches.
struct FrameRecorder {
  private let prepared: PreparedPlan
  /// The textures of the frame by their index in the plan.
  private let textures: [Texture]
  private let sets: DescriptorSets
  /// Where the pictures of the frame lie; nil when no texture is filled.
  private let staging: StreamStaging?
  private let marks: PassMarks?
  private let commands: CommandBuffer
  private let variant: FrameVariant
  private var layouts: TextureLayouts

  init(
    _ prepared: PreparedPlan, _ variant: FrameVariant, textures: [Texture], sets: DescriptorSets, staging: StreamStaging?,
    marks: PassMarks?, commands: CommandBuffer
  ) {
    self.prepared = prepared
    self.textures = textures
    self.sets = sets
    self.staging = staging
    self.marks = marks
    self.commands = commands
    self.variant = variant
    layouts = TextureLayouts(textures, variant)
  }

  /// Records all steps, and that the processor reads the outputs at the end.
  mutating func record() {
    startFrame()
    fillStreams()
    var pass = 0
    for (step, isForState) in zip(prepared.plan.steps, prepared.stepsForState) {
      let isNeeded = variant.writesOutputs || isForState
      switch step {
      case .clear(let texture): if isNeeded { clear([texture]) }
      case .makeMipmaps(let texture): if isNeeded { makeMipmaps(of: texture) }
      case .dispatch(let description):
        if isNeeded { record(description, pass) }
        marks?.recordEnd(of: pass, commands)
        pass += 1
      }
    }
    commands.barrier(.work, .work, layouts.moveForNextFrame())
    commands.barrier(.compute, .host)
  }

  // MARK: Zeros

  private mutating func startFrame() {
    if variant.startsState { clear(textures.indices.filter { textures[$0].description.isKept }) }
    let zeroed = prepared.plan.buffers.indices.filter { variant.startsState || !prepared.plan.buffers[$0].isPersistent }
    guard !zeroed.isEmpty else { return }
    // Also orders the fills after the frame before, which used the same buffers.
    commands.barrier(.work, .work)
    for index in zeroed {
      let buffer = prepared.buffers[index]
      unsafe commands.device.vk.pointee.CmdFillBuffer(commands.handle, buffer.handle, 0, UInt64(buffer.byteCount), 0)
    }
  }

  // MARK: Pictures of the frame

  private mutating func fillStreams() {
    guard let staging, !variant.filled.isEmpty else { return }
    let filled = variant.filled.sorted()
    // Also waits for the frame before to have read what the textures held.
    commands.barrier(.work, .upload, layouts.move(filled, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL))
    for index in filled { staging.recordCopy(to: textures[index], at: index, commands) }
    let halved = filled.filter { textures[$0].description.makesStreamedMipmaps }
    for index in halved { makeMipmaps(of: index) }
    commands.barrier(.work, .compute, layouts.move(filled, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL))
  }

  private mutating func clear(_ indices: [Int]) {
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

  private mutating func makeMipmaps(of texture: Int) {
    guard textures[texture].description.levelCount > 1 else { return }
    commands.barrier(.work, .compute, layouts.move([texture], to: VK_IMAGE_LAYOUT_GENERAL))
    prepared.mipmaps?.record(textures[texture], at: prepared.plan.memory(isSwapped: variant.isSwapped)[texture], commands)
  }

  private mutating func record(_ pass: Plan.Pass, _ index: Int) {
    let reads = layouts.move(pass.sampledTextures.sorted(), to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
    let writes = layouts.move(pass.targets.sorted(), to: VK_IMAGE_LAYOUT_GENERAL)
    // Also orders the first pass after the frame before, which used the same textures.
    commands.barrier(.work, .compute, reads + writes)
    let pipeline = prepared.pipelines[pass.kernel]
    unsafe commands.device.vk.pointee.CmdBindPipeline(commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle)
    switch pass.coverage {
    case .pixels:
      for (band, region) in prepared.regions(of: pass).enumerated() { unsafe dispatch(region, pipeline, sets.set(pass: index, band: band)) }
    case .workgroups(let x, let y, let z):
      unsafe bind(sets.set(pass: index, band: 0), pipeline)
      unsafe commands.device.vk.pointee.CmdDispatch(commands.handle, UInt32(x), UInt32(y), UInt32(z))
    }
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
