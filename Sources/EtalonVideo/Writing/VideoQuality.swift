/// How much of a picture a codec may lose, from 0 to 100 (`--quality`).
///
/// One number for all codecs. Between the rows numbers are interpolated; `75` is what is used where none is given.
///
/// | quality | `h264`: crf | `hevc`: crf | `av1`: crf | `vp9`: crf | `prores` | `prores4444` |
/// |---|---|---|---|---|---|---|
/// | 100 | every bit of the planes is kept | every bit is kept | every bit is kept, by libaom | every bit is kept | 422 HQ | 4444 XQ |
/// | 90 | 14 | 16 | 20 | 18 | 422 HQ | 4444 XQ |
/// | 75 | 20 | 22 | 30 | 28 | 422 HQ | 4444 |
/// | 50 | 26 | 28 | 40 | 38 | 422 | 4444 |
/// | 25 | 33 | 35 | 51 | 50 | 422 LT | 4444 |
/// | 0 | 44 | 46 | 63 | 63 | 422 Proxy | 4444 |
package struct VideoQuality: Sendable, Hashable {
  /// From 0 to 100.
  package let number: Int

  package static let standard = VideoQuality(number: 75)

  private init(number: Int) { self.number = number }

  /// Nil for a number below 0 or above 100.
  package init?(_ number: Int) {
    guard (0...100).contains(number) else { return nil }
    self.init(number: number)
  }

  /// The rate factor of libx264, in tenths.
  var h264Factor: Int { interpolated([(0, 440), (25, 330), (50, 260), (75, 200), (90, 140), (100, 0)]) }

  /// The rate factor of libx265, in tenths.
  var hevcFactor: Int { interpolated([(0, 460), (25, 350), (50, 280), (75, 220), (90, 160), (100, 0)]) }

  /// The rate factor of SVT-AV1 and libaom.
  var av1Factor: Int { max(1, interpolated([(0, 63), (25, 51), (50, 40), (75, 30), (90, 20), (100, 0)])) }

  /// The rate factor of libvpx.
  var vp9Factor: Int { interpolated([(0, 63), (25, 50), (50, 38), (75, 28), (90, 18), (100, 0)]) }

  var proResProfile: String {
    switch number {
    case ..<25: "proxy"
    case ..<50: "lt"
    case ..<75: "standard"
    default: "hq"
    }
  }

  var proRes4444Profile: String { number < 90 ? "4444" : "4444xq" }

  private func interpolated(_ table: [(quality: Int, value: Int)]) -> Int {
    for (low, high) in zip(table, table.dropFirst()) where number <= high.quality {
      let span = high.quality - low.quality
      return low.value + ((high.value - low.value) * (number - low.quality) - span / 2) / span
    }
    return table[table.count - 1].value
  }
}

/// How long the encoders of H.264, HEVC and AV1 look for a smaller file (`--preset`).
package enum VideoPreset: String, Sendable, Hashable, CaseIterable {
  case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow

  /// The preset of SVT-AV1, where 13 is the fastest.
  var svtAV1Number: Int {
    switch self {
    case .ultrafast: 12
    case .superfast: 11
    case .veryfast: 10
    case .faster: 9
    case .fast: 8
    case .medium: 7
    case .slow: 6
    case .slower: 5
    case .veryslow: 4
    }
  }

  /// The speed of libaom, where 8 is the fastest.
  var aomNumber: Int {
    switch self {
    case .ultrafast, .superfast: 8
    case .veryfast, .faster: 7
    case .fast, .medium: 6
    case .slow: 5
    case .slower: 4
    case .veryslow: 3
    }
  }
}
