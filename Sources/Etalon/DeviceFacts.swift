internal import EtalonCPU
package import EtalonDiagnostics
package import EtalonTypes
internal import EtalonVulkan

/// What a device calls itself, for those who have to tell devices apart.
package struct DeviceFacts: Sendable, Hashable {
  /// What Etalon's own executor is called.
  package static let cpuName = "CPU executor"

  /// `cpu` or `vulkan`.
  package let backend: String
  package let name: String
  package let driver: String
  package let driverVersion: String
  /// How finely it filters textures.
  package let samplerPrecision: SamplerPrecision

  /// Whether an option makes Etalon's own executor do something differently on purpose.
  package static func makesErrors(_ option: String) -> Bool {
    option.split { $0 == ":" || $0 == "," }.contains { Perturbation($0) != nil }
  }

  /// Opens the device that `--device` would open; nil chooses.
  package init(_ option: String?) throws(RenderError) {
    switch try DeviceSelection(option, timeout: nil) {
    case .cpu:
      (backend, name, driver, driverVersion) = (DeviceSelection.cpuName, Self.cpuName, "etalon", EtalonVersion.current)
      samplerPrecision = .usual
    case .vulkan(let opened):
      let facts = opened.description
      (backend, name, driver, driverVersion) = (DeviceSelection.vulkanName, facts.name, facts.driverName, facts.driverVersion)
      samplerPrecision = facts.limits.samplerPrecision
    }
  }
}
