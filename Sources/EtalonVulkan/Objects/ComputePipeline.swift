internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV

/// Owns the `VkPipeline` of a kernel with its layouts.
@safe
final class ComputePipeline: @unchecked Sendable {
  private let device: Device
  let kernel: Kernel
  let setLayout: VkDescriptorSetLayout
  let layout: VkPipelineLayout
  let handle: VkPipeline

  /// Makes the pipeline.
  ///
  /// - Parameters:
  ///   - words: what the driver gets to see of the kernel.
  init(_ kernel: Kernel, words: [UInt32], cache: PipelineCache, on device: Device) throws(RenderError) {
    try Self.checkNeeds(of: kernel, device)
    let setLayout = unsafe try Self.createSetLayout(kernel, device)
    do throws(RenderError) {
      let layout = unsafe try Self.createLayout(kernel, setLayout, device)
      do throws(RenderError) {
        let module = try ShaderModule(words, name: kernel.name, on: device)
        unsafe handle = try Self.createPipeline(kernel, module, layout, cache, device)
      } catch {
        unsafe device.vk.pointee.DestroyPipelineLayout(device.handle, layout, nil)
        throw error
      }
      unsafe self.layout = layout
    } catch {
      unsafe device.vk.pointee.DestroyDescriptorSetLayout(device.handle, setLayout, nil)
      throw error
    }
    self.device = device
    self.kernel = kernel
    unsafe self.setLayout = setLayout
  }

  private static func checkNeeds(of kernel: Kernel, _ device: Device) throws(RenderError) {
    if kernel.interface.usesSubgroups, !device.physical.canRunQuads {
      throw RenderError(
        .noDevice, "'\(kernel.name)' uses derivatives or mipmaps, which '\(device.physical.name)' cannot compute",
        help: ["choose another device, or '--device cpu'"])
    }
  }

  private static func createSetLayout(_ kernel: Kernel, _ device: Device) throws(RenderError) -> VkDescriptorSetLayout {
    var bindings = unsafe kernel.interface.resources.map { resource in unsafe makeBinding(resource.binding, resource.kind.descriptorType) }
    if let uniforms = kernel.interface.uniforms {
      unsafe bindings.append(makeBinding(uniforms.binding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER))
    }
    var created: VkDescriptorSetLayout?
    let result = withCallMemory { memory in
      var info = unsafe VkDescriptorSetLayoutCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO
      unsafe info.bindingCount = UInt32(bindings.count)
      unsafe info.pBindings = UnsafePointer(memory.pointer(to: bindings))
      return unsafe device.vk.pointee.CreateDescriptorSetLayout(device.handle, &info, nil, &created)
    }
    try check(result, "vkCreateDescriptorSetLayout", "cannot make the bindings of '\(kernel.name)'")
    guard let layout = unsafe created else { preconditionFailure("vkCreateDescriptorSetLayout succeeded without a layout") }
    unsafe device.name(layout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, kernel.name)
    return unsafe layout
  }

  private static func makeBinding(_ number: Int, _ type: VkDescriptorType) -> VkDescriptorSetLayoutBinding {
    unsafe VkDescriptorSetLayoutBinding(
      binding: UInt32(number), descriptorType: type, descriptorCount: 1, stageFlags: VK_SHADER_STAGE_COMPUTE_BIT.rawValue,
      pImmutableSamplers: nil)
  }

  private static func createLayout(
    _ kernel: Kernel, _ setLayout: VkDescriptorSetLayout, _ device: Device
  ) throws(RenderError) -> VkPipelineLayout {
    var created: VkPipelineLayout?
    let result = withCallMemory { memory in
      let constants = VkPushConstantRange(
        stageFlags: VK_SHADER_STAGE_COMPUTE_BIT.rawValue, offset: 0, size: UInt32(DispatchRegion.byteCount))
      var info = unsafe VkPipelineLayoutCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO
      unsafe info.setLayoutCount = 1
      unsafe info.pSetLayouts = UnsafePointer(memory.pointer(to: Optional(setLayout)))
      unsafe info.pushConstantRangeCount = 1
      unsafe info.pPushConstantRanges = UnsafePointer(memory.pointer(to: constants))
      return unsafe device.vk.pointee.CreatePipelineLayout(device.handle, &info, nil, &created)
    }
    try check(result, "vkCreatePipelineLayout", "cannot make the bindings of '\(kernel.name)'")
    guard let layout = unsafe created else { preconditionFailure("vkCreatePipelineLayout succeeded without a layout") }
    unsafe device.name(layout, VK_OBJECT_TYPE_PIPELINE_LAYOUT, kernel.name)
    return unsafe layout
  }

  private static func createPipeline(
    _ kernel: Kernel, _ module: borrowing ShaderModule, _ layout: VkPipelineLayout, _ cache: PipelineCache, _ device: Device
  ) throws(RenderError) -> VkPipeline {
    var created: VkPipeline?
    let moduleHandle = unsafe module.handle
    let result = withCallMemory { memory in
      var info = unsafe VkComputePipelineCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO
      unsafe info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
      unsafe info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT
      unsafe info.stage.module = moduleHandle
      unsafe info.stage.pName = memory.text(kernel.interface.entryPoint)
      unsafe info.layout = layout
      // Dispatches in pieces begin at other workgroups than the first. All pipelines say so, because caches of drivers need not tell those that do from
      // those that do not.
      unsafe info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT.rawValue
      if kernel.interface.usesSubgroups { unsafe requireFullSubgroups(of: kernel, &info.stage, memory, device) }
      return unsafe device.vk.pointee.CreateComputePipelines(device.handle, cache.handle, 1, &info, nil, &created)
    }
    try check(result, "vkCreateComputePipelines", "the driver of '\(device.physical.name)' does not compile '\(kernel.name)'")
    guard let pipeline = unsafe created else { preconditionFailure("vkCreateComputePipelines succeeded without a pipeline") }
    unsafe device.name(pipeline, VK_OBJECT_TYPE_PIPELINE, kernel.name)
    return unsafe pipeline
  }

  /// Quads of pixels are computed from `gl_SubgroupID * gl_SubgroupSize`: that holds only when every subgroup is full and has that very size.
  ///
  /// Without being required it is that of the device, too (Vulkan 1.3, 15.9 "SubgroupSize"), which not all drivers heed.
  private static func requireFullSubgroups(
    of kernel: Kernel, _ stage: inout VkPipelineShaderStageCreateInfo, _ memory: CallMemory, _ device: Device
  ) {
    unsafe stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT.rawValue
    guard kernel.interface.workgroupSize.reduce(1, *) <= device.physical.requirableInvocations else { return }
    var size = unsafe VkPipelineShaderStageRequiredSubgroupSizeCreateInfo()
    unsafe size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO
    unsafe size.requiredSubgroupSize = UInt32(device.physical.subgroupSize)
    unsafe stage.pNext = UnsafeRawPointer(memory.pointer(to: size))
  }

  deinit {
    guard !device.isAbandoned else { return }
    unsafe device.vk.pointee.DestroyPipeline(device.handle, handle, nil)
    unsafe device.vk.pointee.DestroyPipelineLayout(device.handle, layout, nil)
    unsafe device.vk.pointee.DestroyDescriptorSetLayout(device.handle, setLayout, nil)
  }
}

extension KernelInterface.Resource.Kind {
  fileprivate var descriptorType: VkDescriptorType {
    switch self {
    case .sampledTexture: VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
    case .storageTexture: VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
    case .storageBuffer: VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
    }
  }
}

/// Owns one `VkShaderModule`; lives as long as the call that makes a pipeline of it.
@safe
private struct ShaderModule: ~Copyable {
  private let device: Device
  let handle: VkShaderModule

  init(_ words: [UInt32], name: String, on device: Device) throws(RenderError) {
    var created: VkShaderModule?
    let result = unsafe words.withUnsafeBufferPointer { words in
      var info = unsafe VkShaderModuleCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO
      unsafe info.codeSize = words.count * MemoryLayout<UInt32>.size
      unsafe info.pCode = words.baseAddress
      return unsafe device.vk.pointee.CreateShaderModule(device.handle, &info, nil, &created)
    }
    try check(result, "vkCreateShaderModule", "the driver of '\(device.physical.name)' does not take '\(name)'")
    guard let handle = unsafe created else { preconditionFailure("vkCreateShaderModule succeeded without a module") }
    unsafe device.name(handle, VK_OBJECT_TYPE_SHADER_MODULE, name)
    self.device = device
    unsafe self.handle = handle
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroyShaderModule(device.handle, handle, nil) }
  }
}
