internal import CVulkan
package import EtalonDiagnostics
internal import EtalonSystem
internal import EtalonTypes
internal import Glibc
internal import Synchronization

/// A `VkInstance` and, with validation, the messenger that collects what the layer says.
///
/// The first instance of a loader lives as long as the process: without any, the driver would be unmapped, whose threads and exit handlers may
/// still run. All others end with their last user: each one holds threads and caches of every driver.
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
    Self.kept.withLock { kept in
      if kept[library.name] == nil { kept[library.name] = self }
    }
  }

  /// The first instance of each loader, by the loader's name.
  private static let kept = Mutex<[String: Instance]>([:])

  deinit {
    if let messenger = unsafe messenger { unsafe vk.pointee.DestroyDebugUtilsMessengerEXT?(handle, messenger, nil) }
    LoaderLock.with { unsafe vk.pointee.DestroyInstance(handle, nil) }
    unsafe vk.deallocate()
  }

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

// MARK: The loader

/// The Vulkan loader, opened at run time and never closed.
@safe
final class VulkanLibrary: @unchecked Sendable {
  let name: String
  let vk: UnsafeMutablePointer<EtalonLoaderFunctions>

  /// Opens the loader of this machine, or the library that `ETALON_VULKAN_LIBRARY` names.
  init(named name: String? = environmentValue("ETALON_VULKAN_LIBRARY")) throws(RenderError) {
    let library = name ?? "libvulkan.so.1"
    self.name = library
    unsafe vk = .allocate(capacity: 1)
    try AddressSpace.require(AddressSpace.leastForDriver, for: "a Vulkan driver", help: ["or render without Vulkan: '--device cpu'"])
    guard let failure = unsafe etalon_vulkan_open(library, vk) else { return }
    // From here on the deinitialiser runs, also when this throws.
    throw RenderError(
      .noDevice, "cannot open the Vulkan loader '\(library)'", operation: "dlopen", underlying: unsafe String(cString: failure),
      help: [
        "install the loader: 'apt install libvulkan1' (Debian, Ubuntu), 'dnf install vulkan-loader' (Fedora), "
          + "'pacman -S vulkan-icd-loader' (Arch)",
        "or render without Vulkan: '--device cpu'",
      ])
  }

  deinit { unsafe vk.deallocate() }
}

/// The value of an environment variable, nil when it is unset or empty.
func environmentValue(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}

// MARK: The validation layer

/// What the validation layer said about our use of Vulkan.
///
/// **Concurrency**: safe to use from any thread; messages arrive on the thread whose call they are about.
package final class ValidationLog: Sendable {
  private let collected = Mutex<[String]>([])

  package init() {}

  /// Warnings and errors since the last check, in the order in which they came.
  package var messages: [String] { collected.withLock { $0 } }

  /// Throws when there was any message since the last time: each one is a defect of Etalon.
  package func check() throws(RenderError) {
    let messages = collected.withLock { collected in
      defer { collected = [] }
      return collected
    }
    guard !messages.isEmpty else { return }
    throw RenderError(.internalError, "the Vulkan validation layer has \(messages.count.of("complaint"))", help: messages)
  }

  fileprivate func add(_ message: String) {
    collected.withLock { $0.append(message) }
  }
}

/// What the debug extension calls for every message; `user` is the unretained log, which the instance keeps alive.
private func makeMessengerInfo(for log: ValidationLog) -> VkDebugUtilsMessengerCreateInfoEXT {
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
