internal import EtalonCPU
internal import EtalonDiagnostics
internal import EtalonVulkan

/// The devices that can render, as text for a person.
package enum DeviceList {
  /// What would be used and why, then Etalon's own executor and every Vulkan device with what it lacks.
  ///
  /// A machine without Vulkan has the executor alone; the text then says why there is nothing else.
  package static func text() -> String {
    do throws(RenderError) {
      let devices = try VulkanDevices.list()
      return choice(devices) + "\n\n" + executor + "\n" + devices.map(text).joined(separator: "\n")
    } catch {
      return choice([]) + "\n\n" + executor + "\nNo Vulkan device: \(error.message)\n" + error.help.map { "   help      \($0)\n" }.joined()
    }
  }

  /// What `--device` calls Etalon's own executor and every Vulkan device, each with its name.
  package static func options() -> [(option: String, name: String)] {
    let devices = (try? VulkanDevices.list()) ?? []
    return [(DeviceSelection.cpuName, CPUBackend().deviceName)] + devices.map { ("\($0.index)", $0.name) }
  }

  private static func choice(_ devices: [DeviceDescription]) -> String {
    if let preferred = devices.first, preferred.isGraphicsUnit {
      return "Without --device, device \(preferred.index) is used: graphics units come first."
    }
    let reason = "there is no graphics unit, and Etalon's own executor needs less time than a software driver"
    return "Without --device, '\(DeviceSelection.cpuName)' is used: \(devices.isEmpty ? "there is no Vulkan device" : reason)."
  }

  private static var executor: String {
    """
    \(DeviceSelection.cpuName)  \(CPUBackend().deviceName)
       kind      Etalon's own executor: the same bits on every machine

    """
  }

  private static func text(_ device: DeviceDescription) -> String {
    let heaps = device.memoryHeaps.map { "\(gibibytes($0.byteCount)) GiB\($0.isDeviceLocal ? " on the device" : "")" }
    var out = "\(device.index)  \(device.name)\n"
    out += "   kind      \(device.kind == .cpu ? "software driver" : device.kind.rawValue)\n"
    out += "   driver    \(device.driverName) \(device.driverVersion), Vulkan \(device.apiVersion)\n"
    out += "   memory    \(heaps.joined(separator: ", "))\n"
    out += "   limits    pictures up to \(device.limits.maxTextureSide) pixels a side as inputs, "
    out += "outputs in bands of \(device.limits.maxStorageBufferByteCount >> 20) MiB, subgroups of \(device.subgroupSize)\n"
    if let reason = device.unusableBecause { out += "   unusable  \(reason)\n" }
    for feature in device.missingFeatures { out += "   missing   \(feature.name): \(feature.cost)\n" }
    for note in device.notes { out += "   note      \(note)\n" }
    return out
  }

  private static func gibibytes(_ bytes: Int) -> String {
    let tenths = (bytes * 10) >> 30
    return "\(tenths / 10).\(tenths % 10)"
  }
}
