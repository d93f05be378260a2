internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonSystem
internal import Glibc

/// The Vulkan loader, opened at run time and never closed.
@safe
final class VulkanLibrary: @unchecked Sendable {
  let vk: UnsafeMutablePointer<EtalonLoaderFunctions>

  /// Opens the loader of this machine, or the library that `ETALON_VULKAN_LIBRARY` names.
  init(named name: String? = environmentValue("ETALON_VULKAN_LIBRARY")) throws(RenderError) {
    unsafe vk = .allocate(capacity: 1)
    try AddressSpace.require(AddressSpace.leastForDriver, for: "a Vulkan driver", help: ["or render without Vulkan: '--device cpu'"])
    let library = name ?? "libvulkan.so.1"
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
