/// How far two pictures may differ before a comparison warns or fails.
///
/// Without any limit pictures must be equal. What limits color limits alpha too, counted apart, unless `alpha` says otherwise.
///
/// ```
/// var tolerance = Tolerance(channel: 2, outliers: 10, ceiling: 16)
/// tolerance.flip = FLIPLimit(mean: 0.01)
/// ```
///
/// **Concurrency**: an immutable value.
@dynamicMemberLookup
public struct Tolerance: Hashable, Sendable {
  /// Limits of the color channels, and of alpha unless `alpha` is set; its members are members of the tolerance, too.
  public var color = ChannelTolerance()
  /// Limits of alpha.
  public var alpha: ChannelTolerance?
  /// The least structural similarity of the brightness, at most 1.
  public var ssim: Limit?
  /// The least structural similarity of the color channels in Gaussian windows, at most 1, as scikit-image has it; for pictures of at least 11x11 pixels.
  public var ssimGaussian: Limit?
  /// How visible the difference may be.
  public var flip: FLIPLimit?
  /// How many colors may be visibly different.
  public var oklab: OKLabLimit?
  /// The least probability, at most 1, with which the difference may be that of two draws of the same noise.
  public var noise: Limit?
  /// How much the difference may change from one frame to the next, on average over all color channels; judges sequences only.
  public var flicker: Limit?
  /// How many pixels (0 or 1) something may have moved: a pixel is compared with the nearest value among its neighbors, unless all of the picture moved and
  /// the pixel left it or came in.
  public var shift: Int?
  /// Whether color is not looked at where both pictures are fully transparent.
  public var ignoreColorUnderZeroAlpha: Bool?
  /// What happens where values are not finite.
  public var nan: NonFinitePolicy?
  /// What happens to numbers too small for the normal representation.
  public var denormals: DenormalPolicy?

  /// The side of the windows of `ssimGaussian`, in pixels.
  static let gaussianWindow = 11

  /// The keys of what happens to numbers that only floats have.
  package static let policyKeys: Set<String> = ["nan", "denormals"]

  /// Makes a tolerance; everything else is set by name.
  public init(channel: Limit? = nil, outliers: CountLimit? = nil, ceiling: Limit? = nil) {
    color = ChannelTolerance(channel: channel, outliers: outliers, ceiling: ceiling)
  }

  /// Pictures must be equal: what references made by the CPU executor ask for.
  public static let exact = Tolerance(channel: 0)

  /// The limits of color by their names.
  public subscript<Value>(dynamicMember path: WritableKeyPath<ChannelTolerance, Value>) -> Value {
    get { color[keyPath: path] }
    set { color[keyPath: path] = newValue }
  }

  /// What color is judged by: equality when nothing is limited.
  package var effectiveColor: ChannelTolerance {
    let isLimited = !color.isEmpty || ssim != nil || ssimGaussian != nil || flip != nil || oklab != nil || noise != nil
    return isLimited ? color : ChannelTolerance(channel: 0)
  }

  /// What alpha is judged by: its own limits, else those of color, else equality.
  package var effectiveAlpha: ChannelTolerance {
    if let alpha, !alpha.isEmpty { return alpha }
    return color.isEmpty ? ChannelTolerance(channel: 0) : color
  }
}

/// What a comparison does where values are not finite.
public enum NonFinitePolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// NaN must meet NaN, an infinity the same infinity; anything else fails. The default.
  case strict
  /// All values that are not finite are equal; a finite value beside one fails.
  case equal
  /// Pixels that are not finite in either picture are left out.
  case ignore
}

/// What a comparison does with denormal numbers, which devices may flush to zero.
public enum DenormalPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// They are numbers like any other. The default.
  case preserve
  /// They are zero in both pictures.
  case flush
  /// They equal zero, and are numbers like any other otherwise.
  case any
}

/// How far numbers of pixels may differ; color and alpha are judged by one of these each.
///
/// Differences of 8 and 16-bit pictures are in levels of 8 bits (1 is 1/255), those of float pictures are absolute.
///
/// **Concurrency**: an immutable value.
public struct ChannelTolerance: Hashable, Sendable, Codable {
  /// How far any channel of a pixel may differ; pixels beyond are *outliers*.
  public var channel: Limit?
  /// How many outliers there may be; none without this.
  public var outliers: CountLimit?
  /// The largest difference of any pixel, outliers included.
  public var ceiling: Limit?
  /// The largest difference by the larger of both values; values below 1/1024 count as 1/1024.
  public var relative: Limit?
  /// The largest difference in steps of the format: representable floats, or levels of an integer format.
  public var ulp: Limit?
  /// The mean of all absolute differences.
  public var mean: Limit?
  /// The root of the mean of all squared differences.
  public var rmse: Limit?
  /// The least peak signal-to-noise ratio, in dB.
  public var psnr: Limit?
  /// The most outliers in any square window.
  public var window: WindowLimit?
  /// How far the histograms may differ: the cost to turn one into the other, 0 to 1, of the worst channel.
  public var emd: Limit?

  /// Makes limits.
  public init(
    channel: Limit? = nil, outliers: CountLimit? = nil, ceiling: Limit? = nil, relative: Limit? = nil, ulp: Limit? = nil,
    mean: Limit? = nil, rmse: Limit? = nil, psnr: Limit? = nil, window: WindowLimit? = nil, emd: Limit? = nil
  ) {
    self.channel = channel
    self.outliers = outliers
    self.ceiling = ceiling
    self.relative = relative
    self.ulp = ulp
    self.mean = mean
    self.rmse = rmse
    self.psnr = psnr
    self.window = window
    self.emd = emd
  }

  /// Whether nothing is limited.
  package var isEmpty: Bool { self == ChannelTolerance() }

  /// Beyond which difference a pixel is an outlier: the level of `channel`, 0 without one.
  package var outlierLevel: Double { channel.flatMap { $0.fail ?? $0.warn } ?? 0 }
}

/// How many outliers one window may hold: those of a defect lie close together, those of noise are spread.
public struct WindowLimit: Hashable, Sendable, Codable {
  /// The side of the window in pixels.
  public var size: Int
  /// The most outliers in any window of that size.
  public var outliers: Limit

  /// Makes a limit.
  public init(size: Int, outliers: Limit) {
    self.size = size
    self.outliers = outliers
  }
}

// MARK: - reading and writing

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
