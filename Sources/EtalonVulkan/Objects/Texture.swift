internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Owns a `VkImage` with its memory, a view of everything for sampling and views of level 0 for storing.
@safe
final class Texture: @unchecked Sendable {
  private let device: Device
  let description: Plan.Texture
  let image: VkImage
  private let allocation: Allocation
  private(set) var sampledView: VkImageView?
  /// By face for cubes, otherwise one: level 0, and every level of textures whose levels are made on the device.
  private var storageViews: [[VkImageView?]] = unsafe []

  init(_ description: Plan.Texture, in pool: MemoryPool) throws(RenderError) {
    let device = pool.device
    try TextureLimits(of: device).check(description)
    let image = unsafe try Self.createImage(description, device)
    var requirements = VkMemoryRequirements()
    unsafe device.vk.pointee.GetImageMemoryRequirements(device.handle, image, &requirements)
    let name = "texture '\(description.name)'"
    do {
      let allocation = try pool.allocate(requirements, .device, holdsImages: true, for: name)
      let result = unsafe device.vk.pointee.BindImageMemory(device.handle, image, allocation.memory, UInt64(allocation.offset))
      try check(result, "vkBindImageMemory", "cannot make \(name)")
      self.allocation = allocation
    } catch {
      unsafe device.vk.pointee.DestroyImage(device.handle, image, nil)
      throw error
    }
    self.device = device
    self.description = description
    unsafe self.image = image
    unsafe sampledView = try makeView(description.shape.viewType, everything)
    guard description.isStored else { return }
    for layer in 0..<(description.shape == .cube ? 6 : 1) {
      let type = description.shape == .cube ? VK_IMAGE_VIEW_TYPE_2D : description.shape.viewType
      unsafe storageViews.append([])
      for level in 0..<(description.shape.isVolume ? 1 : description.levelCount) {
        unsafe storageViews[layer].append(try makeView(type, range(levels: level..<level + 1, layers: layer..<layer + 1)))
      }
    }
  }

  private static func createImage(_ texture: Plan.Texture, _ device: Device) throws(RenderError) -> VkImage {
    var info = unsafe VkImageCreateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO
    unsafe info.flags = texture.shape == .cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT.rawValue : 0
    unsafe info.imageType = texture.shape.imageType
    unsafe info.format = texture.format.vulkan
    unsafe info.extent = VkExtent3D(
      width: UInt32(texture.size.width), height: UInt32(texture.size.height), depth: UInt32(texture.depth))
    unsafe info.mipLevels = UInt32(texture.levelCount)
    unsafe info.arrayLayers = UInt32(texture.arrayLayerCount)
    unsafe info.samples = VK_SAMPLE_COUNT_1_BIT
    unsafe info.tiling = VK_IMAGE_TILING_OPTIMAL
    unsafe info.usage =
      VK_IMAGE_USAGE_SAMPLED_BIT.rawValue | VK_IMAGE_USAGE_TRANSFER_DST_BIT.rawValue
      | (texture.isStored ? VK_IMAGE_USAGE_STORAGE_BIT.rawValue : 0) | (texture.isKept ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT.rawValue : 0)
    unsafe info.sharingMode = VK_SHARING_MODE_EXCLUSIVE
    unsafe info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED
    var image: VkImage?
    let result = unsafe device.vk.pointee.CreateImage(device.handle, &info, nil, &image)
    try check(result, "vkCreateImage", "cannot make texture '\(texture.name)' of \(texture.size)")
    guard let image = unsafe image else { preconditionFailure("vkCreateImage succeeded without an image") }
    unsafe device.name(image, VK_OBJECT_TYPE_IMAGE, texture.name)
    return unsafe image
  }

  private func makeView(_ type: VkImageViewType, _ range: VkImageSubresourceRange) throws(RenderError) -> VkImageView? {
    var info = unsafe VkImageViewCreateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO
    unsafe info.image = image
    unsafe info.viewType = type
    unsafe info.format = description.format.vulkan
    unsafe info.subresourceRange = range
    var view: VkImageView?
    let result = unsafe device.vk.pointee.CreateImageView(device.handle, &info, nil, &view)
    try check(result, "vkCreateImageView", "cannot make texture '\(description.name)'")
    unsafe device.name(view, VK_OBJECT_TYPE_IMAGE_VIEW, "\(description.name), \(range.levelCount) levels")
    return unsafe view
  }

  /// What kernels write: a face of a cube, otherwise level 0.
  func storageView(layer: Int) -> VkImageView? { unsafe storageViews[layer][0] }

  /// One level of a face of a cube or of a flat texture.
  func levelView(_ level: Int, layer: Int) -> VkImageView? { unsafe storageViews[layer][level] }

  /// All levels and faces, as Vulkan's structures want them.
  var everything: VkImageSubresourceRange { range(levels: 0..<description.levelCount, layers: 0..<description.arrayLayerCount) }

  private func range(levels: Range<Int>, layers: Range<Int>) -> VkImageSubresourceRange {
    VkImageSubresourceRange(
      aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, baseMipLevel: UInt32(levels.lowerBound), levelCount: UInt32(levels.count),
      baseArrayLayer: UInt32(layers.lowerBound), layerCount: UInt32(layers.count))
  }

  deinit {
    guard !device.isAbandoned else { return }
    unsafe device.vk.pointee.DestroyImageView(device.handle, sampledView, nil)
    let views = unsafe Array(storageViews.joined())
    for index in unsafe views.indices { unsafe device.vk.pointee.DestroyImageView(device.handle, views[index], nil) }
    unsafe device.vk.pointee.DestroyImage(device.handle, image, nil)
  }
}

extension Texture {
  /// Level 0 of all faces and slices, one after the other without padding.
  var wholeFirstLevel: VkBufferImageCopy {
    var copy = VkBufferImageCopy()
    copy.imageSubresource.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT.rawValue
    copy.imageSubresource.layerCount = UInt32(description.arrayLayerCount)
    copy.imageExtent = VkExtent3D(
      width: UInt32(description.size.width), height: UInt32(description.size.height), depth: UInt32(description.depth))
    return copy
  }
}
