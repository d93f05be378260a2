/// What was measured on the color channels, or on alpha.
///
/// **Concurrency**: an immutable value.
public struct ChannelComparison: Hashable, Sendable, Codable {
  /// How many pixels differ at all.
  public let differing: Int
  /// How many pixels differ by more than `outlierLevel`.
  public let outliers: Int
  /// The difference beyond which a pixel is an outlier.
  @MeasuredNumber public internal(set) var outlierLevel: Double
  /// The largest difference of finite values, after `shift` was allowed for.
  @MeasuredNumber public internal(set) var largest: Double
  /// The mean of all absolute differences.
  @MeasuredNumber public internal(set) var mean: Double
  /// The root of the mean of all squared differences.
  @MeasuredNumber public internal(set) var rmse: Double
  /// The peak signal-to-noise ratio in dB; infinite for equal pictures.
  @MeasuredNumber public internal(set) var psnr: Double
  /// The largest difference by the larger of both values, if measured.
  @OptionalMeasuredNumber public internal(set) var relative: Double?
  /// The largest difference in steps of the format, if measured.
  @OptionalMeasuredNumber public internal(set) var ulp: Double?
  /// How far the histograms differ, if measured.
  @OptionalMeasuredNumber public internal(set) var emd: Double?
  /// How many pixels differ by how much.
  public let census: DifferenceCensus
  /// The pixel that differs most; nil when none does.
  public let worst: PixelDifference?
  /// The largest groups of outliers, at most 16.
  public let clusters: [PixelCluster]
  /// How many groups there are in all.
  public let clusterCount: Int
  /// The fullest window, when the tolerance names its size.
  public let window: CrowdedWindow?
}

/// How many pixels differ by how much, in levels of 8 bits, by their largest channel.
public struct DifferenceCensus: Hashable, Sendable, Codable {
  /// Pixels that are equal.
  public let equal: Int
  /// Pixels that differ by at most one level.
  public let upTo1: Int
  /// By more than one and at most 4 levels.
  public let upTo4: Int
  /// By more than 4 and at most 16 levels.
  public let upTo16: Int
  /// By more than 16 and at most 64 levels.
  public let upTo64: Int
  /// By more than 64 levels.
  public let above64: Int
  /// Pixels where finite meets not finite, or NaN an infinity.
  public let nonFinite: Int
  /// Outliers that touch no other one.
  public let isolated: Int
  /// Outliers where the reference has an edge: its brightness changes by more than 16 levels to a neighbour.
  public let onEdges: Int
}

/// How many values are not finite, counted before anything else is measured.
public struct NonFiniteCensus: Hashable, Sendable, Codable {
  /// Channels of the actual picture that are NaN.
  public let actualNaN: Int
  /// Channels of the actual picture that are infinite.
  public let actualInfinite: Int
  /// Channels of the reference that are NaN.
  public let referenceNaN: Int
  /// Channels of the reference that are infinite.
  public let referenceInfinite: Int
  /// Pixels in which the policy calls a channel different.
  public let differingPixels: Int
  /// The first of those pixels from the top.
  public let first: PixelPlace?

  /// Whether every value of both pictures is finite.
  public var isEmpty: Bool { actualNaN + actualInfinite + referenceNaN + referenceInfinite == 0 }
}
