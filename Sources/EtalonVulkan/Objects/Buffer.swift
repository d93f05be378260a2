internal import CVulkan
internal import EtalonDiagnostics

/// Owns a `VkBuffer` with its memory.
@safe
final class Buffer: @unchecked Sendable {
  private let device: Device
  let handle: VkBuffer
  let byteCount: Int
  private let allocation: Allocation

  /// Makes a buffer; `name` is what it is for, such as `the uniforms of frame slot 1`.
  init(byteCount: Int, usage: VkBufferUsageFlagBits, _ use: MemoryPool.Use, name: String, in pool: MemoryPool) throws(RenderError) {
    let device = pool.device
    var info = unsafe VkBufferCreateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO
    unsafe info.size = UInt64(byteCount)
    // A buffer for the device alone is filled and read by copies.
    let copies = VK_BUFFER_USAGE_TRANSFER_DST_BIT.rawValue | VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue
    unsafe info.usage = usage.rawValue | (use == .device ? copies : 0)
    unsafe info.sharingMode = VK_SHARING_MODE_EXCLUSIVE
    var created: VkBuffer?
    try check(unsafe device.vk.pointee.CreateBuffer(device.handle, &info, nil, &created), "vkCreateBuffer", "cannot make \(name)")
    guard let handle = unsafe created else { preconditionFailure("vkCreateBuffer succeeded without a buffer") }
    unsafe device.name(handle, VK_OBJECT_TYPE_BUFFER, name)
    var requirements = VkMemoryRequirements()
    unsafe device.vk.pointee.GetBufferMemoryRequirements(device.handle, handle, &requirements)
    do {
      let allocation = try pool.allocate(requirements, use, holdsImages: false, for: name)
      try check(
        unsafe device.vk.pointee.BindBufferMemory(device.handle, handle, allocation.memory, UInt64(allocation.offset)),
        "vkBindBufferMemory", "cannot make \(name)")
      self.allocation = allocation
    } catch {
      unsafe device.vk.pointee.DestroyBuffer(device.handle, handle, nil)
      throw error
    }
    self.device = device
    unsafe self.handle = handle
    self.byteCount = byteCount
  }

  /// Copies bytes into the buffer, which the processor must be able to see.
  func write(_ bytes: [UInt8], at offset: Int) {
    unsafe withMutableBytes { target in
      unsafe bytes.withUnsafeBytes { unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0) }
    }
  }

  /// Runs a body with the bytes, which the processor must be able to see.
  func withMutableBytes<Failure: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    guard let bytes = unsafe allocation.bytes else { preconditionFailure("a buffer that the processor cannot see") }
    try unsafe body(UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]))
  }

  /// Makes what the device wrote visible to the processor; nothing to do for coherent memory.
  func invalidate() throws(RenderError) {
    guard !allocation.isCoherent, var range = unsafe mappedRange else { return }
    let result = unsafe device.vk.pointee.InvalidateMappedMemoryRanges(device.handle, 1, &range)
    try check(result, "vkInvalidateMappedMemoryRanges", "cannot read a frame back")
  }

  /// Makes what the processor wrote visible to the device; nothing to do for coherent memory.
  func flush() throws(RenderError) {
    guard !allocation.isCoherent, var range = unsafe mappedRange else { return }
    let result = unsafe device.vk.pointee.FlushMappedMemoryRanges(device.handle, 1, &range)
    try check(result, "vkFlushMappedMemoryRanges", "cannot start a frame")
  }

  private var mappedRange: VkMappedMemoryRange? {
    guard let bytes = unsafe allocation.bytes else { return nil }
    var range = unsafe VkMappedMemoryRange()
    unsafe range.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE
    unsafe range.memory = allocation.memory
    unsafe range.offset = UInt64(allocation.offset)
    unsafe range.size = UInt64(bytes.count)
    return unsafe range
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroyBuffer(device.handle, handle, nil) }
  }
}
