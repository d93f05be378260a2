internal import CVulkan
internal import EtalonTypes

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
    ]
  }
}
