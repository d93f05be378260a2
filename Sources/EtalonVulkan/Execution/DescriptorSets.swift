internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV

/// Owns a `VkDescriptorPool` with one set for each dispatch of a frame or of the setup: passes that write outputs have one for each band, others a single one.
///
/// They differ from frame to frame where textures swap their memory.
@safe
final class DescriptorSets: @unchecked Sendable {
  private let device: Device
  private let pool: VkDescriptorPool
  /// By pass, then by band.
  private let sets: [[VkDescriptorSet]]

  /// Makes and fills the sets of some passes; `uniforms` holds the uniform blocks at the offsets of their passes.
  init(
    _ prepared: PreparedPlan, passes: [Plan.Pass], textures: [Texture], outputs: [[Buffer]], uniforms: Buffer?, uniformOffsets: [Int],
    name: String
  ) throws(RenderError) {
    device = prepared.pool.device
    let counts = passes.map { $0.writesOutput ? max(1, prepared.regions(of: $0).count) : 1 }
    let pool = unsafe try Self.createPool(prepared, passes, counts, name, prepared.pool.device)
    var sets: [[VkDescriptorSet]] = unsafe []
    do throws(RenderError) {
      for (pass, count) in zip(passes, counts) {
        unsafe sets.append(try Self.allocate(count, prepared.pipelines[pass.kernel], pool, device))
      }
    } catch {
      unsafe device.vk.pointee.DestroyDescriptorPool(device.handle, pool, nil)
      throw error
    }
    unsafe self.pool = pool
    unsafe self.sets = sets
    for (index, pass) in passes.enumerated() {
      let writer = DescriptorWriter(
        prepared, pass, textures: textures, outputs: outputs, uniforms: uniforms, uniformOffset: uniformOffsets[index])
      for band in 0..<counts[index] { unsafe writer.write(band: band, to: sets[index][band]) }
    }
  }

  /// The set for a band of a pass.
  func set(pass: Int, band: Int) -> VkDescriptorSet {
    unsafe sets[pass].count == 1 ? sets[pass][0] : sets[pass][band]
  }

  private static func createPool(
    _ prepared: PreparedPlan, _ passes: [Plan.Pass], _ counts: [Int], _ name: String, _ device: Device
  ) throws(RenderError) -> VkDescriptorPool {
    var totals: [UInt32: Int] = [:]
    for (pass, count) in zip(passes, counts) {
      for binding in pass.bindings.values { totals[binding.descriptorType.rawValue, default: 0] += count }
      if prepared.plan.kernels[pass.kernel].interface.uniforms != nil {
        totals[VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER.rawValue, default: 0] += count
      }
    }
    let sizes = totals.sorted { $0.key < $1.key }.map {
      VkDescriptorPoolSize(type: VkDescriptorType(rawValue: $0.key), descriptorCount: UInt32($0.value))
    }
    var created: VkDescriptorPool?
    let result = withCallMemory { memory in
      var info = unsafe VkDescriptorPoolCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
      unsafe info.maxSets = UInt32(max(1, counts.reduce(0, +)))
      unsafe info.poolSizeCount = UInt32(sizes.count)
      unsafe info.pPoolSizes = UnsafePointer(memory.pointer(to: sizes))
      return unsafe device.vk.pointee.CreateDescriptorPool(device.handle, &info, nil, &created)
    }
    try check(result, "vkCreateDescriptorPool", "cannot make the bindings of \(name)")
    guard let pool = unsafe created else { preconditionFailure("vkCreateDescriptorPool succeeded without a pool") }
    unsafe device.name(pool, VK_OBJECT_TYPE_DESCRIPTOR_POOL, name)
    return unsafe pool
  }

  static func allocate(
    _ count: Int, _ pipeline: ComputePipeline, _ pool: VkDescriptorPool, _ device: Device
  ) throws(RenderError) -> [VkDescriptorSet] {
    var created = unsafe [VkDescriptorSet?](repeating: nil, count: count)
    let result = withCallMemory { memory in
      var info = unsafe VkDescriptorSetAllocateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO
      unsafe info.descriptorPool = pool
      unsafe info.descriptorSetCount = UInt32(count)
      unsafe info.pSetLayouts = UnsafePointer(memory.pointer(to: [VkDescriptorSetLayout?](repeating: pipeline.setLayout, count: count)))
      return unsafe device.vk.pointee.AllocateDescriptorSets(device.handle, &info, &created)
    }
    try check(result, "vkAllocateDescriptorSets", "cannot make the bindings of '\(pipeline.kernel.name)'")
    return unsafe created.compactMap { unsafe $0 }
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroyDescriptorPool(device.handle, pool, nil) }
  }
}

// MARK: What a set is filled with

/// Writes what a pass is bound to into descriptor sets, which differ from band to band in their output buffers.
private struct DescriptorWriter {
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
