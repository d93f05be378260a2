internal import CVulkan
internal import EtalonPlan
internal import EtalonSPIRV

/// Writes what a pass is bound to into descriptor sets, which differ from band to band in their output buffers.
struct DescriptorWriter {
  private let prepared: PreparedPlan
  private let pass: Plan.Pass
  /// The textures of the frame by their index in the plan.
  private let textures: [Texture]
  private let outputs: [[Buffer]]
  private let uniforms: Buffer?
  private let uniformOffset: Int

  init(
    _ prepared: PreparedPlan, _ pass: Plan.Pass, textures: [Texture], outputs: [[Buffer]], uniforms: Buffer?, uniformOffset: Int
  ) {
    self.prepared = prepared
    self.pass = pass
    self.textures = textures
    self.outputs = outputs
    self.uniforms = uniforms
    self.uniformOffset = uniformOffset
  }

  /// Fills the set for a band.
  func write(band: Int, to set: VkDescriptorSet) {
    withCallMemory { memory in
      var writes: [VkWriteDescriptorSet] = unsafe []
      for (number, binding) in pass.bindings.sorted(by: { $0.key < $1.key }) {
        var write = unsafe makeWrite(number, binding.descriptorType, set)
        switch binding {
        case .sampled, .storage: unsafe write.pImageInfo = unsafe UnsafePointer(memory.pointer(to: image(binding)))
        case .output(let index): unsafe write.pBufferInfo = unsafe UnsafePointer(memory.pointer(to: whole(outputs[index][band])))
        case .buffer(let index):
          unsafe write.pBufferInfo = unsafe UnsafePointer(memory.pointer(to: whole(prepared.buffers[index])))
        }
        unsafe writes.append(write)
      }
      if let block = prepared.plan.kernels[pass.kernel].interface.uniforms, let uniforms {
        var write = unsafe makeWrite(block.binding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, set)
        let info = unsafe VkDescriptorBufferInfo(buffer: uniforms.handle, offset: UInt64(uniformOffset), range: UInt64(block.paddedSize))
        unsafe write.pBufferInfo = unsafe UnsafePointer(memory.pointer(to: info))
        unsafe writes.append(write)
      }
      let device = prepared.pool.device
      unsafe device.vk.pointee.UpdateDescriptorSets(device.handle, UInt32(writes.count), writes, 0, nil)
    }
  }

  private func image(_ binding: Plan.Binding) -> VkDescriptorImageInfo {
    switch binding {
    case .sampled(let texture, let sampler):
      unsafe VkDescriptorImageInfo(
        sampler: prepared.sampler(sampler).handle, imageView: textures[texture].sampledView,
        imageLayout: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
    case .storage(let texture, let layer):
      unsafe VkDescriptorImageInfo(
        sampler: nil, imageView: textures[texture].storageView(layer: layer), imageLayout: VK_IMAGE_LAYOUT_GENERAL)
    case .output, .buffer: preconditionFailure("a buffer is no image")
    }
  }

  private func whole(_ buffer: Buffer) -> VkDescriptorBufferInfo {
    unsafe VkDescriptorBufferInfo(buffer: buffer.handle, offset: 0, range: UInt64(buffer.byteCount))
  }

  private func makeWrite(_ binding: Int, _ type: VkDescriptorType, _ set: VkDescriptorSet) -> VkWriteDescriptorSet {
    var write = unsafe VkWriteDescriptorSet()
    unsafe write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
    unsafe write.dstSet = unsafe set
    unsafe write.dstBinding = UInt32(binding)
    unsafe write.descriptorCount = 1
    unsafe write.descriptorType = type
    return unsafe write
  }
}

extension Plan.Binding {
  var descriptorType: VkDescriptorType {
    switch self {
    case .sampled: VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
    case .storage: VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
    case .output, .buffer: VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
    }
  }
}
