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
  /// Without a text the preferred Vulkan device is opened, and where there is none, Etalon's own executor.
  init(_ text: String?, timeout: Duration?) throws(RenderError) {
    if text == Self.cpuName {
      self = .cpu(CPUBackend(.init(timeout: timeout)))
    } else if let text {
      self = .vulkan(try VulkanBackend(DeviceChoice(text), options: .init(timeout: timeout)))
    } else {
      do throws(RenderError) {
        self = .vulkan(try VulkanBackend(options: .init(timeout: timeout)))
      } catch {
        guard error.code == .noDevice else { throw error }
        self = .cpu(CPUBackend(.init(timeout: timeout)))
      }
    }
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
