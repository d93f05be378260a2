internal import CVulkan
internal import EtalonDiagnostics
internal import Synchronization

/// Hands out parts of a few large allocations, because drivers limit how many there may be and are slow to make them.
///
/// Requests above a quarter of the block size get an allocation of their own.
@safe
final class MemoryPool: @unchecked Sendable {
  /// Who reads and writes the memory.
  enum Use {
    /// The device alone.
    case device
    /// The processor writes, the device reads.
    case upload
    /// The device writes, the processor reads: cached, or reading would crawl.
    case readback
  }

  let device: Device
  private let blocks = Mutex<[MemoryBlock]>([])
  private static let blockByteCount = 16 << 20

  init(on device: Device) { self.device = device }

  /// Memory for something with these requirements; `name` is what it is for, in messages.
  func allocate(_ requirements: VkMemoryRequirements, _ use: Use, holdsImages: Bool, for name: String) throws(RenderError) -> Allocation {
    guard let type = memoryType(requirements.memoryTypeBits, use) else {
      throw RenderError(.noDevice, "'\(device.physical.name)' has no memory for \(name)")
    }
    let kind = MemoryBlock.Kind(memoryType: type, holdsImages: holdsImages)
    // Whole atoms, so that ranges of neighbours can be made visible to the processor one by one.
    let atom = Int(device.physical.properties.limits.nonCoherentAtomSize)
    let alignment = max(Int(requirements.alignment), atom)
    let count = (Int(requirements.size) + atom - 1) / atom * atom
    let found = try blocks.withLock { blocks throws(RenderError) -> (block: MemoryBlock, offset: Int) in
      for block in blocks where block.kind == kind {
        if let offset = block.free.take(count, alignment: alignment) { return (block, offset) }
      }
      guard blocks.count < device.physical.properties.limits.maxMemoryAllocationCount else {
        throw RenderError(
          .outOfMemory, "'\(device.physical.name)' allows no more than \(blocks.count) allocations; none is left for \(name)")
      }
      let block = try makeBlock(kind, count > Self.blockByteCount / 4 ? count : Self.blockByteCount, for: name)
      guard let offset = block.free.take(count, alignment: alignment) else { preconditionFailure("a new block is too small") }
      blocks.append(block)
      return (block, offset)
    }
    return makeAllocation(found.block, found.offset..<found.offset + count)
  }

  /// Gives a part back; a block of which nothing is taken goes back to the driver.
  func release(_ range: Range<Int>, of block: MemoryBlock) {
    blocks.withLock { blocks in
      block.free.give(range)
      if block.free.isAllFree { blocks.removeAll { $0 === block } }
    }
  }

  private func makeBlock(_ kind: MemoryBlock.Kind, _ byteCount: Int, for name: String) throws(RenderError) -> MemoryBlock {
    let action = "cannot allocate \(byteCount >> 10) KiB on '\(device.physical.name)' for \(name)"
    guard byteCount <= device.physical.maxAllocationByteCount else {
      throw RenderError(
        .outOfMemory, action, underlying: "the device allows at most \(device.physical.maxAllocationByteCount >> 10) KiB in one piece",
        help: ["render at a smaller size"])
    }
    var info = unsafe VkMemoryAllocateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
    unsafe info.allocationSize = UInt64(byteCount)
    unsafe info.memoryTypeIndex = kind.memoryType
    var handle: VkDeviceMemory?
    try check(unsafe device.vk.pointee.AllocateMemory(device.handle, &info, nil, &handle), "vkAllocateMemory", action)
    guard let handle = unsafe handle else { preconditionFailure("vkAllocateMemory succeeded without memory") }
    unsafe device.name(handle, VK_OBJECT_TYPE_DEVICE_MEMORY, "block of type \(kind.memoryType), \(byteCount >> 10) KiB")
    let flags = device.physical.memoryFlags(kind.memoryType)
    var mapped: UnsafeMutableRawPointer?
    if flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue != 0, !kind.holdsImages {
      try check(
        unsafe device.vk.pointee.MapMemory(device.handle, handle, 0, etalon_whole_size, 0, &mapped), "vkMapMemory",
        "cannot map memory for \(name)")
    }
    return unsafe MemoryBlock(
      handle, byteCount: byteCount, kind: kind, mapped: mapped,
      isCoherent: flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue != 0, on: device)
  }

  /// How much memory of the kind there is on the device, in bytes.
  func capacity(for use: Use) -> Int {
    guard let type = memoryType(.max, use) else { return 0 }
    return device.physical.heapByteCount(ofType: type)
  }

  /// The first type that the bits allow, of the kind that suits the use best.
  private func memoryType(_ allowed: UInt32, _ use: Use) -> UInt32? {
    let local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue
    let visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue
    let coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
    let cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT.rawValue
    let wishes: [(has: UInt32, lacks: UInt32)] =
      switch use {
      case .device: [(local, 0), (0, 0)]
      case .upload: [(visible | coherent, local), (visible | coherent, 0)]
      case .readback: [(visible | cached | coherent, 0), (visible | cached, 0), (visible | coherent, 0)]
      }
    for wish in wishes {
      for type in 0..<device.physical.memory.memoryTypeCount where allowed & (1 << type) != 0 {
        let flags = device.physical.memoryFlags(type)
        if flags & wish.has == wish.has, flags & wish.lacks == 0 { return type }
      }
    }
    return nil
  }
}

extension PhysicalDevice {
  /// The properties of a type of memory.
  func memoryFlags(_ type: UInt32) -> UInt32 {
    memoryType(type).propertyFlags
  }

  fileprivate func heapByteCount(ofType type: UInt32) -> Int {
    let index = Int(memoryType(type).heapIndex)
    return unsafe withUnsafeBytes(of: memory.memoryHeaps) { unsafe Int(clamping: $0.bindMemory(to: VkMemoryHeap.self)[index].size) }
  }

  private func memoryType(_ type: UInt32) -> VkMemoryType {
    unsafe withUnsafeBytes(of: memory.memoryTypes) { unsafe $0.bindMemory(to: VkMemoryType.self)[Int(type)] }
  }
}
