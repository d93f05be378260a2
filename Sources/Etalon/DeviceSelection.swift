internal import EtalonCPU
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonVulkan

/// The executor that renders, and how it was chosen.
enum DeviceSelection: Sendable {
  case cpu(CPUBackend)
  case vulkan(VulkanBackend)

  /// What `--device` calls Etalon's own executor.
  static let cpuName = "cpu"

  /// Opens the device that a text names: `cpu`, or the number or a part of the name of a Vulkan device.
  ///
  /// Without a text a graphics unit comes first; on a machine that has none, Etalon's own executor: it gives the same bits everywhere.
  init(_ text: String?, timeout: Duration?) throws(RenderError) {
    if text == Self.cpuName {
      self = .cpu(CPUBackend(.init(timeout: timeout)))
    } else if let text {
      self = .vulkan(try VulkanBackend(DeviceChoice(text), options: .init(timeout: timeout)))
    } else if let devices = Self.devicesWithGraphicsUnit() {
      self = .vulkan(try VulkanBackend(.preferred, of: devices, options: .init(timeout: timeout)))
    } else {
      self = .cpu(CPUBackend(.init(timeout: timeout)))
    }
  }

  /// The Vulkan devices, if the first of them is more than a software driver.
  private static func devicesWithGraphicsUnit() -> VulkanDevices? {
    guard let devices = try? VulkanDevices(), let first = devices.descriptions.first, first.unusableBecause == nil, first.kind != .cpu
    else {
      return nil
    }
    return devices
  }

  var backend: any Backend {
    switch self {
    case .cpu(let backend): backend
    case .vulkan(let backend): backend
    }
  }

  /// Throws when a validation layer that was asked for had anything to say.
  func checkValidation() throws(RenderError) {
    if case .vulkan(let backend) = self { try backend.checkValidation() }
  }
}
