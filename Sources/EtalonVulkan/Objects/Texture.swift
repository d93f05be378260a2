internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// A `VkImage` with the memory that it lies in; owns a view of everything for sampling and views of level 0 for storing.
@safe
final class Texture: @unchecked Sendable {
  private let device: Device
  private let storage: TextureImage
  private let memory: ImageMemory
  private(set) var sampledView: VkImageView?
  /// By face for cubes, otherwise one: level 0, and every level of textures whose levels are made on the device.
  private var storageViews: [[VkImageView?]] = unsafe []

  var description: Plan.Texture { storage.description }
  var image: VkImage { unsafe storage.handle }

  /// Puts an image into memory, which may be that of others too.
  private init(_ image: TextureImage, in memory: ImageMemory, on device: Device) throws(RenderError) {
    try memory.bind(image, on: device)
    self.device = device
    storage = image
    self.memory = memory
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

  /// The textures of a plan, by their indices: those of a block take turns in one piece of memory.
  static func all(of plan: Plan, in pool: MemoryPool) throws(RenderError) -> [Texture] {
    var images: [TextureImage] = []
    for texture in plan.textures { images.append(try TextureImage(texture, on: pool.device)) }
    var blocks: [Int: ImageMemory] = [:]
    for (number, indices) in plan.sharedBlocks.sorted(by: { $0.key < $1.key }) {
      blocks[number] = try ImageMemory(for: indices.map { images[$0] }, in: pool)
    }
    var textures: [Texture] = []
    for image in images {
      if let block = image.description.block, let memory = blocks[block] {
        textures.append(try Texture(image, in: memory, on: pool.device))
      } else {
        textures.append(try Texture(image, in: ImageMemory(for: [image], in: pool), on: pool.device))
      }
    }
    return textures
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

// MARK: Images

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

// MARK: Formats

/// Which formats the textures of a device can have; `PlanLimits` looks at their sizes.
private struct TextureLimits {
  private let device: Device

  init(of device: Device) { self.device = device }

  /// Throws when the device cannot have a texture of such a format.
  func check(_ texture: Plan.Texture) throws(RenderError) {
    var properties = VkFormatProperties()
    unsafe device.instance.vk.pointee.GetPhysicalDeviceFormatProperties(device.physical.handle, texture.format.vulkan, &properties)
    var needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT.rawValue | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT.rawValue
    if texture.isStored { needed |= VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT.rawValue }
    guard properties.optimalTilingFeatures & needed == needed else {
      let verb = texture.isStored ? "read and write" : "read"
      throw RenderError(
        .noDevice, "'\(device.physical.name)' cannot \(verb) textures of format \(texture.format.rawValue), which '\(texture.name)' has",
        help: [
          "choose another device: 'etalon devices' lists them",
          "or let pictures between filters have another format: '--format \(texture.format.isFloat ? "rgba32f" : "rgba16f")'",
        ])
    }
  }
}

extension Plan.Texture.Shape {
  fileprivate var imageType: VkImageType {
    if case .volume = self { VK_IMAGE_TYPE_3D } else { VK_IMAGE_TYPE_2D }
  }

  fileprivate var viewType: VkImageViewType {
    switch self {
    case .flat: VK_IMAGE_VIEW_TYPE_2D
    case .cube: VK_IMAGE_VIEW_TYPE_CUBE
    case .volume: VK_IMAGE_VIEW_TYPE_3D
    }
  }
}

extension Plan.Texture {
  /// Whether kernels write its memory, in some frame.
  var isStored: Bool { isWritten || isKept || makesStreamedMipmaps }

  /// The slices of a volume.
  var depth: Int {
    if case .volume(let depth) = shape { depth } else { 1 }
  }

  /// The faces of a cube.
  var arrayLayerCount: Int { shape == .cube ? 6 : 1 }
}

extension PixelFormat {
  /// Vulkan's name of the format.
  var vulkan: VkFormat {
    switch self {
    case .r8: VK_FORMAT_R8_UNORM
    case .rg8: VK_FORMAT_R8G8_UNORM
    case .rgba8: VK_FORMAT_R8G8B8A8_UNORM
    case .r16: VK_FORMAT_R16_UNORM
    case .rg16: VK_FORMAT_R16G16_UNORM
    case .rgba16: VK_FORMAT_R16G16B16A16_UNORM
    case .r16f: VK_FORMAT_R16_SFLOAT
    case .rg16f: VK_FORMAT_R16G16_SFLOAT
    case .rgba16f: VK_FORMAT_R16G16B16A16_SFLOAT
    case .r32f: VK_FORMAT_R32_SFLOAT
    case .rg32f: VK_FORMAT_R32G32_SFLOAT
    case .rgba32f: VK_FORMAT_R32G32B32A32_SFLOAT
    }
  }
}

// MARK: Samplers

/// Owns a `VkSampler`.
@safe
final class VulkanSampler: @unchecked Sendable {
  private let device: Device
  let handle: VkSampler

  init(_ sampler: Sampler, on device: Device) throws(RenderError) {
    let filter = sampler.interpolation == .nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR
    let isMipmapped = sampler.interpolation == .mipmap
    let mode =
      switch sampler.address {
      case .clamp: VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
      case .repeat: VK_SAMPLER_ADDRESS_MODE_REPEAT
      case .mirror: VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT
      case .transparent: VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
      }
    var info = unsafe VkSamplerCreateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO
    unsafe info.magFilter = filter
    unsafe info.minFilter = filter
    unsafe info.mipmapMode = isMipmapped ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST
    unsafe info.addressModeU = mode
    unsafe info.addressModeV = mode
    unsafe info.addressModeW = mode
    unsafe info.maxLod = isMipmapped ? etalon_lod_clamp_none : 0
    unsafe info.borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK
    var created: VkSampler?
    let name = "sampler \(sampler.interpolation.rawValue), \(sampler.address.rawValue)"
    try check(unsafe device.vk.pointee.CreateSampler(device.handle, &info, nil, &created), "vkCreateSampler", "cannot make \(name)")
    guard let handle = unsafe created else { preconditionFailure("vkCreateSampler succeeded without a sampler") }
    unsafe device.name(handle, VK_OBJECT_TYPE_SAMPLER, name)
    self.device = device
    unsafe self.handle = handle
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroySampler(device.handle, handle, nil) }
  }
}
