internal import CVulkan

/// Owns one `VkDeviceMemory`, of which the pool hands out parts; mapped as long as it lives if the processor can see it.
@safe
final class MemoryBlock: @unchecked Sendable {
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
  func makeAllocation(_ block: MemoryBlock, _ range: Range<Int>) -> Allocation { Allocation(self, block, range) }
}
