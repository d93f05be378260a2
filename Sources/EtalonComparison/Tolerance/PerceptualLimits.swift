/// Limits of FLIP, which tells how visible a difference is to a person who flips between both pictures: 0 to 1.
public struct FLIPLimit: Hashable, Sendable, Codable {
  /// The mean over all pixels.
  public var mean: Limit?
  /// A percentile of the pixels.
  public var percentile: PercentileLimit?
  /// How many pixels a degree of sight covers; 67 without it, a 4K monitor of 0.7 m at 0.7 m.
  public var pixelsPerDegree: Double?

  /// Makes limits.
  public init(mean: Limit? = nil, percentile: PercentileLimit? = nil, pixelsPerDegree: Double? = nil) {
    self.mean = mean
    self.percentile = percentile
    self.pixelsPerDegree = pixelsPerDegree
  }
}

/// What a share of the pixels must stay within.
public struct PercentileLimit: Hashable, Sendable, Codable {
  /// Which share, such as 99.
  public var percent: Double
  /// What that share must stay within.
  public var value: Limit

  /// Makes a limit.
  public init(percent: Double, value: Limit) {
    self.percent = percent
    self.value = value
  }
}

/// A limit of color distances in OKLab (HyAB: lightness apart from hue and chroma).
public struct OKLabLimit: Hashable, Sendable, Codable {
  /// From which distance two colors count as different; black and white are 1 apart.
  public var distance: Double
  /// The side of the window in which pixels are counted; the whole picture without it.
  public var window: Int?
  /// How many pixels may count as different in any window.
  public var pixels: Limit

  /// Makes a limit.
  public init(distance: Double, window: Int? = nil, pixels: Limit) {
    self.distance = distance
    self.window = window
    self.pixels = pixels
  }
}
