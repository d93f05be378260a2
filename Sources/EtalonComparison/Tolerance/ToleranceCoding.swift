extension Tolerance: Codable {
  private enum CodingKeys: String, CodingKey {
    case alpha, ssim, ssimGaussian, flip, oklab, noise, flicker, shift, ignoreColorUnderZeroAlpha, nan, denormals
  }

  /// Reads a record in which the limits of color stand beside the others.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    color = try ChannelTolerance(from: decoder)
    alpha = try container.decodeIfPresent(ChannelTolerance.self, forKey: .alpha)
    ssim = try container.decodeIfPresent(Limit.self, forKey: .ssim)
    ssimGaussian = try container.decodeIfPresent(Limit.self, forKey: .ssimGaussian)
    flip = try container.decodeIfPresent(FLIPLimit.self, forKey: .flip)
    oklab = try container.decodeIfPresent(OKLabLimit.self, forKey: .oklab)
    noise = try container.decodeIfPresent(Limit.self, forKey: .noise)
    flicker = try container.decodeIfPresent(Limit.self, forKey: .flicker)
    shift = try container.decodeIfPresent(Int.self, forKey: .shift)
    ignoreColorUnderZeroAlpha = try container.decodeIfPresent(Bool.self, forKey: .ignoreColorUnderZeroAlpha)
    nan = try container.decodeIfPresent(NonFinitePolicy.self, forKey: .nan)
    denormals = try container.decodeIfPresent(DenormalPolicy.self, forKey: .denormals)
  }

  /// Writes what is set.
  public func encode(to encoder: any Encoder) throws {
    try color.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(alpha, forKey: .alpha)
    try container.encodeIfPresent(ssim, forKey: .ssim)
    try container.encodeIfPresent(ssimGaussian, forKey: .ssimGaussian)
    try container.encodeIfPresent(flip, forKey: .flip)
    try container.encodeIfPresent(oklab, forKey: .oklab)
    try container.encodeIfPresent(noise, forKey: .noise)
    try container.encodeIfPresent(flicker, forKey: .flicker)
    try container.encodeIfPresent(shift, forKey: .shift)
    try container.encodeIfPresent(ignoreColorUnderZeroAlpha, forKey: .ignoreColorUnderZeroAlpha)
    try container.encodeIfPresent(nan, forKey: .nan)
    try container.encodeIfPresent(denormals, forKey: .denormals)
  }
}
