internal import CVulkan
internal import EtalonDiagnostics

/// Throws when a Vulkan call failed; `action` says what could not be done, such as `cannot allocate 8 MiB for texture 'iChannel0'`.
///
/// `VK_NOT_READY`, `VK_TIMEOUT` and the other results that are not errors pass.
func check(_ result: VkResult, _ call: String, _ action: @autoclosure () -> String) throws(RenderError) {
  guard result.rawValue < 0 else { return }
  throw RenderError(result.code, action(), operation: call, underlying: result.text, help: result.help)
}

extension VkResult {
  private static let known: [(VkResult, String)] = [
    (VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"), (VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"),
    (VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED"), (VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST"),
    (VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED"), (VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT"),
    (VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT"), (VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT"),
    (VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER"), (VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS"),
    (VK_ERROR_FORMAT_NOT_SUPPORTED, "VK_ERROR_FORMAT_NOT_SUPPORTED"), (VK_ERROR_FRAGMENTED_POOL, "VK_ERROR_FRAGMENTED_POOL"),
    (VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN"), (VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY"),
    (VK_ERROR_FRAGMENTATION, "VK_ERROR_FRAGMENTATION"),
  ]

  /// The name of the constant, or the number of one that we do not know.
  var text: String { Self.known.first { $0.0 == self }?.1 ?? "VkResult \(rawValue)" }

  fileprivate var code: RenderError.Code {
    switch self {
    case VK_ERROR_INCOMPATIBLE_DRIVER, VK_ERROR_LAYER_NOT_PRESENT, VK_ERROR_EXTENSION_NOT_PRESENT, VK_ERROR_FEATURE_NOT_PRESENT,
      VK_ERROR_INITIALIZATION_FAILED, VK_ERROR_FORMAT_NOT_SUPPORTED:
      .noDevice
    case VK_ERROR_DEVICE_LOST: .deviceLost
    case VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_POOL_MEMORY, VK_ERROR_FRAGMENTED_POOL,
      VK_ERROR_FRAGMENTATION, VK_ERROR_MEMORY_MAP_FAILED, VK_ERROR_TOO_MANY_OBJECTS:
      .outOfMemory
    default: .tryAgain
    }
  }

  fileprivate var help: [String] {
    switch self {
    case VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_MEMORY_MAP_FAILED:
      ["render at a smaller size, or close other programs that use the device"]
    case VK_ERROR_DEVICE_LOST: ["the driver gave the device up; the same command may work again, or try '--device cpu'"]
    default: []
    }
  }
}
