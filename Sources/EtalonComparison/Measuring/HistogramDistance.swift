internal import CComparison

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
