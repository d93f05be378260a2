internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Makes the smaller levels of textures that kernels write, on the device: owns the bindings of every level.
@safe
final class MipmapMaker: @unchecked Sendable {
  private let device: Device
  private let pipeline: ComputePipeline
  private let sampler: TextureSampler
  private let pool: VkDescriptorPool
  /// By the texture's index, then by face, then by level from level 1 on; empty for textures that need none.
  private let sets: [[[VkDescriptorSet]]]

  /// Makes the bindings of the textures with these indices.
  init(_ indices: Set<Int>, of textures: [Texture], pipeline: ComputePipeline, on device: Device) throws(RenderError) {
    self.device = device
    self.pipeline = pipeline
    sampler = try TextureSampler(Sampler(.nearest), on: device)
    let count = indices.reduce(0) { $0 + textures[$1].description.arrayLayerCount * (textures[$1].description.levelCount - 1) }
    unsafe pool = try Self.createPool(count, device)
    var sets = unsafe [[[VkDescriptorSet]]](repeating: [], count: textures.count)
    do throws(RenderError) {
      for index in indices.sorted() {
        let texture = textures[index]
        for face in 0..<texture.description.arrayLayerCount {
          unsafe sets[index].append(try DescriptorSets.allocate(texture.description.levelCount - 1, pipeline, pool, device))
          for level in 1..<texture.description.levelCount {
            unsafe Self.write(sets[index][face][level - 1], texture, face: face, level: level, sampler, device)
          }
        }
      }
    } catch {
      unsafe device.vk.pointee.DestroyDescriptorPool(device.handle, pool, nil)
      throw error
    }
    unsafe self.sets = sets
  }

  private static func createPool(_ count: Int, _ device: Device) throws(RenderError) -> VkDescriptorPool {
    var created: VkDescriptorPool?
    let result = withCallMemory { memory in
      let sizes = [VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE].map {
        VkDescriptorPoolSize(type: $0, descriptorCount: UInt32(max(1, count)))
      }
      var info = unsafe VkDescriptorPoolCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
      unsafe info.maxSets = UInt32(max(1, count))
      unsafe info.poolSizeCount = UInt32(sizes.count)
      unsafe info.pPoolSizes = UnsafePointer(memory.pointer(to: sizes))
      return unsafe device.vk.pointee.CreateDescriptorPool(device.handle, &info, nil, &created)
    }
    try check(result, "vkCreateDescriptorPool", "cannot make the bindings of mipmaps")
    guard let pool = unsafe created else { preconditionFailure("vkCreateDescriptorPool succeeded without a pool") }
    unsafe device.name(pool, VK_OBJECT_TYPE_DESCRIPTOR_POOL, "mipmaps")
    return unsafe pool
  }

  private static func write(
    _ set: VkDescriptorSet, _ texture: Texture, face: Int, level: Int, _ sampler: TextureSampler, _ device: Device
  ) {
    withCallMemory { memory in
      let source = unsafe VkDescriptorImageInfo(
        sampler: sampler.handle, imageView: texture.levelView(level - 1, layer: face), imageLayout: VK_IMAGE_LAYOUT_GENERAL)
      let target = unsafe VkDescriptorImageInfo(
        sampler: nil, imageView: texture.levelView(level, layer: face), imageLayout: VK_IMAGE_LAYOUT_GENERAL)
      let writes = unsafe [
        makeWrite(MipmapKernel.sourceBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, memory.pointer(to: source), set),
        makeWrite(MipmapKernel.targetBinding, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, memory.pointer(to: target), set),
      ]
      unsafe device.vk.pointee.UpdateDescriptorSets(device.handle, UInt32(writes.count), writes, 0, nil)
    }
  }

  private static func makeWrite(
    _ binding: Int, _ type: VkDescriptorType, _ image: UnsafeMutablePointer<VkDescriptorImageInfo>, _ set: VkDescriptorSet
  ) -> VkWriteDescriptorSet {
    var write = unsafe VkWriteDescriptorSet()
    unsafe write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
    unsafe write.dstSet = unsafe set
    unsafe write.dstBinding = UInt32(binding)
    unsafe write.descriptorCount = 1
    unsafe write.descriptorType = type
    unsafe write.pImageInfo = unsafe UnsafePointer(image)
    return unsafe write
  }

  /// Records the dispatches for a texture, all of which has to be in the general layout; `index` is that of its memory.
  func record(_ texture: Texture, at index: Int, _ commands: CommandBuffer) {
    let vk = unsafe device.vk
    unsafe vk.pointee.CmdBindPipeline(commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle)
    for level in 1..<texture.description.levelCount {
      let before = texture.description.size(ofLevel: level - 1), size = texture.description.size(ofLevel: level)
      let words = MipmapKernel.pushConstants(texture.description.format, below: before)
      unsafe vk.pointee.CmdPushConstants(
        commands.handle, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT.rawValue, 0, UInt32(words.count * 4), words)
      for face in 0..<texture.description.arrayLayerCount {
        var set: VkDescriptorSet? = unsafe sets[index][face][level - 1]
        unsafe vk.pointee.CmdBindDescriptorSets(
          commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &set, 0, nil)
        let tiles = { (side: Int) in UInt32((side + MipmapKernel.tileSide - 1) / MipmapKernel.tileSide) }
        unsafe vk.pointee.CmdDispatch(commands.handle, tiles(size.width), tiles(size.height), 1)
      }
      commands.barrier(.compute, .compute)
    }
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroyDescriptorPool(device.handle, pool, nil) }
  }
}
