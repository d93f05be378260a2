internal import CVulkan
package import EtalonDiagnostics

/// The Vulkan devices of this machine: real graphics units first, software drivers last.
package struct VulkanDevices: Sendable {
  let instance: Instance
  let physicalDevices: [PhysicalDevice]

  /// Asks the loader for its devices; `validationLog` turns the validation layer on.
  ///
  /// No loader, no driver and no device are three different errors, each with what to install.
  package init(validationLog: ValidationLog? = nil) throws(RenderError) {
    try self.init(library: VulkanLibrary(), validationLog: validationLog)
  }

  init(library: VulkanLibrary, validationLog: ValidationLog?) throws(RenderError) {
    instance = try Instance(library: library, validationLog: validationLog)
    physicalDevices = try Self.enumerate(instance)
  }

  /// Descriptions of all devices, in the order of their numbers.
  package static func list() throws(RenderError) -> [DeviceDescription] {
    try VulkanDevices().descriptions
  }

  /// Descriptions of all devices, in the order of their numbers.
  package var descriptions: [DeviceDescription] {
    physicalDevices.indices.map { physicalDevices[$0].description(index: $0) }
  }

  private static func enumerate(_ instance: Instance) throws(RenderError) -> [PhysicalDevice] {
    var handles = unsafe [VkPhysicalDevice?](repeating: nil, count: 64)
    var count = UInt32(unsafe handles.count)
    let result = unsafe instance.vk.pointee.EnumeratePhysicalDevices(instance.handle, &count, &handles)
    guard result.rawValue >= 0, count > 0 else {
      throw RenderError(
        .noDevice, "the Vulkan drivers of this machine find no device", operation: "vkEnumeratePhysicalDevices",
        underlying: result.rawValue < 0 ? result.text : nil, help: Instance.driverHelp)
    }
    var devices: [PhysicalDevice] = []
    for index in 0..<Int(count) {
      if let handle = unsafe handles[index] { unsafe devices.append(PhysicalDevice(handle, instance.vk)) }
    }
    let order = DeviceDescription.Kind.allCases
    func rank(_ device: PhysicalDevice) -> Int {
      (device.unusableBecause == nil ? 0 : order.count) + (order.firstIndex(of: device.kind) ?? order.count)
    }
    return devices.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
  }

  /// The number of the device that a choice means.
  package func choose(_ choice: DeviceChoice) throws(RenderError) -> Int {
    let chosen: Int? =
      switch choice {
      case .preferred: physicalDevices.indices.first
      case .index(let index): physicalDevices.indices.contains(index) ? index : nil
      case .name(let name): physicalDevices.firstIndex { $0.matches(name) }
      }
    guard let chosen else { throw RenderError(.noDevice, "there is no Vulkan device \(choice.text)", help: [listing]) }
    if let reason = physicalDevices[chosen].unusableBecause {
      throw RenderError(.noDevice, "the Vulkan device '\(physicalDevices[chosen].name)' cannot be used: \(reason)", help: [listing])
    }
    return chosen
  }

  private var listing: String {
    let list = descriptions.map { "\($0.index) '\($0.name)'" + ($0.unusableBecause == nil ? "" : " (not usable)") }
    return "devices of this machine: " + list.joined(separator: ", ")
  }
}

extension PhysicalDevice {
  fileprivate func matches(_ text: String) -> Bool {
    let wanted = text.lowercased()
    return name.lowercased().contains(wanted) || driverName.lowercased().contains(wanted)
  }
}

extension DeviceChoice {
  fileprivate var text: String {
    switch self {
    case .preferred: "at all"
    case .index(let index): "\(index)"
    case .name(let name): "named '\(name)'"
    }
  }
}
