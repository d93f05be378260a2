internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
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
    /// The device writes, the processor reads: cached, because reading is slow otherwise.
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
  fileprivate func release(_ range: Range<Int>, of block: MemoryBlock) {
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

// MARK: Blocks

/// Owns one `VkDeviceMemory`, of which the pool hands out parts; mapped as long as it lives if the processor can see it.
@safe
private final class MemoryBlock: @unchecked Sendable {
  private let device: Device
  let handle: VkDeviceMemory
  let mapped: UnsafeMutableRawPointer?
  let isCoherent: Bool
  let kind: Kind
  /// Guarded by the pool's lock.
  var free: FreeRanges

  /// What may share a block: images and buffers are kept apart, so that their granularity does not matter.
  struct Kind: Hashable {
    let memoryType: UInt32
    let holdsImages: Bool
  }

  init(_ handle: VkDeviceMemory, byteCount: Int, kind: Kind, mapped: UnsafeMutableRawPointer?, isCoherent: Bool, on device: Device) {
    self.device = device
    unsafe self.handle = handle
    unsafe self.mapped = mapped
    self.isCoherent = isCoherent
    self.kind = kind
    free = FreeRanges(byteCount: byteCount)
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.FreeMemory(device.handle, handle, nil) }
  }
}

/// A part of a block of memory; given back when this is gone.
@safe
struct Allocation: ~Copyable {
  private let pool: MemoryPool
  private let block: MemoryBlock
  private let range: Range<Int>

  fileprivate init(_ pool: MemoryPool, _ block: MemoryBlock, _ range: Range<Int>) {
    self.pool = pool
    self.block = block
    self.range = range
  }

  var memory: VkDeviceMemory { unsafe block.handle }
  var offset: Int { range.lowerBound }
  var isCoherent: Bool { block.isCoherent }

  /// The bytes, if the processor can see them.
  var bytes: UnsafeMutableRawBufferPointer? {
    guard let mapped = unsafe block.mapped else { return nil }
    return unsafe UnsafeMutableRawBufferPointer(start: mapped + range.lowerBound, count: range.count)
  }

  deinit { pool.release(range, of: block) }
}

extension MemoryPool {
  /// Wraps a part that was just taken.
  fileprivate func makeAllocation(_ block: MemoryBlock, _ range: Range<Int>) -> Allocation { Allocation(self, block, range) }
}

/// The free parts of a block of memory, in the order of their offsets; neighbours are always merged.
struct FreeRanges: Sendable, Hashable {
  private(set) var ranges: [Range<Int>]
  private let byteCount: Int

  /// A block of which nothing is taken.
  init(byteCount: Int) {
    self.byteCount = byteCount
    ranges = [0..<byteCount]
  }

  /// Whether nothing is taken.
  var isAllFree: Bool { ranges == [0..<byteCount] }

  /// Takes the first part that fits; returns its offset, which is a multiple of `alignment`.
  mutating func take(_ count: Int, alignment: Int) -> Int? {
    for (index, range) in ranges.enumerated() {
      let start = (range.lowerBound + alignment - 1) / alignment * alignment
      guard start + count <= range.upperBound else { continue }
      let rest = [range.lowerBound..<start, start + count..<range.upperBound].filter { !$0.isEmpty }
      ranges.replaceSubrange(index...index, with: rest)
      return start
    }
    return nil
  }

  /// Gives a part back.
  mutating func give(_ part: Range<Int>) {
    let index = ranges.firstIndex { $0.lowerBound >= part.upperBound } ?? ranges.endIndex
    precondition(index == 0 || ranges[index - 1].upperBound <= part.lowerBound, "memory was given back twice")
    var merged = part
    var replaced = index..<index
    if index < ranges.endIndex, ranges[index].lowerBound == part.upperBound {
      merged = merged.lowerBound..<ranges[index].upperBound
      replaced = replaced.lowerBound..<index + 1
    }
    if index > 0, ranges[index - 1].upperBound == part.lowerBound {
      merged = ranges[index - 1].lowerBound..<merged.upperBound
      replaced = index - 1..<replaced.upperBound
    }
    ranges.replaceSubrange(replaced, with: [merged])
  }
}

// MARK: Memory of images

/// Owns memory in which an image lies, or in which several take turns: every one of them begins where it does.
@safe
final class ImageMemory: @unchecked Sendable {
  private let allocation: Allocation

  /// Memory that is large enough for each of some images, of which there is at least one.
  init(for images: [TextureImage], in pool: MemoryPool) throws(RenderError) {
    var common = VkMemoryRequirements(size: 0, alignment: 1, memoryTypeBits: .max)
    for requirements in images.map(\.requirements) {
      common.size = max(common.size, requirements.size)
      common.alignment = max(common.alignment, requirements.alignment)
      common.memoryTypeBits &= requirements.memoryTypeBits
    }
    // Vulkan promises the same types for all color images that are tiled alike, so some are left.
    let names = images.map { "'\($0.description.name)'" }.joined(separator: ", ")
    allocation = try pool.allocate(common, .device, holdsImages: true, for: images.count == 1 ? "texture \(names)" : "textures \(names)")
  }

  /// Puts an image into it.
  func bind(_ image: TextureImage, on device: Device) throws(RenderError) {
    let result = unsafe device.vk.pointee.BindImageMemory(device.handle, image.handle, allocation.memory, UInt64(allocation.offset))
    try check(result, "vkBindImageMemory", "cannot make texture '\(image.description.name)'")
  }
}
