internal import CVulkan
package import EtalonDiagnostics
internal import Synchronization

/// What the validation layer said about our use of Vulkan.
///
/// **Concurrency**: safe to use from any thread; messages arrive on the thread whose call they are about.
package final class ValidationLog: Sendable {
  private let collected = Mutex<[String]>([])

  package init() {}

  /// Warnings and errors, in the order in which they came.
  package var messages: [String] { collected.withLock { $0 } }

  /// Throws when there was any message: each one is a mistake of Etalon's own.
  package func check() throws(RenderError) {
    let messages = messages
    guard !messages.isEmpty else { return }
    throw RenderError(.internalError, "the Vulkan validation layer has \(messages.count) complaints", help: messages)
  }

  fileprivate func add(_ message: String) {
    collected.withLock { $0.append(message) }
  }
}

/// What the debug extension calls for every message; `user` is the unretained log, which the instance keeps alive.
func makeMessengerInfo(for log: ValidationLog) -> VkDebugUtilsMessengerCreateInfoEXT {
  var info = unsafe VkDebugUtilsMessengerCreateInfoEXT()
  unsafe info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT
  unsafe info.messageSeverity =
    VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT.rawValue | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT.rawValue
  unsafe info.messageType =
    VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT.rawValue | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT.rawValue
  unsafe info.pUserData = Unmanaged.passUnretained(log).toOpaque()
  unsafe info.pfnUserCallback = { _, _, data, user in
    guard let data = unsafe data, let user = unsafe user, let text = unsafe data.pointee.pMessage else { return VkBool32(VK_FALSE) }
    unsafe Unmanaged<ValidationLog>.fromOpaque(user).takeUnretainedValue().add(String(cString: text))
    return VkBool32(VK_FALSE)
  }
  return unsafe info
}
