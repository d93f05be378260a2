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
  /// How far no pixel may ever differ, outliers included.
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
  public var isEmpty: Bool { self == ChannelTolerance() }

  /// Beyond which difference a pixel is an outlier: the level of `channel`, 0 without one.
  public var outlierLevel: Double { channel.flatMap { $0.fail ?? $0.warn } ?? 0 }
}

/// A defect packs densely where noise is spread: how many outliers one window may hold.
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
