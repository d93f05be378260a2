internal import CVulkan

/// The features of a device that Etalon would use, as far as the device has them.
struct DeviceFeatures {
  private(set) var base = VkPhysicalDeviceFeatures()
  private(set) var storage16Bit = false
  private(set) var uniform16Bit = false
  private(set) var timelineSemaphore = false
  private(set) var float16 = false
  private(set) var int8 = false
  private(set) var extendedSubgroupTypes = false
  private(set) var scalarBlockLayout = false
  private(set) var subgroupSizeControl = false
  private(set) var computeFullSubgroups = false
  private(set) var robustImageAccess = false
  private(set) var robustBufferAccess2 = false
  private(set) var robustImageAccess2 = false
  private(set) var zeroInitializedSharedMemory = false
  /// What must be enabled for the features above on a device of this version.
  private(set) var extensions: [String] = []

  /// Asks a device of Vulkan 1.2 or later for its features.
  init(of device: VkPhysicalDevice, apiVersion: UInt32, extensions available: Set<String>, _ vk: UnsafePointer<EtalonInstanceFunctions>) {
    let chain = StructureChain()
    let features = unsafe chain.append(VkPhysicalDeviceFeatures2(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
    let vulkan11 = unsafe chain.append(VkPhysicalDeviceVulkan11Features(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES)
    let vulkan12 = unsafe chain.append(VkPhysicalDeviceVulkan12Features(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
    var used: [String] = []
    func isOffered(_ name: String, isCoreIn13: Bool = true) -> Bool {
      if isCoreIn13, apiVersion >= etalon_vulkan_api_1_3 { return true }
      guard available.contains(name) else { return false }
      used.append(name)
      return true
    }
    let sizeControl =
      isOffered(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME) ? unsafe chain.append(SizeControlFeatures(), sizeControlType) : nil
    let imageRobustness =
      isOffered(VK_EXT_IMAGE_ROBUSTNESS_EXTENSION_NAME) ? unsafe chain.append(ImageRobustnessFeatures(), imageRobustnessType) : nil
    let zeroShared =
      isOffered(VK_KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY_EXTENSION_NAME)
      ? unsafe chain.append(ZeroSharedFeatures(), zeroSharedType) : nil
    let robustness2 =
      isOffered(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, isCoreIn13: false)
      ? unsafe chain.append(VkPhysicalDeviceRobustness2FeaturesEXT(), robustness2Type) : nil
    unsafe vk.pointee.GetPhysicalDeviceFeatures2(device, features)
    base = unsafe Self.wanted(of: features.pointee.features)
    storage16Bit = unsafe vulkan11.pointee.storageBuffer16BitAccess != 0
    uniform16Bit = unsafe vulkan11.pointee.uniformAndStorageBuffer16BitAccess != 0
    timelineSemaphore = unsafe vulkan12.pointee.timelineSemaphore != 0
    float16 = unsafe vulkan12.pointee.shaderFloat16 != 0
    int8 = unsafe vulkan12.pointee.shaderInt8 != 0
    extendedSubgroupTypes = unsafe vulkan12.pointee.shaderSubgroupExtendedTypes != 0
    scalarBlockLayout = unsafe vulkan12.pointee.scalarBlockLayout != 0
    subgroupSizeControl = unsafe sizeControl?.pointee.subgroupSizeControl == 1
    computeFullSubgroups = unsafe sizeControl?.pointee.computeFullSubgroups == 1
    robustImageAccess = unsafe imageRobustness?.pointee.robustImageAccess == 1
    zeroInitializedSharedMemory = unsafe zeroShared?.pointee.shaderZeroInitializeWorkgroupMemory == 1
    robustBufferAccess2 = unsafe robustness2?.pointee.robustBufferAccess2 == 1
    robustImageAccess2 = unsafe robustness2?.pointee.robustImageAccess2 == 1
    extensions = used
  }

  /// The features of Vulkan 1.0 that kernels may need, without those that only graphics pipelines use.
  private static func wanted(of supported: VkPhysicalDeviceFeatures) -> VkPhysicalDeviceFeatures {
    var wanted = VkPhysicalDeviceFeatures()
    for feature: WritableKeyPath<VkPhysicalDeviceFeatures, VkBool32> in [
      \.robustBufferAccess, \.shaderStorageImageExtendedFormats, \.shaderStorageImageReadWithoutFormat,
      \.shaderStorageImageWriteWithoutFormat, \.shaderUniformBufferArrayDynamicIndexing, \.shaderSampledImageArrayDynamicIndexing,
      \.shaderStorageBufferArrayDynamicIndexing, \.shaderStorageImageArrayDynamicIndexing, \.shaderFloat64, \.shaderInt64, \.shaderInt16,
      \.shaderImageGatherExtended,
    ] {
      wanted[keyPath: feature] = supported[keyPath: feature]
    }
    return wanted
  }

  /// The features as a chain for the creation of a device: all of them on.
  func makeChain() -> StructureChain {
    let chain = StructureChain()
    var features = unsafe VkPhysicalDeviceFeatures2()
    unsafe features.features = base
    _ = unsafe chain.append(features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
    var vulkan11 = unsafe VkPhysicalDeviceVulkan11Features()
    unsafe vulkan11.storageBuffer16BitAccess = VkBool32(storage16Bit)
    unsafe vulkan11.uniformAndStorageBuffer16BitAccess = VkBool32(uniform16Bit)
    _ = unsafe chain.append(vulkan11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES)
    var vulkan12 = unsafe VkPhysicalDeviceVulkan12Features()
    unsafe vulkan12.timelineSemaphore = VkBool32(timelineSemaphore)
    unsafe vulkan12.shaderFloat16 = VkBool32(float16)
    unsafe vulkan12.shaderInt8 = VkBool32(int8)
    unsafe vulkan12.shaderSubgroupExtendedTypes = VkBool32(extendedSubgroupTypes)
    unsafe vulkan12.scalarBlockLayout = VkBool32(scalarBlockLayout)
    _ = unsafe chain.append(vulkan12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
    appendLaterFeatures(to: chain)
    return chain
  }

  private func appendLaterFeatures(to chain: StructureChain) {
    if subgroupSizeControl || computeFullSubgroups {
      var structure = unsafe SizeControlFeatures()
      unsafe structure.subgroupSizeControl = VkBool32(subgroupSizeControl)
      unsafe structure.computeFullSubgroups = VkBool32(computeFullSubgroups)
      _ = unsafe chain.append(structure, sizeControlType)
    }
    if robustImageAccess {
      var structure = unsafe ImageRobustnessFeatures()
      unsafe structure.robustImageAccess = 1
      _ = unsafe chain.append(structure, imageRobustnessType)
    }
    if zeroInitializedSharedMemory {
      var structure = unsafe ZeroSharedFeatures()
      unsafe structure.shaderZeroInitializeWorkgroupMemory = 1
      _ = unsafe chain.append(structure, zeroSharedType)
    }
    if robustBufferAccess2 || robustImageAccess2 {
      var structure = unsafe VkPhysicalDeviceRobustness2FeaturesEXT()
      unsafe structure.robustBufferAccess2 = VkBool32(robustBufferAccess2)
      unsafe structure.robustImageAccess2 = VkBool32(robustImageAccess2)
      _ = unsafe chain.append(structure, robustness2Type)
    }
  }
}

private typealias SizeControlFeatures = VkPhysicalDeviceSubgroupSizeControlFeatures
private typealias ImageRobustnessFeatures = VkPhysicalDeviceImageRobustnessFeatures
private typealias ZeroSharedFeatures = VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures
private let sizeControlType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES
private let imageRobustnessType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES
private let zeroSharedType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES
private let robustness2Type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT

extension VkBool32 {
  init(_ value: Bool) { self = value ? 1 : 0 }
}
