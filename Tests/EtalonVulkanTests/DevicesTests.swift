import EtalonDiagnostics
import EtalonPlan
import EtalonTypes
import Glibc
import Testing

@testable import EtalonVulkan

/// The list of devices, the choice of one, and machines where there is nothing to choose from.
@Suite struct DevicesTests {
  @Test func devicesAreNumberedSoftwareLast() throws {
    let devices = try VulkanDevices.list()
    #expect(devices.map(\.index) == Array(devices.indices))
    let order = DeviceDescription.Kind.allCases
    let ranks = devices.filter { $0.unusableBecause == nil }.compactMap { order.firstIndex(of: $0.kind) }
    #expect(ranks == ranks.sorted())
    for device in devices where device.unusableBecause == nil {
      #expect(!device.name.isEmpty && !device.driverName.isEmpty && device.apiVersion.hasPrefix("1."))
      #expect(device.limits.maxTextureSide >= 4096 && device.limits.maxStorageBufferByteCount >= 1 << 27)
      #expect(device.memoryHeaps.contains { $0.byteCount > 0 } && device.subgroupSize >= 1)
    }
  }

  @Test func aDeviceIsChosenByNumberOrPartOfItsName() throws {
    let devices = try VulkanDevices()
    let name = devices.descriptions[0].name
    #expect(try devices.choose(.preferred) == 0)
    #expect(try devices.choose(DeviceChoice("0")) == 0)
    #expect(try devices.choose(DeviceChoice(name.uppercased())) == 0)
    #expect(try devices.choose(DeviceChoice(String(name.dropFirst(2).prefix(4)))) == 0)
  }

  @Test func anInstanceEndsWithItsLastUserAndTheFirstStays() throws {
    _ = try VulkanDevices()
    weak var instance: Instance?
    do {
      let devices = try VulkanDevices(validationLog: ValidationLog())
      instance = devices.instance
      #expect(instance != nil)
    }
    #expect(instance == nil)
    #expect(!(try VulkanDevices.list().isEmpty))
  }

  @Test(arguments: [("99", "error: there is no Vulkan device 99\n"), ("voodoo", "error: there is no Vulkan device named 'voodoo'\n")])
  func anUnknownDeviceListsWhatThereIs(_ text: String, _ message: String) throws {
    let devices = try VulkanDevices()
    let error = #expect(throws: RenderError.self) { try devices.choose(DeviceChoice(text)) }
    #expect(error?.code == .noDevice)
    #expect(error?.text.hasPrefix(message + "  = help: devices of this machine: 0 '\(devices.descriptions[0].name)'") == true)
  }

  @Test func theBackendSaysWhatItRunsOn() throws {
    let backend = try makeBackend()
    let device = backend.description
    #expect(backend.deviceName == device.name)
    #expect(backend.identity == "vulkan \(device.driverName) \(device.driverVersion) \(device.name)")
  }

  @Test func noLoader() throws {
    let error = #expect(throws: RenderError.self) { try VulkanLibrary(named: "/nonexistent/libvulkan.so.1") }
    #expect(
      error?.text == """
        error: cannot open the Vulkan loader '/nonexistent/libvulkan.so.1': /nonexistent/libvulkan.so.1: cannot open shared object file: \
        No such file or directory (dlopen)
          = help: install the loader: 'apt install libvulkan1' (Debian, Ubuntu), 'dnf install vulkan-loader' (Fedora), \
        'pacman -S vulkan-icd-loader' (Arch)
          = help: or render without Vulkan: '--device cpu'

        """)
    #expect(error?.code == .noDevice)
  }

  @Test func aLibraryThatIsNoLoader() {
    let error = #expect(throws: RenderError.self) { try VulkanLibrary(named: "libm.so.6") }
    #expect(error?.underlying == "it has no function vkGetInstanceProcAddr")
  }

  @Test func theEnvironmentNamesTheLoader() async {
    let result = await #expect(processExitsWith: .exitCode(69), observing: [\.standardErrorContent]) {
      unsafe setenv("ETALON_VULKAN_LIBRARY", "/nonexistent/vulkan", 1)
      Self.listAndExit()
    }
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains("'/nonexistent/vulkan'") } == true)
  }

  @Test func noDriver() async {
    let result = await #expect(processExitsWith: .exitCode(69), observing: [\.standardErrorContent]) {
      unsafe setenv("VK_ICD_FILENAMES", "/nonexistent/icd.json", 1)
      unsafe setenv("VK_DRIVER_FILES", "/nonexistent/icd.json", 1)
      Self.listAndExit()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("error: the Vulkan loader finds no driver: VK_ERROR_INCOMPATIBLE_DRIVER (vkCreateInstance)\n  = help: install a driver")
    )
  }

  private static func listAndExit() {
    do {
      _ = try VulkanDevices.list()
    } catch {
      printError(error.text)
      exit(ExitCode(error.code).rawValue)
    }
  }
}
