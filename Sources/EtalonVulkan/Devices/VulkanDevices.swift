internal import CVulkan
package import EtalonDiagnostics
public import EtalonTypes

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

// MARK: What is told of them, and how one is chosen

/// A Vulkan device of this machine: what it is, what it can do, and what its shortcomings cost.
///
/// **Concurrency**: an immutable value.
public struct DeviceDescription: Sendable, Hashable {
  /// What a device is made of; in the order in which devices are preferred.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A graphics card with memory of its own.
    case gpu
    /// A graphics unit that shares the processor's memory.
    case integrated
    /// A part of a graphics card, handed to a virtual machine.
    case virtual
    /// A device of unknown kind.
    case other
    /// A software driver that runs on the processor.
    case cpu
  }

  /// One pool of memory.
  public struct MemoryHeap: Sendable, Hashable {
    /// The size in bytes.
    public let byteCount: Int
    /// Whether it lies beside the device rather than beside the processor.
    public let isDeviceLocal: Bool
  }

  /// Something that the device cannot do.
  public struct MissingFeature: Sendable, Hashable {
    /// Vulkan's name of the feature.
    public let name: String
    /// What does not work, or works differently, without it.
    public let cost: String
  }

  /// The limits that decide which pictures fit.
  public struct Limits: Sendable, Hashable {
    /// The longest side of a texture, in pixels.
    public let maxTextureSide: Int
    /// The largest storage buffer in bytes; larger outputs are rendered in bands.
    public let maxStorageBufferByteCount: Int
    /// The largest single allocation in bytes.
    public let maxAllocationByteCount: Int
    /// The largest uniform block in bytes.
    public let maxUniformBlockByteCount: Int
    /// The shared memory of a workgroup in bytes.
    public let maxSharedMemoryByteCount: Int
    /// The invocations of a workgroup.
    public let maxWorkgroupInvocations: Int
    /// How finely textures are filtered.
    public let samplerPrecision: SamplerPrecision
  }

  /// The number for `--device`: the preferred device is 0.
  public let index: Int
  /// The device's own name, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
  public let name: String
  /// What it is made of.
  public let kind: Kind
  /// The name of the driver, such as `llvmpipe` or `NVIDIA`.
  public let driverName: String
  /// The version as the driver's makers write it, such as `Mesa 22.3.6 (LLVM 15.0.6)`.
  public let driverVersion: String
  /// The version of Vulkan that it speaks, such as `1.3.230`.
  public let apiVersion: String
  /// The pools of memory.
  public let memoryHeaps: [MemoryHeap]
  /// How many invocations run in step.
  public let subgroupSize: Int
  /// The limits that decide which pictures fit.
  public let limits: Limits
  /// Why it cannot be used at all, nil for a usable device.
  public let unusableBecause: String?
  /// What it cannot do.
  public let missingFeatures: [MissingFeature]
  /// What else is worth knowing about this driver.
  public let notes: [String]
}

/// Which Vulkan device to use.
public enum DeviceChoice: Sendable, Hashable {
  /// The first usable one: a graphics card before an integrated one before a software driver.
  case preferred
  /// The device with this number in the list.
  case index(Int)
  /// The first usable device whose name, or whose driver's name, contains the text, whatever the case.
  case name(String)

  /// Reads what `--device` was given: a number, or a part of a name.
  public init(_ text: String) {
    self = Int(text).map { .index($0) } ?? .name(text)
  }
}
