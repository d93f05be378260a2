internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV

/// Owns a `VkDescriptorPool` with one set for each dispatch of a frame: passes that write outputs have one for each band, others a single one.
@safe
final class DescriptorSets: @unchecked Sendable {
  private let device: Device
  private let pool: VkDescriptorPool
  /// By pass, then by band.
  private let sets: [[VkDescriptorSet]]

  /// Makes and fills the sets; `uniforms` holds the uniform blocks at the offsets of their passes.
  init(
    _ prepared: PreparedPlan, outputs: [[Buffer]], uniforms: Buffer?, uniformOffsets: [Int], name: String
  ) throws(RenderError) {
    device = prepared.pool.device
    let counts = prepared.plan.passes.map { $0.writesOutput ? prepared.bands(of: $0.size).regions.count : 1 }
    let pool = unsafe try Self.createPool(prepared, counts, name, prepared.pool.device)
    var sets: [[VkDescriptorSet]] = unsafe []
    do throws(RenderError) {
      for (pass, count) in zip(prepared.plan.passes, counts) {
        unsafe sets.append(try Self.allocate(count, prepared.pipelines[pass.kernel], pool, device))
      }
    } catch {
      unsafe device.vk.pointee.DestroyDescriptorPool(device.handle, pool, nil)
      throw error
    }
    unsafe self.pool = pool
    unsafe self.sets = sets
    for (index, pass) in prepared.plan.passes.enumerated() {
      for unsafe(band, set) in unsafe sets[index].enumerated() {
        let writes = DescriptorWrites(
          prepared, pass, band: band, outputs: outputs, uniforms: uniforms, uniformOffset: uniformOffsets[index])
        unsafe writes.write(to: set)
      }
    }
  }

  /// The set for a band of a pass.
  func set(pass: Int, band: Int) -> VkDescriptorSet {
    unsafe sets[pass].count == 1 ? sets[pass][0] : sets[pass][band]
  }

  private static func createPool(
    _ prepared: PreparedPlan, _ counts: [Int], _ name: String, _ device: Device
  ) throws(RenderError) -> VkDescriptorPool {
    var totals: [UInt32: Int] = [:]
    for (pass, count) in zip(prepared.plan.passes, counts) {
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
      unsafe info.maxSets = UInt32(counts.reduce(0, +))
      unsafe info.poolSizeCount = UInt32(sizes.count)
      unsafe info.pPoolSizes = UnsafePointer(memory.pointer(to: sizes))
      return unsafe device.vk.pointee.CreateDescriptorPool(device.handle, &info, nil, &created)
    }
    try check(result, "vkCreateDescriptorPool", "cannot make the bindings of \(name)")
    guard let pool = unsafe created else { preconditionFailure("vkCreateDescriptorPool succeeded without a pool") }
    unsafe device.name(pool, VK_OBJECT_TYPE_DESCRIPTOR_POOL, name)
    return unsafe pool
  }

  private static func allocate(
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

/// What is bound for one band of one pass.
@safe
private struct DescriptorWrites {
  private let device: Device
  private var images: [(binding: Int, type: VkDescriptorType, info: VkDescriptorImageInfo)]
  private var buffers: [(binding: Int, type: VkDescriptorType, info: VkDescriptorBufferInfo)]

  init(
    _ prepared: PreparedPlan, _ pass: Plan.Pass, band: Int, outputs: [[Buffer]], uniforms: Buffer?, uniformOffset: Int
  ) {
    device = prepared.pool.device
    unsafe images = unsafe []
    unsafe buffers = unsafe []
    for (number, binding) in pass.bindings.sorted(by: { $0.key < $1.key }) {
      switch binding {
      case .sampled(let index, let sampler):
        let info = unsafe VkDescriptorImageInfo(
          sampler: prepared.sampler(sampler).handle, imageView: prepared.textures[index].sampledView,
          imageLayout: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
        unsafe images.append((number, binding.descriptorType, info))
      case .storage(let index):
        let info = unsafe VkDescriptorImageInfo(
          sampler: nil, imageView: prepared.textures[index].storageView, imageLayout: VK_IMAGE_LAYOUT_GENERAL)
        unsafe images.append((number, binding.descriptorType, info))
      case .output(let index):
        let buffer = outputs[index][band]
        let info = unsafe VkDescriptorBufferInfo(buffer: buffer.handle, offset: 0, range: UInt64(buffer.byteCount))
        unsafe buffers.append((number, binding.descriptorType, info))
      }
    }
    if let block = prepared.plan.kernels[pass.kernel].interface.uniforms, let uniforms {
      let info = unsafe VkDescriptorBufferInfo(buffer: uniforms.handle, offset: UInt64(uniformOffset), range: UInt64(block.paddedSize))
      unsafe buffers.append((block.binding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, info))
    }
  }

  func write(to set: VkDescriptorSet) {
    withCallMemory { memory in
      var writes: [VkWriteDescriptorSet] = unsafe []
      for unsafe(binding, type, info) in unsafe images {
        var write = unsafe makeWrite(binding, type, set)
        unsafe write.pImageInfo = unsafe UnsafePointer(memory.pointer(to: info))
        unsafe writes.append(write)
      }
      for unsafe(binding, type, info) in unsafe buffers {
        var write = unsafe makeWrite(binding, type, set)
        unsafe write.pBufferInfo = unsafe UnsafePointer(memory.pointer(to: info))
        unsafe writes.append(write)
      }
      unsafe device.vk.pointee.UpdateDescriptorSets(device.handle, UInt32(writes.count), writes, 0, nil)
    }
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

extension Plan.Pass {
  /// Whether its bands write buffers of their own.
  var writesOutput: Bool {
    bindings.values.contains { if case .output = $0 { true } else { false } }
  }
}

extension Plan.Binding {
  fileprivate var descriptorType: VkDescriptorType {
    switch self {
    case .sampled: VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
    case .storage: VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
    case .output: VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
    }
  }
}
