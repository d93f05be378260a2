internal import CVulkan
internal import EtalonTypes

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
