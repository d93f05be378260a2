internal import CComparison
import EtalonTypes

/// Everything that is measured before limits are judged.
struct PictureMeasurement {
  let unit: DifferenceUnit
  let pixelCount: Int
  let nonFinite: NonFiniteCensus
  let color: GroupMeasurement
  let alpha: GroupMeasurement
  let ssim: Double?
  let oklab: OKLabMeasurement?
  let shift: ShiftMeasurement?
  let flip: FLIPMeasurement?

  init(_ actual: PixelBuffer, _ reference: PixelBuffer, tolerance: Tolerance, metrics: Set<ComparisonMetric>) {
    let steps = metrics.contains(.relative) || metrics.contains(.ulp)
    let pair = PicturePair(actual, reference, tolerance: tolerance, measuresSteps: steps)
    let unit = PicturePair.unit(actual, reference)
    let maps = DifferenceMaps(pair)
    let measurer = GroupMeasurer(
      pair: pair, unit: unit, sums: maps.sums, metrics: metrics,
      histograms: metrics.contains(.emd) ? HistogramDistance(pair) : nil)
    self.unit = unit
    pixelCount = pair.size.pixelCount
    nonFinite = NonFiniteCensus(maps.sums, pair.size)
    let level = tolerance.effectiveColor.outlierLevel
    let shifted = tolerance.shift == 1 || metrics.contains(.shift) ? maps.shifted(pair, beyond: tolerance.shift == 1 ? 0 : level) : nil
    let judged = tolerance.shift == 1 ? shifted ?? maps : maps
    color = measurer.measure(.color, judged.color, tolerance.effectiveColor)
    alpha = measurer.measure(.alpha, judged.alpha, tolerance.effectiveAlpha)
    shift = shifted.map { shifted in
      ShiftMeasurement(outliers: maps.color.marks(beyond: level).count, unexplained: shifted.color.marks(beyond: level).count)
    }
    ssim = metrics.contains(.ssim) ? pair.structuralSimilarity() : nil
    oklab = metrics.contains(.oklab) ? pair.oklab(tolerance.oklab) : nil
    flip = metrics.contains(.flip) ? FLIPMeasurement(pair, tolerance.flip) : nil
  }
}

/// The differences of all pixels, over colour and in alpha.
struct DifferenceMaps {
  let color: DifferenceMap
  let alpha: DifferenceMap
  let sums: comparison_sums

  init(_ pair: PicturePair) {
    let count = pair.size.pixelCount
    var sums = comparison_sums()
    var alpha: [Float] = []
    let color = unsafe [Float](unsafeUninitializedCapacity: count) { color, used in
      alpha = unsafe [Float](unsafeUninitializedCapacity: count) { alpha, used in
        unsafe pair.withPair { unsafe comparison_differences($0, color.baseAddress, alpha.baseAddress, &sums) }
        used = count
      }
      used = count
    }
    self.init(color: DifferenceMap(values: color, size: pair.size), alpha: DifferenceMap(values: alpha, size: pair.size), sums: sums)
  }

  private init(color: DifferenceMap, alpha: DifferenceMap, sums: comparison_sums) {
    self.color = color
    self.alpha = alpha
    self.sums = sums
  }

  /// The same with pixels beyond a level compared with the nearest value among their neighbours.
  func shifted(_ pair: PicturePair, beyond level: Double) -> DifferenceMaps {
    var color = color.values, alpha = alpha.values
    unsafe color.withUnsafeMutableBufferPointer { color in
      unsafe alpha.withUnsafeMutableBufferPointer { alpha in
        unsafe pair.withPair { unsafe comparison_shifted($0, DifferenceMap.float(level), color.baseAddress, alpha.baseAddress) }
      }
    }
    return DifferenceMaps(
      color: DifferenceMap(values: color, size: pair.size), alpha: DifferenceMap(values: alpha, size: pair.size), sums: sums)
  }
}

extension NonFiniteCensus {
  init(_ sums: comparison_sums, _ size: Size) {
    let first =
      sums.nonfinite_pixels > 0
      ? PixelPlace(x: sums.first_nonfinite % size.width, yFromTop: sums.first_nonfinite / size.width, height: size.height) : nil
    self.init(
      actualNaN: Int(sums.nan.0), actualInfinite: Int(sums.infinite.0), referenceNaN: Int(sums.nan.1),
      referenceInfinite: Int(sums.infinite.1), differingPixels: Int(sums.nonfinite_pixels), first: first)
  }
}
