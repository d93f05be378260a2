public import EtalonTypes

/// Compares a picture with its reference.
///
/// Everything a tolerance limits is measured, and what `metrics` asks for; plain differences always are. Channels that a format lacks
/// count as 0, alpha as 1. The tolerance must have no `diagnostics(comparing:)` for pictures of their kind.
///
/// ```
/// let result = comparePictures(actual, reference, tolerance: Tolerance(channel: 1), metrics: [.ssim])
/// ```
///
/// **Concurrency**: may be called on any thread; the work is done on the thread that calls.
public func comparePictures(
  _ actual: PixelBuffer, _ reference: PixelBuffer, tolerance: Tolerance = .exact, metrics: Set<ComparisonMetric> = []
) -> PictureComparison {
  let diagnostics = tolerance.diagnostics(comparing: [ChannelKind(actual, reference)]).filter { !Tolerance.policyKeys.contains($0.key) }
  precondition(diagnostics.isEmpty, "a tolerance that judges nothing: \(diagnostics)")
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

// MARK: - limits

/// Compares what was measured with the limits of a tolerance.
private struct LimitJudge {
  private let measurement: PictureMeasurement
  private let tolerance: Tolerance

  init(_ measurement: PictureMeasurement, tolerance: Tolerance) {
    self.measurement = measurement
    self.tolerance = tolerance
  }

  /// Every limit with its verdict.
  func results() -> [LimitResult] {
    var results = nonFinite()
    results += channels(measurement.color, tolerance.effectiveColor)
    if let limit = tolerance.ssim, let value = measurement.ssim { results.append(LimitResult("ssim", value, limit, isMinimum: true)) }
    // A similarity that could not be measured fails its limit.
    if let limit = tolerance.ssimGaussian {
      results.append(LimitResult("ssimGaussian", measurement.ssimGaussian ?? .nan, limit, isMinimum: true))
    }
    if let flip = tolerance.flip, let measured = measurement.flip {
      if let limit = flip.mean { results.append(LimitResult("flip.mean", measured.mean, limit)) }
      if let limit = flip.percentile, let value = measured.limitedPercentile {
        results.append(LimitResult("flip.percentile.value", value, limit.value))
      }
    }
    if let limit = tolerance.oklab, let measured = measurement.oklab {
      results.append(LimitResult("oklab.pixels", Double(measured.window?.pixels ?? measured.pixels), limit.pixels, unit: "px"))
    }
    if let limit = tolerance.noise, let measured = measurement.noise {
      results.append(LimitResult("noise", measured.probability, limit, isMinimum: true))
    }
    return results + channels(measurement.alpha, tolerance.effectiveAlpha)
  }

  private func nonFinite() -> [LimitResult] {
    guard !measurement.nonFinite.isEmpty else { return [] }
    return [LimitResult("nan", Double(measurement.nonFinite.differingPixels), Limit(fail: 0), unit: "px")]
  }

  private func channels(_ measured: GroupMeasurement, _ limits: ChannelTolerance) -> [LimitResult] {
    let unit = measurement.unit == .levels ? "levels" : ""
    let found = measured.comparison
    var results: [LimitResult] = []
    func add(_ key: String, _ value: Double?, _ limit: Limit?, _ unit: String = "", isMinimum: Bool = false) {
      guard let limit, let value else { return }
      results.append(LimitResult(measured.group.keyPrefix + key, value, limit, unit: unit, isMinimum: isMinimum))
    }
    if let outliers = limits.outliers {
      results.append(judge(outliers, measured, limits))
    } else {
      add("channel", largest(found), limits.channel, unit)
    }
    add("ceiling", largest(found), limits.ceiling, unit)
    add("relative", found.relative, limits.relative)
    add("ulp", found.ulp, limits.ulp, "steps")
    add("mean", found.mean, limits.mean, unit)
    add("rmse", found.rmse, limits.rmse, unit)
    add("psnr", found.psnr, limits.psnr, "dB", isMinimum: true)
    add("window.outliers", found.window.map { Double($0.pixels) }, limits.window?.outliers, "px")
    add("emd", found.emd, limits.emd)
    return results
  }

  /// The largest difference; infinite where finite met not finite.
  private func largest(_ found: ChannelComparison) -> Double { found.census.nonFinite > 0 ? .infinity : found.largest }

  /// The pixels beyond the level to fail at and those beyond the level to warn at are counted apart.
  private func judge(_ outliers: CountLimit, _ measured: GroupMeasurement, _ limits: ChannelTolerance) -> LimitResult {
    let pixels = measurement.pixelCount
    let level = limits.outlierLevel, warnLevel = limits.channel?.warn ?? level
    let failing = measured.outliers(beyond: level)
    let failLimit = outliers.fail.map { $0.count(of: pixels) }
    let hasWarning = outliers.warn != nil || limits.channel?.warn != nil
    let warnLimit = hasWarning ? (outliers.warn ?? outliers.fail)?.count(of: pixels) : nil
    let fails = failLimit.map { Double(failing) > $0 } ?? false
    let warns = warnLimit.map { Double(measured.outliers(beyond: warnLevel)) > $0 } ?? false
    return LimitResult(
      key: measured.group.keyPrefix + "outliers", value: Double(failing), warn: warnLimit, fail: failLimit, isMinimum: false, unit: "px",
      margin: (failLimit ?? warnLimit ?? 0) - Double(failing), verdict: fails ? .fail : warns ? .warn : .pass)
  }
}

extension LimitResult {
  init(_ key: String, _ value: Double, _ limit: Limit, unit: String = "", isMinimum: Bool = false) {
    let level = limit.fail ?? limit.warn ?? 0
    func isBeyond(_ level: Double?) -> Bool {
      guard let level else { return false }
      // NaN is beyond every limit.
      return isMinimum ? !(value >= level) : !(value <= level)
    }
    self.init(
      key: key, value: value, warn: limit.warn, fail: limit.fail, isMinimum: isMinimum, unit: unit,
      margin: isMinimum ? value - level : level - value, verdict: isBeyond(limit.fail) ? .fail : isBeyond(limit.warn) ? .warn : .pass)
  }
}
