internal import CVulkan
internal import EtalonDiagnostics
internal import Synchronization

/// A `VkInstance` and, with validation, the messenger that collects what the layer says.
///
/// Instances live as long as the process: destroying the last one unmaps the driver, whose threads and exit handlers may still run.
@safe
final class Instance: @unchecked Sendable {
  private let library: VulkanLibrary
  let handle: VkInstance
  let vk: UnsafeMutablePointer<EtalonInstanceFunctions>
  private var messenger: VkDebugUtilsMessengerEXT?
  /// Nil without validation.
  let validationLog: ValidationLog?

  /// Makes an instance; `validationLog` turns the validation layer on.
  init(library: VulkanLibrary, validationLog: ValidationLog?) throws(RenderError) {
    let handle = unsafe try Self.create(library, validationLog)
    let vk = UnsafeMutablePointer<EtalonInstanceFunctions>.allocate(capacity: 1)
    if let missing = unsafe etalon_vulkan_load_instance(library.vk, handle, vk) {
      unsafe vk.deallocate()
      throw RenderError(.noDevice, "the Vulkan loader has no function '\(unsafe String(cString: missing))'", help: ["update the loader"])
    }
    self.library = library
    unsafe self.handle = handle
    unsafe self.vk = vk
    self.validationLog = validationLog
    if let validationLog { try addMessenger(for: validationLog) }
    Self.all.withLock { $0.append(self) }
  }

  /// Keeps every instance alive.
  private static let all = Mutex<[Instance]>([])

  private static func create(_ library: VulkanLibrary, _ validationLog: ValidationLog?) throws(RenderError) -> VkInstance {
    var handle: VkInstance?
    let result = withCallMemory { memory in
      var application = unsafe VkApplicationInfo()
      unsafe application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO
      unsafe application.pApplicationName = UnsafePointer(memory.text("etalon"))
      unsafe application.apiVersion = etalon_vulkan_api_1_3
      var info = unsafe VkInstanceCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
      unsafe info.pApplicationInfo = UnsafePointer(memory.pointer(to: application))
      if let validationLog {
        unsafe info.pNext = UnsafeRawPointer(memory.pointer(to: makeMessengerInfo(for: validationLog)))
        unsafe info.enabledLayerCount = 1
        unsafe info.ppEnabledLayerNames = UnsafePointer(memory.pointer(to: [memory.text("VK_LAYER_KHRONOS_validation")]))
        unsafe info.enabledExtensionCount = 1
        unsafe info.ppEnabledExtensionNames = UnsafePointer(memory.pointer(to: [memory.text(VK_EXT_DEBUG_UTILS_EXTENSION_NAME)]))
      }
      return LoaderLock.with { unsafe library.vk.pointee.CreateInstance(&info, nil, &handle) }
    }
    guard result == VK_SUCCESS, let handle = unsafe handle else { throw creationError(result) }
    return unsafe handle
  }

  private static func creationError(_ result: VkResult) -> RenderError {
    let (message, help) =
      switch result {
      case VK_ERROR_LAYER_NOT_PRESENT:
        ("validation was asked for and the Vulkan validation layer is not installed", ["'apt install vulkan-validationlayers'"])
      case VK_ERROR_INCOMPATIBLE_DRIVER:
        ("the Vulkan loader finds no driver", driverHelp)
      default: ("cannot start Vulkan", driverHelp)
      }
    return RenderError(.noDevice, message, operation: "vkCreateInstance", underlying: result.text, help: help)
  }

  /// What to install when there is no driver or no device.
  static let driverHelp = [
    "install a driver: the one of your graphics card, or Mesa's, which has one for the processor too: "
      + "'apt install mesa-vulkan-drivers' (Debian, Ubuntu, Fedora by dnf), 'pacman -S vulkan-swrast' (Arch)",
    "or render without Vulkan: '--device cpu'",
  ]

  private func addMessenger(for log: ValidationLog) throws(RenderError) {
    guard let create = unsafe vk.pointee.CreateDebugUtilsMessengerEXT else { return }
    var info = unsafe makeMessengerInfo(for: log)
    try unsafe check(create(handle, &info, nil, &messenger), "vkCreateDebugUtilsMessengerEXT", "cannot listen to the validation layer")
  }
}
