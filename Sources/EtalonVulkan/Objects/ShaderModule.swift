internal import CVulkan
internal import EtalonDiagnostics

/// Owns one `VkShaderModule`; lives as long as the call that makes a pipeline of it.
@safe
struct ShaderModule: ~Copyable {
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
