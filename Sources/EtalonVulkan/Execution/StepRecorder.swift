internal import CVulkan
internal import EtalonPlan

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
