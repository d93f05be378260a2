package import EtalonDiagnostics
package import EtalonVulkan

/// The devices that can render, as text for a person.
package enum DeviceList {
  /// All devices, the preferred one first.
  package static func devices() throws(RenderError) -> [DeviceDescription] { try VulkanDevices.list() }

  /// What would be used and why, then every device with what it lacks.
  package static func text(_ devices: [DeviceDescription]) -> String {
    guard let preferred = devices.first(where: { $0.unusableBecause == nil }) else {
      return devices.map(text).joined() + "No device can be used.\n"
    }
    let reason =
      preferred.kind == .cpu ? "it is the only kind of device here" : "graphics units come before software drivers"
    return "Without --device, device \(preferred.index) is used: \(reason).\n\n" + devices.map(text).joined(separator: "\n")
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
