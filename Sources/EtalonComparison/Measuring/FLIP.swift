internal import CComparison
import EtalonTypes

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
