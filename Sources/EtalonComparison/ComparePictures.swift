public import EtalonTypes

/// Compares a picture with its reference.
///
/// Everything a tolerance limits is measured, and what `metrics` asks for; plain differences always are. Channels that a format lacks
/// count as 0, alpha as 1. A tolerance that has `problems(comparing:)` for pictures of their kind must not come here.
///
/// ```
/// let result = comparePictures(actual, reference, tolerance: Tolerance(channel: 1), metrics: [.ssim])
/// ```
///
/// **Concurrency**: may be called on any thread; the work is done on the thread that calls.
public func comparePictures(
  _ actual: PixelBuffer, _ reference: PixelBuffer, tolerance: Tolerance = .exact, metrics: Set<ComparisonMetric> = []
) -> PictureComparison {
  let problems = tolerance.problems(comparing: [ChannelKind(actual, reference)]).filter { !Tolerance.policyKeys.contains($0.key) }
  precondition(problems.isEmpty, "a tolerance that judges nothing: \(problems)")
  guard actual.size == reference.size else { return .sizeMismatch(actual, reference) }
  let measurement = PictureMeasurement(actual, reference, tolerance: tolerance, metrics: metrics.union(tolerance.neededMetrics))
  return PictureComparison(measurement, actual, reference, tolerance: tolerance)
}

extension Tolerance {
  /// The metrics that the limits need.
  var neededMetrics: Set<ComparisonMetric> {
    var needed: Set<ComparisonMetric> = []
    for limits in [color, effectiveAlpha] {
      if limits.relative != nil { needed.insert(.relative) }
      if limits.ulp != nil { needed.insert(.ulp) }
      if limits.emd != nil { needed.insert(.emd) }
    }
    if ssim != nil { needed.insert(.ssim) }
    if ssimGaussian != nil { needed.insert(.ssimGaussian) }
    if oklab != nil { needed.insert(.oklab) }
    if flip != nil { needed.insert(.flip) }
    if noise != nil { needed.insert(.noise) }
    if shift == 1 { needed.insert(.shift) }
    return needed
  }
}

extension PictureComparison {
  static func sizeMismatch(_ actual: PixelBuffer, _ reference: PixelBuffer) -> PictureComparison {
    PictureComparison(
      verdict: .sizeMismatch, actual: Picture(actual), reference: Picture(reference), unit: PicturePair.unit(actual, reference), limits: [],
      nonFinite: nil, color: nil, alpha: nil, ssim: nil, ssimGaussian: nil, oklab: nil, shift: nil, flip: nil, noise: nil)
  }

  init(_ measurement: PictureMeasurement, _ actual: PixelBuffer, _ reference: PixelBuffer, tolerance: Tolerance) {
    let limits = LimitJudge(measurement, tolerance: tolerance).results()
    self.init(
      verdict: limits.map(\.verdict).max() ?? .pass, actual: Picture(actual), reference: Picture(reference), unit: measurement.unit,
      limits: limits, nonFinite: measurement.nonFinite, color: measurement.color.comparison, alpha: measurement.alpha.comparison,
      ssim: measurement.ssim, ssimGaussian: measurement.ssimGaussian, oklab: measurement.oklab, shift: measurement.shift,
      flip: measurement.flip,
      noise: measurement.noise)
  }
}
