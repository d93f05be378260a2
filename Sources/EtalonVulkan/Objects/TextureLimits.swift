internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Which formats the textures of a device can have; `PlanLimits` looks at their sizes.
struct TextureLimits {
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
  var imageType: VkImageType {
    if case .volume = self { VK_IMAGE_TYPE_3D } else { VK_IMAGE_TYPE_2D }
  }

  var viewType: VkImageViewType {
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
