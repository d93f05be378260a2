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
