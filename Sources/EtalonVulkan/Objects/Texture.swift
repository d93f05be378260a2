internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Owns a `VkImage` with its memory, a view of all levels for sampling and one of level 0 for storing.
@safe
final class Texture: @unchecked Sendable {
  private let device: Device
  let description: Plan.Texture
  let levelCount: Int
  let image: VkImage
  private let allocation: Allocation
  private(set) var sampledView: VkImageView?
  private(set) var storageView: VkImageView?

  init(_ description: Plan.Texture, in pool: MemoryPool) throws(RenderError) {
    let device = pool.device
    guard !(description.isWritten && description.isMipmapped) else {
      throw RenderError(.noDevice, "mipmaps of texture '\(description.name)', which a pass writes, are made by '--device cpu' only")
    }
    try Self.checkLimits(description, device)
    let levelCount = description.isMipmapped ? MipmapChain.levelCount(of: description.size) : 1
    let image = unsafe try Self.createImage(description, levelCount, device)
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
    self.levelCount = levelCount
    unsafe self.image = image
    unsafe sampledView = try makeView(levelCount: levelCount)
    if description.isWritten { unsafe storageView = try makeView(levelCount: 1) }
  }

  private static func checkLimits(_ texture: Plan.Texture, _ device: Device) throws(RenderError) {
    let limit = Int(device.physical.properties.limits.maxImageDimension2D)
    guard max(texture.size.width, texture.size.height) <= limit else {
      throw RenderError(
        .invalidInput, "texture '\(texture.name)' is \(texture.size), and '\(device.physical.name)' takes at most \(limit) pixels a side",
        help: ["make the picture smaller"])
    }
    var properties = VkFormatProperties()
    unsafe device.instance.vk.pointee.GetPhysicalDeviceFormatProperties(device.physical.handle, texture.format.vulkan, &properties)
    var needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT.rawValue | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT.rawValue
    if texture.isWritten { needed |= VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT.rawValue }
    guard properties.optimalTilingFeatures & needed == needed else {
      let verb = texture.isWritten ? "read and write" : "read"
      throw RenderError(
        .noDevice, "'\(device.physical.name)' cannot \(verb) textures of format \(texture.format.rawValue), which '\(texture.name)' has",
        help: ["choose another device: 'etalon devices' lists them"])
    }
  }

  private static func createImage(_ texture: Plan.Texture, _ levelCount: Int, _ device: Device) throws(RenderError) -> VkImage {
    var info = unsafe VkImageCreateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO
    unsafe info.imageType = VK_IMAGE_TYPE_2D
    unsafe info.format = texture.format.vulkan
    unsafe info.extent = VkExtent3D(width: UInt32(texture.size.width), height: UInt32(texture.size.height), depth: 1)
    unsafe info.mipLevels = UInt32(levelCount)
    unsafe info.arrayLayers = 1
    unsafe info.samples = VK_SAMPLE_COUNT_1_BIT
    unsafe info.tiling = VK_IMAGE_TILING_OPTIMAL
    unsafe info.usage =
      VK_IMAGE_USAGE_SAMPLED_BIT.rawValue
      | (texture.isWritten ? VK_IMAGE_USAGE_STORAGE_BIT.rawValue : VK_IMAGE_USAGE_TRANSFER_DST_BIT.rawValue)
    unsafe info.sharingMode = VK_SHARING_MODE_EXCLUSIVE
    unsafe info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED
    var image: VkImage?
    let result = unsafe device.vk.pointee.CreateImage(device.handle, &info, nil, &image)
    try check(result, "vkCreateImage", "cannot make texture '\(texture.name)' of \(texture.size)")
    guard let image = unsafe image else { preconditionFailure("vkCreateImage succeeded without an image") }
    unsafe device.name(image, VK_OBJECT_TYPE_IMAGE, texture.name)
    return unsafe image
  }

  private func makeView(levelCount: Int) throws(RenderError) -> VkImageView? {
    var info = unsafe VkImageViewCreateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO
    unsafe info.image = image
    unsafe info.viewType = VK_IMAGE_VIEW_TYPE_2D
    unsafe info.format = description.format.vulkan
    unsafe info.subresourceRange = levels(0..<levelCount)
    var view: VkImageView?
    let result = unsafe device.vk.pointee.CreateImageView(device.handle, &info, nil, &view)
    try check(result, "vkCreateImageView", "cannot make texture '\(description.name)'")
    unsafe device.name(view, VK_OBJECT_TYPE_IMAGE_VIEW, "\(description.name), \(levelCount) levels")
    return unsafe view
  }

  /// Some levels, as Vulkan's structures want them.
  func levels(_ levels: Range<Int>) -> VkImageSubresourceRange {
    VkImageSubresourceRange(
      aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, baseMipLevel: UInt32(levels.lowerBound), levelCount: UInt32(levels.count),
      baseArrayLayer: 0, layerCount: 1)
  }

  deinit {
    guard !device.isAbandoned else { return }
    unsafe device.vk.pointee.DestroyImageView(device.handle, sampledView, nil)
    unsafe device.vk.pointee.DestroyImageView(device.handle, storageView, nil)
    unsafe device.vk.pointee.DestroyImage(device.handle, image, nil)
  }
}

extension Plan.Texture {
  /// Whether kernels write it.
  var isWritten: Bool { role == .transient }
}
