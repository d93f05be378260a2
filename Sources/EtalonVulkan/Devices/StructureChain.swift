internal import CVulkan

/// A `pNext` chain whose structures live as long as the chain.
@safe
final class StructureChain {
  private var links: [UnsafeMutableRawPointer] = unsafe []

  /// Appends a structure that starts with `sType` and `pNext`, as every one that may be chained does; `type` is its `sType`.
  func append<Structure: BitwiseCopyable>(_ structure: Structure, _ type: VkStructureType) -> UnsafeMutablePointer<Structure> {
    let pointer = UnsafeMutablePointer<Structure>.allocate(capacity: 1)
    unsafe pointer.initialize(to: structure)
    let link = UnsafeMutableRawPointer(pointer)
    unsafe link.assumingMemoryBound(to: VkBaseOutStructure.self).pointee.sType = type
    if let last = unsafe links.last {
      unsafe last.assumingMemoryBound(to: VkBaseOutStructure.self).pointee.pNext = link.assumingMemoryBound(to: VkBaseOutStructure.self)
    }
    unsafe links.append(link)
    return unsafe pointer
  }

  /// The first structure.
  var head: UnsafeMutableRawPointer? { unsafe links.first }

  deinit {
    for index in unsafe links.indices { unsafe links[index].deallocate() }
  }
}
