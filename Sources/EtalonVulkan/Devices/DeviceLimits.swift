internal import CVulkan
package import EtalonDiagnostics
package import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

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

  /// What is not named has no limit.
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

// MARK: What plans need of them

/// Compares what a plan needs with the limits of a device, before anything is made on it: drivers crash, hang or draw nothing beyond them.
///
/// ```swift
/// try PlanLimits(DeviceLimits(properties.limits), device: "llvmpipe").check(plan)
/// ```
///
/// **Concurrency**: an immutable value.
package struct PlanLimits: Sendable {
  /// What is needed of something that is limited.
  private struct Need {
    let count: Int
    let what: String
    /// All of them hold.
    let limits: [DeviceLimits.Name]

    init(_ count: Int, _ what: String, _ limits: DeviceLimits.Name...) { (self.count, self.what, self.limits) = (count, what, limits) }
  }

  private let limits: DeviceLimits
  private let device: String

  package init(_ limits: DeviceLimits, device: String) { (self.limits, self.device) = (limits, device) }

  /// Throws everything that the plan needs more of than the device has.
  package func check(_ plan: Plan) throws(RenderError) {
    var excesses: [RenderError] = []
    for pass in plan.setupPasses + plan.passes {
      let kernel = plan.kernels[pass.kernel]
      excesses += self.excesses("pass '\(pass.name)' ('\(kernel.name)')", needs(of: kernel) + needs(of: pass))
    }
    for buffer in plan.buffers {
      excesses += self.excesses("buffer '\(buffer.name)'", [Need(buffer.byteCount, "bytes", .maxStorageBufferRange)])
    }
    excesses += plan.textures.compactMap(excess)
    // Passes that run several times, and textures of one name, are told once.
    var seen: Set<RenderError> = []
    let different = excesses.filter { seen.insert($0).inserted }
    if let first = different.first { throw first.joined(with: Array(different.dropFirst())) }
  }

  private static let otherDevice = ["render on the processor: '--device cpu'", "or choose another device: 'etalon devices' lists them"]

  private func excesses(_ subject: String, _ needs: [Need]) -> [RenderError] {
    needs.compactMap { need in
      let exceeded = need.limits.filter { need.count > limits[$0] }
      guard let least = exceeded.map({ limits[$0] }).min() else { return nil }
      return RenderError(
        .noDevice,
        "\(subject) needs \(need.count) \(need.what), and '\(device)' has at most \(least) "
          + "(\(exceeded.map(\.rawValue).joined(separator: ", ")))", help: Self.otherDevice)
    }
  }

  // MARK: Needs

  private func needs(of kernel: Kernel) -> [Need] {
    let interface = kernel.interface, size = interface.workgroupSize
    func count(_ isMeant: (KernelInterface.Resource.Kind) -> Bool) -> Int { interface.resources.count { isMeant($0.kind) } }
    let sampled = count { if case .sampledTexture = $0 { true } else { false } }
    let uniforms = interface.uniforms == nil ? 0 : 1
    return [
      Need(sampled, "sampled textures", .maxPerStageDescriptorSampledImages, .maxDescriptorSetSampledImages),
      Need(sampled, "samplers", .maxPerStageDescriptorSamplers, .maxDescriptorSetSamplers),
      Need(
        count { if case .storageTexture = $0 { true } else { false } }, "written textures", .maxPerStageDescriptorStorageImages,
        .maxDescriptorSetStorageImages),
      Need(count { $0 == .storageBuffer }, "buffers", .maxPerStageDescriptorStorageBuffers, .maxDescriptorSetStorageBuffers),
      Need(uniforms, "uniform blocks", .maxPerStageDescriptorUniformBuffers, .maxDescriptorSetUniformBuffers),
      Need(interface.resources.count + uniforms, "textures and buffers in all", .maxPerStageResources),
      Need(interface.uniforms?.size ?? 0, "bytes of uniforms", .maxUniformBufferRange),
      Need(max(DispatchRegion.byteCount, interface.pushConstants?.size ?? 0), "bytes of push constants", .maxPushConstantsSize),
      Need(interface.sharedByteCount, "bytes of shared memory", .maxComputeSharedMemorySize),
      Need(size.reduce(1, *), "invocations in a workgroup", .maxComputeWorkGroupInvocations),
      Need(size[0], "invocations along x in a workgroup", .maxComputeWorkGroupSizeX),
      Need(size[1], "invocations along y in a workgroup", .maxComputeWorkGroupSizeY),
      Need(size[2], "invocations along z in a workgroup", .maxComputeWorkGroupSizeZ),
    ]
  }

  private func needs(of pass: Plan.Pass) -> [Need] {
    guard case .workgroups(let x, let y, let z) = pass.coverage else { return [] }
    return [
      Need(x, "workgroups along x", .maxComputeWorkGroupCountX), Need(y, "workgroups along y", .maxComputeWorkGroupCountY),
      Need(z, "workgroups along z", .maxComputeWorkGroupCountZ),
    ]
  }

  /// What is wrong with the sides of a texture.
  private func excess(_ texture: Plan.Texture) -> RenderError? {
    let (limit, depth): (DeviceLimits.Name, Int) =
      switch texture.shape {
      case .flat: (.maxImageDimension2D, 1)
      case .cube: (.maxImageDimensionCube, 1)
      case .volume(let depth): (.maxImageDimension3D, depth)
      }
    guard max(texture.size.width, texture.size.height, depth) > limits[limit] else { return nil }
    let size = depth == 1 ? "\(texture.size)" : "\(texture.size)x\(depth)"
    return RenderError(
      .invalidInput,
      "texture '\(texture.name)' is \(size), and '\(device)' takes at most \(limits[limit]) pixels a side (\(limit.rawValue))",
      help: ["make the picture smaller", Self.otherDevice[0]])
  }
}
