internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan

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
