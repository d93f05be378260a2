internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonTypes

/// A device that the loader offers, and all that Etalon wants to know about it; asked for once.
@safe
struct PhysicalDevice: @unchecked Sendable {
  let handle: VkPhysicalDevice
  let properties: VkPhysicalDeviceProperties
  let driverName: String
  fileprivate let driverInfo: String
  let subgroupSize: Int
  fileprivate let supportsQuads: Bool
  let maxAllocationByteCount: Int
  /// The largest workgroup, in invocations, of which the size of the subgroups can be required; 0 where it cannot be.
  let requirableInvocations: Int
  let memory: VkPhysicalDeviceMemoryProperties
  /// Nil when the device speaks no Vulkan 1.2.
  let features: DeviceFeatures?
  /// The queue family for compute; one without graphics is not preferred, because it is not faster for one stream of work.
  let queueFamily: UInt32?

  init(_ handle: VkPhysicalDevice, _ vk: UnsafePointer<EtalonInstanceFunctions>) {
    unsafe self.handle = handle
    var plain = unsafe VkPhysicalDeviceProperties2()
    unsafe plain.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
    unsafe vk.pointee.GetPhysicalDeviceProperties2(handle, &plain)
    let version = unsafe plain.properties.apiVersion
    properties = unsafe plain.properties
    memory = {
      var memory = VkPhysicalDeviceMemoryProperties()
      unsafe vk.pointee.GetPhysicalDeviceMemoryProperties(handle, &memory)
      return memory
    }()
    queueFamily = unsafe Self.computeFamily(of: handle, vk)
    guard version >= etalon_vulkan_api_1_2 else {
      (driverName, driverInfo, subgroupSize, supportsQuads) = ("", "", 0, false)
      (maxAllocationByteCount, requirableInvocations, features) = (0, 0, nil)
      return
    }
    let extensions = unsafe Self.extensions(of: handle, vk)
    let features = unsafe DeviceFeatures(of: handle, apiVersion: version, extensions: extensions, vk)
    let chain = StructureChain()
    let head = unsafe chain.append(VkPhysicalDeviceProperties2(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2)
    let vulkan11 = unsafe chain.append(VkPhysicalDeviceVulkan11Properties(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
    let vulkan12 = unsafe chain.append(VkPhysicalDeviceVulkan12Properties(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES)
    let sizeControl =
      features.subgroupSizeControl
      ? unsafe chain.append(
        VkPhysicalDeviceSubgroupSizeControlProperties(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) : nil
    unsafe vk.pointee.GetPhysicalDeviceProperties2(handle, head)
    driverName = unsafe text(of: vulkan12.pointee.driverName)
    driverInfo = unsafe text(of: vulkan12.pointee.driverInfo)
    subgroupSize = unsafe Int(vulkan11.pointee.subgroupSize)
    supportsQuads =
      unsafe vulkan11.pointee.subgroupSupportedOperations & VK_SUBGROUP_FEATURE_QUAD_BIT.rawValue != 0
      && vulkan11.pointee.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT.rawValue != 0
    maxAllocationByteCount = unsafe Int(clamping: vulkan11.pointee.maxMemoryAllocationSize)
    let control = unsafe sizeControl?.pointee
    let isRequirable = unsafe (control?.requiredSubgroupSizeStages ?? 0) & VK_SHADER_STAGE_COMPUTE_BIT.rawValue != 0
    requirableInvocations = isRequirable ? subgroupSize * Int(unsafe control?.maxComputeWorkgroupSubgroups ?? 0) : 0
    self.features = features
  }

  /// What plans can use up.
  var limits: DeviceLimits { DeviceLimits(properties.limits) }

  /// The device's own name.
  var name: String { text(of: properties.deviceName) }

  /// Why the device cannot be used, nil if it can.
  var unusableBecause: String? {
    guard let features else { return "it speaks Vulkan \(versionText(properties.apiVersion)), and 1.2 is needed" }
    if queueFamily == nil { return "it has no compute queue" }
    if !features.timelineSemaphore { return "it has no timeline semaphores" }
    if properties.limits.maxComputeWorkGroupInvocations < 256 {
      return "its workgroups have at most \(properties.limits.maxComputeWorkGroupInvocations) invocations, and 256 are needed"
    }
    return nil
  }

  private static func computeFamily(of device: VkPhysicalDevice, _ vk: UnsafePointer<EtalonInstanceFunctions>) -> UInt32? {
    var count: UInt32 = 0
    unsafe vk.pointee.GetPhysicalDeviceQueueFamilyProperties(device, &count, nil)
    var families = [VkQueueFamilyProperties](repeating: VkQueueFamilyProperties(), count: Int(count))
    unsafe vk.pointee.GetPhysicalDeviceQueueFamilyProperties(device, &count, &families)
    return families.firstIndex { $0.queueCount > 0 && $0.queueFlags & VK_QUEUE_COMPUTE_BIT.rawValue != 0 }.map(UInt32.init)
  }

  private static func extensions(of device: VkPhysicalDevice, _ vk: UnsafePointer<EtalonInstanceFunctions>) -> Set<String> {
    var count: UInt32 = 0
    guard unsafe vk.pointee.EnumerateDeviceExtensionProperties(device, nil, &count, nil) == VK_SUCCESS else { return [] }
    var properties = [VkExtensionProperties](repeating: VkExtensionProperties(), count: Int(count))
    guard unsafe vk.pointee.EnumerateDeviceExtensionProperties(device, nil, &count, &properties).rawValue >= 0 else { return [] }
    return Set(properties.prefix(Int(count)).map { text(of: $0.extensionName) })
  }
}

/// The text in one of Vulkan's fixed arrays of characters, which import as tuples.
func text<Characters: BitwiseCopyable>(of characters: Characters) -> String {
  unsafe withUnsafeBytes(of: characters) { bytes in unsafe String(decoding: unsafe bytes.prefix { $0 != 0 }, as: UTF8.self) }
}

/// `1.3.230`.
private func versionText(_ version: UInt32) -> String {
  "\(etalon_vulkan_major(version)).\(etalon_vulkan_minor(version)).\(etalon_vulkan_patch(version))"
}

// MARK: Description

extension PhysicalDevice {
  /// What the device is made of.
  var kind: DeviceDescription.Kind {
    switch properties.deviceType {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: .gpu
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: .integrated
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: .virtual
    case VK_PHYSICAL_DEVICE_TYPE_CPU: .cpu
    default: .other
    }
  }

  /// The description for people, with the number that the device has in the list.
  func description(index: Int) -> DeviceDescription {
    DeviceDescription(
      index: index, name: name, kind: kind, driverName: driverName,
      driverVersion: driverInfo.isEmpty ? String(properties.driverVersion) : driverInfo, apiVersion: versionText(properties.apiVersion),
      memoryHeaps: memoryHeaps, subgroupSize: subgroupSize, limits: describedLimits, unusableBecause: unusableBecause,
      missingFeatures: missingFeatures, notes: notes)
  }

  private var memoryHeaps: [DeviceDescription.MemoryHeap] {
    unsafe withUnsafeBytes(of: memory.memoryHeaps) { bytes in
      unsafe bytes.bindMemory(to: VkMemoryHeap.self).prefix(Int(memory.memoryHeapCount)).map { heap in
        DeviceDescription.MemoryHeap(
          byteCount: Int(clamping: heap.size), isDeviceLocal: heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT.rawValue != 0)
      }
    }
  }

  private var describedLimits: DeviceDescription.Limits {
    DeviceDescription.Limits(
      maxTextureSide: Int(properties.limits.maxImageDimension2D), maxStorageBufferByteCount: Int(properties.limits.maxStorageBufferRange),
      maxAllocationByteCount: maxAllocationByteCount, maxUniformBlockByteCount: Int(properties.limits.maxUniformBufferRange),
      maxSharedMemoryByteCount: Int(properties.limits.maxComputeSharedMemorySize),
      maxWorkgroupInvocations: Int(properties.limits.maxComputeWorkGroupInvocations),
      samplerPrecision: SamplerPrecision(
        subTexelBits: Int(properties.limits.subTexelPrecisionBits), mipmapBits: Int(properties.limits.mipmapPrecisionBits)))
  }

  /// Whether `dFdx` and its kin, and mipmapped reads, can run: they need whole subgroups that exchange values within quads.
  var canRunQuads: Bool { supportsQuads && subgroupSize >= 4 && features?.computeFullSubgroups == true }

  private var missingFeatures: [DeviceDescription.MissingFeature] {
    guard let features else { return [] }
    let base = features.base
    let all: [(isThere: Bool, name: String, cost: String)] = [
      (supportsQuads && subgroupSize >= 4, "subgroup quad operations", "dFdx, dFdy, fwidth and mipmapped texture() are refused"),
      (features.computeFullSubgroups, "computeFullSubgroups", "dFdx, dFdy, fwidth and mipmapped texture() are refused"),
      (base.shaderStorageImageWriteWithoutFormat != 0, "shaderStorageImageWriteWithoutFormat", "intermediate textures are refused"),
      (base.shaderStorageImageReadWithoutFormat != 0, "shaderStorageImageReadWithoutFormat", "kernels that read a target name its format"),
      (base.robustBufferAccess != 0, "robustBufferAccess", "a read outside of a buffer can end the process"),
      (features.robustImageAccess, "robustImageAccess", "texelFetch outside of a texture returns something undefined"),
      (features.robustBufferAccess2, "robustBufferAccess2", "a read outside of a buffer may return other bytes of it instead of zero"),
      (features.zeroInitializedSharedMemory, "shaderZeroInitializeWorkgroupMemory", "shared memory has to be cleared by the kernels"),
      (base.shaderFloat64 != 0, "shaderFloat64", "double is refused"),
      (base.shaderInt64 != 0, "shaderInt64", "64-bit integers are refused"),
      (base.shaderInt16 != 0, "shaderInt16", "16-bit integers are refused"), (features.float16, "shaderFloat16", "float16_t is refused"),
    ]
    return all.filter { !$0.isThere }.map { DeviceDescription.MissingFeature(name: $0.name, cost: $0.cost) }
  }

  private var notes: [String] {
    guard driverName == "llvmpipe" else { return [] }
    return [
      "a software driver: every loop of an invocation ends silently after 65,535 iterations in all",
      "branches nested deeper than 80 are taken always: so are those of a switch with more cases that return",
      "kernels are compiled when they run first, and long local arrays take seconds",
      "kernels are compiled again for values that loops depend on, so that the last bits of a frame may depend on the frames before it",
    ]
  }
}
