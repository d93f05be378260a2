internal import CVulkan
internal import EtalonDiagnostics

/// Owns a `VkCommandPool` with one command buffer, so that buffers can be recorded on any thread.
@safe
final class CommandBuffer: @unchecked Sendable {
  let device: Device
  private let pool: VkCommandPool
  let handle: VkCommandBuffer

  init(name: String, on device: Device) throws(RenderError) {
    var poolInfo = unsafe VkCommandPoolCreateInfo()
    unsafe poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO
    unsafe poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT.rawValue
    unsafe poolInfo.queueFamilyIndex = device.physical.queueFamily ?? 0
    var created: VkCommandPool?
    let result = unsafe device.vk.pointee.CreateCommandPool(device.handle, &poolInfo, nil, &created)
    try check(result, "vkCreateCommandPool", "cannot make commands for \(name)")
    guard let pool = unsafe created else { preconditionFailure("vkCreateCommandPool succeeded without a pool") }
    var info = unsafe VkCommandBufferAllocateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO
    unsafe info.commandPool = pool
    unsafe info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY
    unsafe info.commandBufferCount = 1
    var buffer: VkCommandBuffer?
    let allocated = unsafe device.vk.pointee.AllocateCommandBuffers(device.handle, &info, &buffer)
    guard allocated == VK_SUCCESS, let handle = unsafe buffer else {
      unsafe device.vk.pointee.DestroyCommandPool(device.handle, pool, nil)
      try check(allocated, "vkAllocateCommandBuffers", "cannot make commands for \(name)")
      preconditionFailure("vkAllocateCommandBuffers succeeded without a buffer")
    }
    unsafe device.name(pool, VK_OBJECT_TYPE_COMMAND_POOL, name)
    unsafe device.name(handle, VK_OBJECT_TYPE_COMMAND_BUFFER, name)
    self.device = device
    unsafe self.pool = pool
    unsafe self.handle = handle
  }

  /// Records anew what the body says; `once` for commands that are submitted once.
  func record(once: Bool, _ body: () -> Void) throws(RenderError) {
    var info = unsafe VkCommandBufferBeginInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
    unsafe info.flags = once ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT.rawValue : 0
    try check(unsafe device.vk.pointee.BeginCommandBuffer(handle, &info), "vkBeginCommandBuffer", "cannot record commands")
    body()
    try check(unsafe device.vk.pointee.EndCommandBuffer(handle), "vkEndCommandBuffer", "cannot record commands")
  }

  /// Makes what was written before visible to what reads or writes after; moves textures to other layouts on the way.
  func barrier(_ before: Access, _ after: Access, _ moves: [LayoutMove] = []) {
    withCallMemory { memory in
      var all = unsafe VkMemoryBarrier()
      unsafe all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER
      unsafe all.srcAccessMask = before.mask
      unsafe all.dstAccessMask = after.mask
      let images = unsafe moves.map { unsafe $0.barrier(before, after) }
      unsafe device.vk.pointee.CmdPipelineBarrier(
        handle, before.stage, after.stage, 0, 1, UnsafePointer(memory.pointer(to: all)), 0, nil, UInt32(images.count),
        UnsafePointer(memory.pointer(to: images)))
    }
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroyCommandPool(device.handle, pool, nil) }
  }
}

/// One kind of access to memory, by one stage.
enum Access {
  case compute, upload, download, host
  /// Kernels, clears and fills: whatever the steps of a plan do.
  case work

  fileprivate var stage: VkPipelineStageFlags {
    switch self {
    case .compute: VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue
    case .upload, .download: VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue
    case .host: VK_PIPELINE_STAGE_HOST_BIT.rawValue
    case .work: VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue | VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue
    }
  }

  fileprivate var mask: VkAccessFlags {
    switch self {
    case .compute: VK_ACCESS_SHADER_READ_BIT.rawValue | VK_ACCESS_SHADER_WRITE_BIT.rawValue
    case .upload: VK_ACCESS_TRANSFER_WRITE_BIT.rawValue
    case .download: VK_ACCESS_TRANSFER_READ_BIT.rawValue | VK_ACCESS_TRANSFER_WRITE_BIT.rawValue
    case .host: VK_ACCESS_HOST_READ_BIT.rawValue
    case .work:
      VK_ACCESS_SHADER_READ_BIT.rawValue | VK_ACCESS_SHADER_WRITE_BIT.rawValue | VK_ACCESS_TRANSFER_WRITE_BIT.rawValue
    }
  }
}

/// A texture that changes its layout.
struct LayoutMove {
  let texture: Texture
  let from: VkImageLayout
  let to: VkImageLayout

  fileprivate func barrier(_ before: Access, _ after: Access) -> VkImageMemoryBarrier {
    var barrier = unsafe VkImageMemoryBarrier()
    unsafe barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER
    // Also for a texture that holds nothing yet: another one may have been written in the same memory.
    unsafe barrier.srcAccessMask = before.mask
    unsafe barrier.dstAccessMask = after.mask
    unsafe barrier.oldLayout = from
    unsafe barrier.newLayout = to
    unsafe barrier.srcQueueFamilyIndex = etalon_queue_family_ignored
    unsafe barrier.dstQueueFamilyIndex = etalon_queue_family_ignored
    unsafe barrier.image = texture.image
    unsafe barrier.subresourceRange = texture.everything
    return unsafe barrier
  }
}
