internal import CVulkan
internal import EtalonPlan

/// Records the passes of a plan for one frame slot: barriers, layouts, dispatches.
struct PassRecorder {
  let prepared: PreparedPlan
  let sets: DescriptorSets
  let marks: PassMarks?
  let commands: CommandBuffer

  /// Records all passes, and that the processor reads the outputs at the end.
  func record() {
    var layouts = prepared.textures.map { $0.description.isWritten ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL }
    for (index, pass) in prepared.plan.passes.enumerated() {
      // Also orders the first pass after the frame before, which used the same textures.
      commands.barrier(.compute, .compute, moves(for: pass, &layouts))
      record(pass, index)
      marks?.recordEnd(of: index, commands)
    }
    commands.barrier(.compute, .host)
  }

  /// The textures whose layout is not yet what the pass needs.
  private func moves(for pass: Plan.Pass, _ layouts: inout [VkImageLayout]) -> [LayoutMove] {
    var moves: [LayoutMove] = []
    for binding in pass.bindings.sorted(by: { $0.key < $1.key }).map(\.value) {
      let (texture, layout): (Int, VkImageLayout)
      switch binding {
      case .sampled(let index, _): (texture, layout) = (index, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
      case .storage(let index): (texture, layout) = (index, VK_IMAGE_LAYOUT_GENERAL)
      case .output: continue
      }
      guard layouts[texture] != layout else { continue }
      moves.append(LayoutMove(texture: prepared.textures[texture], from: layouts[texture], to: layout))
      layouts[texture] = layout
    }
    return moves
  }

  private func record(_ pass: Plan.Pass, _ index: Int) {
    let vk = unsafe commands.device.vk
    let pipeline = prepared.pipelines[pass.kernel]
    unsafe vk.pointee.CmdBindPipeline(commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle)
    for (band, region) in prepared.bands(of: pass.size).regions.enumerated() {
      var set: VkDescriptorSet? = unsafe sets.set(pass: index, band: band)
      unsafe vk.pointee.CmdBindDescriptorSets(
        commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &set, 0, nil)
      let words = region.words
      unsafe vk.pointee.CmdPushConstants(
        commands.handle, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT.rawValue, 0, UInt32(DispatchRegion.byteCount), words)
      let counts = region.workgroupCounts
      unsafe vk.pointee.CmdDispatch(commands.handle, UInt32(counts.x), UInt32(counts.y), 1)
    }
  }
}
