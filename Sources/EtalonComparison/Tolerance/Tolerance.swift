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
  public var effectiveColor: ChannelTolerance {
    let isLimited = !color.isEmpty || ssim != nil || ssimGaussian != nil || flip != nil || oklab != nil || noise != nil
    return isLimited ? color : ChannelTolerance(channel: 0)
  }

  /// What alpha is judged by: its own limits, else those of color, else equality.
  public var effectiveAlpha: ChannelTolerance {
    if let alpha, !alpha.isEmpty { return alpha }
    return color.isEmpty ? ChannelTolerance(channel: 0) : color
  }
}

/// What a comparison does where values are not finite.
public enum NonFinitePolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// NaN must meet NaN, an infinity the same infinity; anything else fails. The default.
  case strict
  /// Whatever is not finite equals whatever else is not finite; a finite value beside one fails.
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
