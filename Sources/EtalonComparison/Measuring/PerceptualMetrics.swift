internal import CComparison
internal import EtalonTypes
internal import Foundation

extension PicturePair {
  /// The structural similarity of the brightness: 1 for equal pictures.
  func structuralSimilarity() -> Double { unsafe withPair { unsafe comparison_structural_similarity($0) } }

  /// The same of each color channel in Gaussian windows; nil for pictures smaller than a window.
  func gaussianSimilarity() -> Double? {
    guard min(size.width, size.height) >= Tolerance.gaussianWindow else { return nil }
    return unsafe withPair { unsafe comparison_gaussian_similarity($0) }
  }

  /// How probable it is that the means of windows differ only because the pixels scatter.
  func noise() -> NoiseMeasurement {
    let found = unsafe withPair { unsafe comparison_noise($0) }
    // The chance of one window and channel, then of the largest of all.
    let single = erfc(found.largest / 2.0.squareRoot())
    let probability = -expm1(Double(found.windows * 3) * log1p(-min(single, 1)))
    return NoiseMeasurement(
      probability: probability, largest: found.largest, place: PixelPlace(x: found.x, yFromTop: found.y, height: size.height),
      width: found.width, height: found.height)
  }

  /// Distances of colors; without a limit pixels beyond 0.02, about what an eye notices, are counted.
  func oklab(_ limit: OKLabLimit?) -> OKLabMeasurement {
    let distance = limit?.distance ?? 0.02
    var distances = comparison_distances()
    let marks = unsafe [UInt8](unsafeUninitializedCapacity: size.pixelCount) { marks, used in
      distances = unsafe withPair { unsafe comparison_oklab($0, DifferenceMap.float(distance), marks.baseAddress) }
      used = size.pixelCount
    }
    let outliers = OutlierMarks(marks: marks, count: Int(distances.marks), size: size)
    return OKLabMeasurement(
      mean: distances.sum / Double(size.pixelCount), largest: Double(distances.largest), distance: distance, pixels: outliers.count,
      window: limit?.window.map { outliers.fullestWindow($0) })
  }
}

// MARK: - FLIP

extension PicturePair {
  /// The exposures at which pictures of floats are looked at; nil where one has integers, which are looked at as they are.
  var exposures: comparison_exposures? {
    guard actual.format.isFloat, reference.format.isFloat else { return nil }
    return unsafe withPair { unsafe comparison_find_exposures($0) }
  }

  /// How visible the difference is at every pixel.
  func flip(pixelsPerDegree: Double?, exposures: comparison_exposures?) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: size.pixelCount) { map, used in
      let density = Float(pixelsPerDegree ?? FLIPMeasurement.usualDensity)
      unsafe withPair { pair in
        if var exposures {
          unsafe comparison_flip(pair, density, &exposures, map.baseAddress)
        } else {
          unsafe comparison_flip(pair, density, nil, map.baseAddress)
        }
      }
      used = size.pixelCount
    }
  }

  /// The same with the exposures that suit the pictures.
  func flip(pixelsPerDegree: Double?) -> [Float] { flip(pixelsPerDegree: pixelsPerDegree, exposures: exposures) }
}

extension FLIPMeasurement {
  /// The pixels that a degree of sight covers on a 4K monitor, 0.7 m wide and 0.7 m away.
  static let usualDensity = 3840 * 3.14159265358979 / 180

  init(_ pair: PicturePair, _ limit: FLIPLimit?) {
    let exposures = pair.exposures
    let map = pair.flip(pixelsPerDegree: limit?.pixelsPerDegree, exposures: exposures)
    var bins = [UInt64](repeating: 0, count: Self.binCount)
    var statistics = comparison_map_statistics()
    unsafe map.withUnsafeBufferPointer { map in
      unsafe bins.withUnsafeMutableBufferPointer { bins in
        statistics = unsafe comparison_summarize_map(map.baseAddress, map.count, bins.baseAddress, bins.count)
      }
    }
    let percentiles = MapPercentiles(bins: bins, largest: Double(statistics.largest))
    self.init(
      mean: statistics.sum / Double(map.count), largest: Double(statistics.largest), median: percentiles.value(50),
      percentile95: percentiles.value(95), percentile99: percentiles.value(99),
      limitedPercentile: limit?.percentile.map { percentiles.value($0.percent) },
      exposures: exposures.map { Exposures(start: Double($0.start), stop: Double($0.stop), count: Int($0.count)) })
  }

  private static let binCount = (1 << 14) + 1
}

/// What shares of pixels stay within, read from a histogram: the first bin holds zeros, the others divide 0 to 1.
private struct MapPercentiles {
  let bins: [UInt64]
  let largest: Double

  /// The upper end of the bin in which the share is reached, and never more than the largest value.
  func value(_ percent: Double) -> Double {
    let goal = percent / 100 * Double(bins.reduce(0, +))
    var reached = 0.0
    for (index, count) in bins.enumerated() where count > 0 {
      reached += Double(count)
      if reached >= goal { return min(largest, Double(index) / Double(bins.count - 1)) }
    }
    return largest
  }
}

// MARK: - histograms

/// How far the histograms of both pictures are apart: what it costs to turn one into the other, with black and white 1 apart.
struct HistogramDistance {
  private let channels: [Double]

  init(_ pair: PicturePair) {
    let actual = Self.bins(pair, ofReference: false), reference = Self.bins(pair, ofReference: true)
    channels = (0..<4).map { channel in
      Self.distance(actual[(channel * 256)..<(channel * 256 + 256)], reference[(channel * 256)..<(channel * 256 + 256)])
    }
  }

  /// The distance of the worst channel of a group.
  func distance(_ group: ChannelGroup) -> Double { channels[group.channels].max() ?? 0 }

  private static func bins(_ pair: PicturePair, ofReference: Bool) -> [UInt64] {
    var bins = [UInt64](repeating: 0, count: 4 * 256)
    unsafe bins.withUnsafeMutableBytes { bytes in
      let rows = unsafe bytes.bindMemory(to: (comparison_bins).self)
      unsafe pair.withPair { unsafe comparison_histogram($0, ofReference, rows.baseAddress) }
    }
    return bins
  }

  private static func distance(_ left: ArraySlice<UInt64>, _ right: ArraySlice<UInt64>) -> Double {
    let leftTotal = Double(max(1, left.reduce(0, +))), rightTotal = Double(max(1, right.reduce(0, +)))
    var moved = 0.0, cost = 0.0
    for (a, b) in zip(left, right) {
      moved += Double(a) / leftTotal - Double(b) / rightTotal
      cost += abs(moved)
    }
    return cost / 255
  }
}
