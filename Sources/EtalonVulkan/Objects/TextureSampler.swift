internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonTypes

/// Owns a `VkSampler`.
@safe
final class TextureSampler: @unchecked Sendable {
  private let device: Device
  let handle: VkSampler

  init(_ sampler: Sampler, on device: Device) throws(RenderError) {
    let filter = sampler.interpolation == .nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR
    let isMipmapped = sampler.interpolation == .mipmap
    let mode =
      switch sampler.address {
      case .clamp: VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
      case .repeat: VK_SAMPLER_ADDRESS_MODE_REPEAT
      case .mirror: VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT
      case .transparent: VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
      }
    var info = unsafe VkSamplerCreateInfo()
    unsafe info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO
    unsafe info.magFilter = filter
    unsafe info.minFilter = filter
    unsafe info.mipmapMode = isMipmapped ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST
    unsafe info.addressModeU = mode
    unsafe info.addressModeV = mode
    unsafe info.addressModeW = mode
    unsafe info.maxLod = isMipmapped ? etalon_lod_clamp_none : 0
    unsafe info.borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK
    var created: VkSampler?
    let name = "sampler \(sampler.interpolation.rawValue), \(sampler.address.rawValue)"
    try check(unsafe device.vk.pointee.CreateSampler(device.handle, &info, nil, &created), "vkCreateSampler", "cannot make \(name)")
    guard let handle = unsafe created else { preconditionFailure("vkCreateSampler succeeded without a sampler") }
    unsafe device.name(handle, VK_OBJECT_TYPE_SAMPLER, name)
    self.device = device
    unsafe self.handle = handle
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroySampler(device.handle, handle, nil) }
  }
}
