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
  let ssimGaussian: Double?
  let oklab: OKLabMeasurement?
  let shift: ShiftMeasurement?
  let flip: FLIPMeasurement?
  let noise: NoiseMeasurement?

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
    let judged = tolerance.shift == 1 ? maps.shifted(pair) : maps
    color = measurer.measure(.color, judged.color, tolerance.effectiveColor)
    alpha = measurer.measure(.alpha, judged.alpha, tolerance.effectiveAlpha)
    shift = metrics.contains(.shift) ? maps.shift(pair, beyond: tolerance.effectiveColor.outlierLevel) : nil
    ssim = metrics.contains(.ssim) ? pair.structuralSimilarity() : nil
    ssimGaussian = metrics.contains(.ssimGaussian) ? pair.gaussianSimilarity() : nil
    oklab = metrics.contains(.oklab) ? pair.oklab(tolerance.oklab) : nil
    flip = metrics.contains(.flip) ? FLIPMeasurement(pair, tolerance.flip) : nil
    noise = metrics.contains(.noise) ? pair.noise() : nil
  }
}

/// The differences of all pixels, over color and in alpha; nil where nothing differs.
struct DifferenceMaps {
  let color: DifferenceMap?
  let alpha: DifferenceMap?
  let sums: comparison_sums

  init(_ pair: PicturePair) {
    let count = pair.size.pixelCount
    var sums = comparison_sums()
    var alpha: [Float] = []
    let color = unsafe [Float](unsafeUninitializedCapacity: count) { color, used in
      alpha = unsafe [Float](unsafeUninitializedCapacity: count) { alpha, alphaUsed in
        unsafe pair.withPair { unsafe comparison_differences($0, color.baseAddress, alpha.baseAddress, &sums) }
        alphaUsed = sums.alpha_differs ? count : 0
      }
      used = count
    }
    self.init(
      color: sums.color_differs ? DifferenceMap(values: color, size: pair.size) : nil,
      alpha: sums.alpha_differs ? DifferenceMap(values: alpha, size: pair.size) : nil, sums: sums)
  }

  private init(color: DifferenceMap?, alpha: DifferenceMap?, sums: comparison_sums) {
    self.color = color
    self.alpha = alpha
    self.sums = sums
  }

  /// The same with every pixel compared with the nearest value among its neighbors.
  func shifted(_ pair: PicturePair) -> DifferenceMaps {
    var color = color?.values ?? [], alpha = alpha?.values ?? []
    unsafe color.withUnsafeMutableBufferPointer { color in
      unsafe alpha.withUnsafeMutableBufferPointer { alpha in
        unsafe pair.withPair {
          unsafe comparison_shifted($0, 0, color.isEmpty ? nil : color.baseAddress, alpha.isEmpty ? nil : alpha.baseAddress)
        }
      }
    }
    return DifferenceMaps(
      color: color.isEmpty ? nil : DifferenceMap(values: color, size: pair.size),
      alpha: alpha.isEmpty ? nil : DifferenceMap(values: alpha, size: pair.size), sums: sums)
  }
}

extension DifferenceMaps {
  /// How many outliers a shift by a pixel explains.
  func shift(_ pair: PicturePair, beyond level: Double) -> ShiftMeasurement {
    guard let color else { return ShiftMeasurement(outliers: 0, unexplained: 0, differs: alpha != nil) }
    let unexplained = unsafe color.values.withUnsafeBufferPointer { values in
      unsafe pair.withPair { unsafe comparison_count_unexplained($0, DifferenceMap.float(level), values.baseAddress) }
    }
    return ShiftMeasurement(outliers: color.count(beyond: level), unexplained: unexplained, differs: true)
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
