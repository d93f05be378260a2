internal import CLaneKernels
internal import EtalonTypes

extension PixelFormat {
  /// The format as the lane kernels name it.
  var lane: lane_format {
    switch self {
    case .r8: LANE_FORMAT_R8
    case .rg8: LANE_FORMAT_RG8
    case .rgba8: LANE_FORMAT_RGBA8
    case .r16: LANE_FORMAT_R16
    case .rg16: LANE_FORMAT_RG16
    case .rgba16: LANE_FORMAT_RGBA16
    case .r16f: LANE_FORMAT_R16F
    case .rg16f: LANE_FORMAT_RG16F
    case .rgba16f: LANE_FORMAT_RGBA16F
    case .r32f: LANE_FORMAT_R32F
    case .rg32f: LANE_FORMAT_RG32F
    case .rgba32f: LANE_FORMAT_RGBA32F
    }
  }
}

extension Sampler.Interpolation {
  var lane: Int32 {
    switch self {
    case .nearest: Int32(LANE_FILTER_NEAREST)
    case .linear: Int32(LANE_FILTER_LINEAR)
    case .mipmap: Int32(LANE_FILTER_MIPMAP)
    }
  }
}

extension Sampler.AddressMode {
  var lane: Int32 {
    switch self {
    case .clamp: Int32(LANE_ADDRESS_CLAMP)
    case .repeat: Int32(LANE_ADDRESS_REPEAT)
    case .mirror: Int32(LANE_ADDRESS_MIRROR)
    case .transparent: Int32(LANE_ADDRESS_TRANSPARENT)
    }
  }
}
