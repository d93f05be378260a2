internal import CVulkan

/// What of a device plans can use up, by Vulkan's names.
///
/// **Concurrency**: an immutable value.
package struct DeviceLimits: Sendable, Hashable {
  /// A limit, named as in `VkPhysicalDeviceLimits`.
  package enum Name: String, Sendable, Hashable, CaseIterable {
    case maxPerStageDescriptorSamplers, maxPerStageDescriptorSampledImages, maxPerStageDescriptorStorageImages
    case maxPerStageDescriptorStorageBuffers, maxPerStageDescriptorUniformBuffers, maxPerStageResources
    case maxDescriptorSetSamplers, maxDescriptorSetSampledImages, maxDescriptorSetStorageImages
    case maxDescriptorSetStorageBuffers, maxDescriptorSetUniformBuffers
    case maxPushConstantsSize, maxUniformBufferRange, maxStorageBufferRange, maxComputeSharedMemorySize
    case maxComputeWorkGroupInvocations, maxComputeWorkGroupSizeX, maxComputeWorkGroupSizeY, maxComputeWorkGroupSizeZ
    case maxComputeWorkGroupCountX, maxComputeWorkGroupCountY, maxComputeWorkGroupCountZ
    case maxImageDimension2D, maxImageDimension3D, maxImageDimensionCube
  }

  private let values: [Name: Int]

  /// Limits that are not named are none.
  package init(_ values: [Name: Int]) { self.values = values }

  /// The limits of a device.
  init(_ limits: VkPhysicalDeviceLimits) {
    let size = limits.maxComputeWorkGroupSize, count = limits.maxComputeWorkGroupCount
    let all: [Name: UInt32] = [
      .maxPerStageDescriptorSamplers: limits.maxPerStageDescriptorSamplers,
      .maxPerStageDescriptorSampledImages: limits.maxPerStageDescriptorSampledImages,
      .maxPerStageDescriptorStorageImages: limits.maxPerStageDescriptorStorageImages,
      .maxPerStageDescriptorStorageBuffers: limits.maxPerStageDescriptorStorageBuffers,
      .maxPerStageDescriptorUniformBuffers: limits.maxPerStageDescriptorUniformBuffers, .maxPerStageResources: limits.maxPerStageResources,
      .maxDescriptorSetSamplers: limits.maxDescriptorSetSamplers, .maxDescriptorSetSampledImages: limits.maxDescriptorSetSampledImages,
      .maxDescriptorSetStorageImages: limits.maxDescriptorSetStorageImages,
      .maxDescriptorSetStorageBuffers: limits.maxDescriptorSetStorageBuffers,
      .maxDescriptorSetUniformBuffers: limits.maxDescriptorSetUniformBuffers, .maxPushConstantsSize: limits.maxPushConstantsSize,
      .maxUniformBufferRange: limits.maxUniformBufferRange, .maxStorageBufferRange: limits.maxStorageBufferRange,
      .maxComputeSharedMemorySize: limits.maxComputeSharedMemorySize,
      .maxComputeWorkGroupInvocations: limits.maxComputeWorkGroupInvocations, .maxComputeWorkGroupSizeX: size.0,
      .maxComputeWorkGroupSizeY: size.1, .maxComputeWorkGroupSizeZ: size.2, .maxComputeWorkGroupCountX: count.0,
      .maxComputeWorkGroupCountY: count.1, .maxComputeWorkGroupCountZ: count.2, .maxImageDimension2D: limits.maxImageDimension2D,
      .maxImageDimension3D: limits.maxImageDimension3D, .maxImageDimensionCube: limits.maxImageDimensionCube,
    ]
    values = all.mapValues { Int($0) }
  }

  package subscript(name: Name) -> Int { values[name] ?? .max }
}
