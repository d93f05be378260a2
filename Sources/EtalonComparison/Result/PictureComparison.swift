import EtalonTypes

/// What two pictures of the same size have in common, and whether that is enough.
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
