internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Owns a `VkImage`, which lies nowhere until it is bound to memory.
@safe
final class TextureImage: @unchecked Sendable {
  private let device: Device
  let description: Plan.Texture
  let handle: VkImage

  init(_ description: Plan.Texture, on device: Device) throws(RenderError) {
    try TextureLimits(of: device).check(description)
    self.device = device
    self.description = description
    unsafe handle = try Self.create(description, device)
  }

  /// How much memory it needs, and where.
  var requirements: VkMemoryRequirements {
    var requirements = VkMemoryRequirements()
    unsafe device.vk.pointee.GetImageMemoryRequirements(device.handle, handle, &requirements)
    return requirements
  }

  private static func create(_ texture: Plan.Texture, _ device: Device) throws(RenderError) -> VkImage {
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
      | (texture.isStored ? VK_IMAGE_USAGE_STORAGE_BIT.rawValue : 0)
      | (texture.isKept || texture.tellsNaN ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT.rawValue : 0)
    unsafe info.sharingMode = VK_SHARING_MODE_EXCLUSIVE
    unsafe info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED
    var image: VkImage?
    let result = unsafe device.vk.pointee.CreateImage(device.handle, &info, nil, &image)
    try check(result, "vkCreateImage", "cannot make texture '\(texture.name)' of \(texture.size)")
    guard let image = unsafe image else { preconditionFailure("vkCreateImage succeeded without an image") }
    unsafe device.name(image, VK_OBJECT_TYPE_IMAGE, texture.name)
    return unsafe image
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroyImage(device.handle, handle, nil) }
  }
}
