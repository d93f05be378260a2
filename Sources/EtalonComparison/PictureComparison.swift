import EtalonTypes

/// How two pictures of the same size differ, and whether a tolerance allows that.
///
/// ```
/// let result = comparePictures(actual, reference, tolerance: Tolerance(channel: 1))
/// if result.verdict.isFailure { print(result.summary) }
/// ```
///
/// **Concurrency**: an immutable value.
public struct PictureComparison: Hashable, Sendable, Codable {
  /// Size and format of a picture.
  public struct Picture: Hashable, Sendable, Codable {
    /// Pixels from left to right.
    public let width: Int
    /// Pixels from bottom to top.
    public let height: Int
    /// How a pixel lies in memory, such as `rgba8`.
    public let format: String
    /// What the fourth channel means.
    public let alpha: String

    init(_ picture: PixelBuffer) {
      width = picture.size.width
      height = picture.size.height
      format = picture.format.rawValue
      alpha = picture.alpha.rawValue
    }
  }

  /// What the tolerance says.
  public let verdict: ComparisonVerdict
  /// The picture that was judged.
  public let actual: Picture
  /// The picture it was judged by.
  public let reference: Picture
  /// What differences of channels are counted in.
  public let unit: DifferenceUnit
  /// Every limit of the tolerance with what was measured, color before alpha.
  public let limits: [LimitResult]
  /// Values that are not finite.
  public let nonFinite: NonFiniteCensus?
  /// The color channels; nil when the sizes differ.
  public let color: ChannelComparison?
  /// The alpha channel; nil when the sizes differ.
  public let alpha: ChannelComparison?
  /// Structural similarity of the brightness, if measured.
  @OptionalMeasuredNumber public internal(set) var ssim: Double?
  /// Structural similarity of the color channels in Gaussian windows, if measured.
  @OptionalMeasuredNumber public internal(set) var ssimGaussian: Double?
  /// Distances in OKLab, if measured.
  public let oklab: OKLabMeasurement?
  /// What a shift by a pixel explains, if measured.
  public let shift: ShiftMeasurement?
  /// How visible the difference is, if measured.
  public let flip: FLIPMeasurement?
  /// Whether the difference may be noise, if measured.
  public let noise: NoiseMeasurement?
}

/// How probable it is that two pictures are draws of the same noise.
///
/// The means of windows are compared, channel by channel, with a t-test: their difference in standard errors, which follow from how much the pixels of
/// the window scatter. Windows have 8×8 pixels, 16×16, and so on up to the whole picture. The probability is that of the largest difference by chance, with
/// Šidák's correction for the number of all windows.
public struct NoiseMeasurement: Hashable, Sendable, Codable {
  /// From 0 to 1.
  @MeasuredNumber public internal(set) var probability: Double
  /// The largest difference in standard errors of a normal distribution.
  @MeasuredNumber public internal(set) var largest: Double
  /// The upper left corner of its window.
  public let place: PixelPlace
  /// The width of its window; the last one of a row is up to twice as wide as the others.
  public let width: Int
  /// The height of its window.
  public let height: Int
}

/// Distances of colors in OKLab.
public struct OKLabMeasurement: Hashable, Sendable, Codable {
  /// The mean of all distances.
  @MeasuredNumber public internal(set) var mean: Double
  /// The largest distance.
  @MeasuredNumber public internal(set) var largest: Double
  /// From which distance pixels were counted.
  @MeasuredNumber public internal(set) var distance: Double
  /// How many pixels lie beyond that distance.
  public let pixels: Int
  /// The window with the most of them; nil when the whole picture counts.
  public let window: CrowdedWindow?
}

/// How many outliers are explained by something that moved by at most a pixel.
public struct ShiftMeasurement: Hashable, Sendable, Codable {
  /// The outliers without looking at neighbors.
  public let outliers: Int
  /// The outliers that differ from all neighbors, too.
  public let unexplained: Int
  /// Whether anything differs without looking at neighbors, in color or in alpha.
  public let differs: Bool
}

/// How visible a difference is, by FLIP: 0 to 1.
public struct FLIPMeasurement: Hashable, Sendable, Codable {
  /// The mean over all pixels.
  @MeasuredNumber public internal(set) var mean: Double
  /// The largest value.
  @MeasuredNumber public internal(set) var largest: Double
  /// What half of the pixels stay within.
  @MeasuredNumber public internal(set) var median: Double
  /// What 95 percent of the pixels stay within.
  @MeasuredNumber public internal(set) var percentile95: Double
  /// What 99 percent of the pixels stay within.
  @MeasuredNumber public internal(set) var percentile99: Double
  /// What the share of pixels that the tolerance names stays within.
  @OptionalMeasuredNumber public internal(set) var limitedPercentile: Double?
  /// The exposures at which pictures of floats were looked at; nil for those of integers.
  public let exposures: Exposures?

  /// Exposures in even steps, in powers of two; the largest difference of all counts.
  public struct Exposures: Hashable, Sendable, Codable {
    /// Where the brightest pixel of the reference is bright.
    @MeasuredNumber public internal(set) var start: Double
    /// Where its median pixel is.
    @MeasuredNumber public internal(set) var stop: Double
    /// How many there are.
    public let count: Int
  }
}

/// What a comparison says about two pictures.
public enum ComparisonVerdict: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// Every limit holds.
  case pass
  /// Every limit to fail at holds, one to warn at does not.
  case warn
  /// A limit does not hold.
  case fail
  /// The pictures have different sizes, so nothing was measured.
  case sizeMismatch

  /// Whether the pictures count as different.
  public var isFailure: Bool { self >= .fail }

  /// Later cases are worse.
  public static func < (left: Self, right: Self) -> Bool { rank(left) < rank(right) }

  private static func rank(_ verdict: Self) -> Int { allCases.firstIndex(of: verdict) ?? 0 }
}

/// What differences of channels are counted in.
public enum DifferenceUnit: String, Hashable, Sendable, Codable {
  /// 1/255: both pictures have integer channels.
  case levels
  /// The numbers as they are: one picture has float channels.
  case absolute
}

/// What a comparison measures beside the differences of channels, which it always does.
public enum ComparisonMetric: String, Hashable, Sendable, Codable, CaseIterable {
  case relative, ulp, emd, ssim, ssimGaussian, oklab, shift, flip, noise
}

// MARK: - channels

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

// MARK: - places

/// Where a pixel is, counted from the left and from both ends.
///
/// **Concurrency**: an immutable value.
public struct PixelPlace: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The column, 0 at the left.
  public let x: Int
  /// The row, 0 at the top, as picture viewers count.
  public let yFromTop: Int
  /// The row, 0 at the bottom, as shaders count.
  public let yFromBottom: Int

  init(x: Int, yFromTop: Int, height: Int) {
    self.x = x
    self.yFromTop = yFromTop
    yFromBottom = height - 1 - yFromTop
  }

  /// `(3, 5 from the top, 58 from the bottom)`.
  public var description: String { "(\(x), \(yFromTop) from the top, \(yFromBottom) from the bottom)" }
}

/// The pixel that differs most, with what both pictures have there.
public struct PixelDifference: Hashable, Sendable, Codable {
  /// Where it is.
  public let place: PixelPlace
  /// The channel that differs most: `r`, `g`, `b` or `a`.
  public let channel: String
  /// By how much, in the unit of the comparison.
  @MeasuredNumber public internal(set) var difference: Double
  /// The channels of the actual picture, in levels of its format or as they are.
  public let actual: [MeasuredNumber]
  /// The channels of the reference.
  public let reference: [MeasuredNumber]
}

/// Outliers that touch each other, corners included.
public struct PixelCluster: Hashable, Sendable, Codable {
  /// How many pixels belong to it.
  public let pixels: Int
  /// The upper left corner of the smallest box around it.
  public let topLeft: PixelPlace
  /// The lower right corner of that box, which belongs to it.
  public let bottomRight: PixelPlace

  /// The width of the box.
  public var width: Int { bottomRight.x - topLeft.x + 1 }
  /// The height of the box.
  public var height: Int { bottomRight.yFromTop - topLeft.yFromTop + 1 }
}

/// The square with the most outliers.
public struct CrowdedWindow: Hashable, Sendable, Codable {
  /// The side of the square.
  public let size: Int
  /// How many outliers lie in it.
  public let pixels: Int
  /// Its upper left corner.
  public let topLeft: PixelPlace
}
