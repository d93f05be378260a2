internal import CComparison
internal import EtalonTypes

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

// MARK: - groups of channels

/// The channels that are judged together.
enum ChannelGroup {
  case color, alpha

  /// Their places in a pixel.
  var channels: Range<Int> { self == .color ? 0..<3 : 3..<4 }

  /// The prefix of the keys of their limits.
  var keyPrefix: String { self == .color ? "" : "alpha." }
}

/// What was measured on a group of channels; keeps the map for the counts that limits ask for.
struct GroupMeasurement {
  let group: ChannelGroup
  let map: DifferenceMap?
  let comparison: ChannelComparison

  /// How many pixels lie beyond a level.
  func outliers(beyond level: Double) -> Int {
    level == comparison.outlierLevel ? comparison.outliers : map?.count(beyond: level) ?? 0
  }
}

/// Measures a group of channels from its map and the sums.
private struct GroupMeasurer {
  let pair: PicturePair
  let unit: DifferenceUnit
  let sums: comparison_sums
  let metrics: Set<ComparisonMetric>
  let histograms: HistogramDistance?

  func measure(_ group: ChannelGroup, _ map: DifferenceMap?, _ limits: ChannelTolerance) -> GroupMeasurement {
    guard let map else { return GroupMeasurement(group: group, map: nil, comparison: equal(limits, emd: histograms?.distance(group))) }
    let census = map.census(unit)
    let marks = map.marks(beyond: limits.outlierLevel)
    let clusters = marks.clusters(atMost: 16)
    let (mean, square) = means(group)
    let worst = worst(group, map, census)
    let comparison = ChannelComparison(
      differing: map.values.count - Int(census.counts.0), outliers: marks.count, outlierLevel: limits.outlierLevel,
      largest: Double(census.largest), mean: mean, rmse: square.squareRoot(), psnr: signalToNoise(square),
      relative: metrics.contains(.relative) ? largest(group, sums.relative) : nil,
      ulp: metrics.contains(.ulp) ? largest(group, sums.steps) : nil, emd: histograms?.distance(group),
      census: DifferenceCensus(census, isolated: clusters.isolated, onEdges: marks.onEdges(pair)), worst: worst,
      clusters: clusters.largest, clusterCount: clusters.count, window: limits.window.map { marks.fullestWindow($0.size) })
    return GroupMeasurement(group: group, map: map, comparison: comparison)
  }

  /// The numbers of a group in which nothing differs.
  private func equal(_ limits: ChannelTolerance, emd: Double?) -> ChannelComparison {
    let none = OutlierMarks(marks: [], count: 0, size: pair.size)
    return ChannelComparison(
      differing: 0, outliers: 0, outlierLevel: limits.outlierLevel, largest: 0, mean: 0, rmse: 0, psnr: .infinity,
      relative: metrics.contains(.relative) ? 0 : nil, ulp: metrics.contains(.ulp) ? 0 : nil, emd: emd,
      census: DifferenceCensus(
        equal: pair.size.pixelCount, upTo1: 0, upTo4: 0, upTo16: 0, upTo64: 0, above64: 0, nonFinite: 0, isolated: 0, onEdges: 0),
      worst: nil, clusters: [], clusterCount: 0, window: limits.window.map { none.fullestWindow($0.size) })
  }

  /// The means of the differences and of their squares over all channels of finite pixels.
  private func means(_ group: ChannelGroup) -> (absolute: Double, squared: Double) {
    let numbers = Double(sums.finite_pixels) * Double(group.channels.count)
    guard numbers > 0 else { return (0, 0) }
    return (sum(group, sums.absolute) / numbers, sum(group, sums.squared) / numbers)
  }

  private func signalToNoise(_ square: Double) -> Double {
    square == 0 ? .infinity : 10 * PlainNumber.logarithm((unit == .levels ? 255.0 * 255.0 : 1) / square)
  }

  private func sum(_ group: ChannelGroup, _ values: (Double, Double, Double, Double)) -> Double {
    group == .color ? values.0 + values.1 + values.2 : values.3
  }

  private func largest<Number: BinaryFloatingPoint>(_ group: ChannelGroup, _ values: (Number, Number, Number, Number)) -> Double {
    Double(group == .color ? max(values.0, values.1, values.2) : values.3)
  }

  private func worst(_ group: ChannelGroup, _ map: DifferenceMap, _ census: comparison_census) -> PixelDifference? {
    guard census.largest > 0 else { return nil }
    let actual = Self.pixel(pair.actual, census.index), reference = Self.pixel(pair.reference, census.index)
    // The formats may differ in their levels; the channel is chosen by fractions of white.
    let fractions = group.channels.map { channel in
      abs(actual[channel] / Self.white(pair.actual) - reference[channel] / Self.white(pair.reference))
    }
    let channel = fractions.indices.max { fractions[$0] < fractions[$1] } ?? 0
    return PixelDifference(
      place: map.place(census.index), channel: ["r", "g", "b", "a"][group.channels.lowerBound + channel],
      difference: Double(census.largest),
      actual: actual.map { MeasuredNumber(wrappedValue: Double($0)) }, reference: reference.map { MeasuredNumber(wrappedValue: Double($0)) }
    )
  }

  private static func white(_ picture: PixelBuffer) -> Float {
    picture.format.isFloat ? 1 : picture.format.bytesPerChannel == 1 ? 255 : 65535
  }

  private static func pixel(_ picture: PixelBuffer, _ index: Int) -> [Float] {
    var values = [Float](repeating: 0, count: 4)
    let other = PicturePair(picture, picture)
    unsafe other.withPair { pair in
      var held = unsafe pair.pointee.actual
      unsafe values.withUnsafeMutableBufferPointer { values in unsafe comparison_read_pixel(&held, index, values.baseAddress) }
    }
    return values
  }
}

extension DifferenceCensus {
  init(_ census: comparison_census, isolated: Int, onEdges: Int) {
    let counts = census.counts
    self.init(
      equal: Int(counts.0), upTo1: Int(counts.1), upTo4: Int(counts.2), upTo16: Int(counts.3), upTo64: Int(counts.4),
      above64: Int(counts.5), nonFinite: Int(counts.6), isolated: isolated, onEdges: onEdges)
  }
}
