package import EtalonTypes
internal import Synchronization

/// Pictures that stand in for those which ShaderToy's site offers to shaders: made by Etalon, with the same sizes, and other pixels.
///
/// Noise, thresholds and letters have the statistics and the layout that shaders rely on; photos and cube maps show the same kind of thing.
///
/// ```
/// let noise = Lookalike.picture(titled: "RGBA Noise Medium") { nil }
/// ```
///
/// **Concurrency**: usable from every thread; each picture is made once, which blocks.
package enum Lookalike {
  private static let known = Mutex<[String: PixelBuffer]>([:])

  /// The picture that looks like one of the site; nil for a title that none looks like.
  ///
  /// - Parameter strokes: reads the letters of the filter `text`, which the font is drawn from; nil where there are none.
  package static func picture(titled title: String, strokes: () -> PixelBuffer?) -> PixelBuffer? {
    known.withLock { known in
      if let picture = known[title] { return picture }
      let picture = made(title, strokes)
      known[title] = picture
      return picture
    }
  }

  /// The titles of the pictures that there are.
  package static let titles = patterns.union(PhotoLookalike.titles).union(CubeLookalike.titles)

  /// The titles of noise, of thresholds and of letters, whose numbers shaders rely on.
  private static let patterns: Set<String> = [
    "Gray Noise Small", "Gray Noise Medium", "RGBA Noise Small", "RGBA Noise Medium", "Blue Noise", "Bayer", "Font 1", "Grey Noise3D",
    "RGBA Noise3D",
  ]

  private static func made(_ title: String, _ strokes: () -> PixelBuffer?) -> PixelBuffer? {
    switch title {
    case "Gray Noise Small": gray(Size(64, 64), seed: 1)
    case "Gray Noise Medium": gray(Size(256, 256), seed: 2)
    case "RGBA Noise Small": independent(Size(64, 64), seed: 3)
    case "RGBA Noise Medium": shifted(256, seed: 4)
    case "Blue Noise": BlueNoise(seed: 5).picture(1024)
    case "Bayer": bayer
    case "Grey Noise3D": gray(Size(32, 32 * 32), seed: 6)
    case "RGBA Noise3D": independent(Size(32, 32 * 32), seed: 7)
    case "Font 1": strokes().flatMap { FontPicture(strokes: $0) }?.picture()
    default: PhotoLookalike.picture(titled: title) ?? CubeLookalike.picture(titled: title)
    }
  }

  /// An opaque picture, pixel by pixel in rows from the top.
  static func opaque(_ size: Size, _ color: (_ place: Int) -> SIMD3<Float>) -> PixelBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * size.pixelCount)
    for place in 0..<size.pixelCount {
      let color = color(place).bytes
      bytes.append(color.x)
      bytes.append(color.y)
      bytes.append(color.z)
      bytes.append(255)
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes)
  }

  // MARK: white noise

  private static func gray(_ size: Size, seed: UInt32) -> PixelBuffer {
    PixelBuffer(size: size, format: .r8, alpha: .opaque, bytes: (0..<size.pixelCount).map { byte($0, seed, 0) })
  }

  private static func independent(_ size: Size, seed: UInt32) -> PixelBuffer {
    let bytes = (0..<size.pixelCount).flatMap { place in (0..<4).map { byte(place, seed, UInt32($0)) } }
    return PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)
  }

  /// Green is red, and alpha is blue, 37 pixels further to the right and 17 further down.
  ///
  /// Shaders make noise of three dimensions of that, whose layers lie so far apart. Those that read it upside down, as most do, go from layer to layer by
  /// (37, 17), those that read it upright by (37, 239).
  private static func shifted(_ side: Int, seed: UInt32) -> PixelBuffer {
    func value(_ x: Int, _ y: Int, _ channel: UInt32) -> UInt8 {
      byte((x + side) % side + (y + side) % side * side, seed, channel)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(side * side * 4)
    for y in 0..<side {
      for x in 0..<side { bytes += [value(x, y, 0), value(x - 37, y - 17, 0), value(x, y, 1), value(x - 37, y - 17, 1)] }
    }
    return PixelBuffer(size: Size(side, side), format: .rgba8, alpha: .straight, bytes: bytes)
  }

  /// A byte that nothing but its place decides.
  fileprivate static func byte(_ place: Int, _ seed: UInt32, _ channel: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: bits(UInt32(truncatingIfNeeded: place), seed &* 4 &+ channel) >> 24)
  }

  /// A number from 0 up to but not including 1 that nothing but its place decides.
  static func unit(_ place: Int, _ seed: UInt32) -> Float { Float(bits(UInt32(truncatingIfNeeded: place), seed) >> 8) / Float(1 << 24) }

  fileprivate static func bits(_ place: UInt32, _ seed: UInt32) -> UInt32 {
    var state = place &* 747_796_405 &+ seed &* 2_891_336_453 &+ 1
    for _ in 0..<2 {
      state = ((state >> ((state >> 28) &+ 4)) ^ state) &* 277_803_737
      state ^= state >> 22
      state = state &* 747_796_405 &+ 2_891_336_453
    }
    return state ^ state >> 15
  }

  // MARK: dither

  /// The thresholds of ordered dithering: each pixel is as far as possible from those with values near its own.
  private static var bayer: PixelBuffer {
    let side = 8
    let bytes = (0..<side * side).map { place -> UInt8 in
      let (x, y) = (place % side, place / side)
      let rank = (0..<3).reduce(0) { rank, bit in
        let (a, b) = (x >> bit & 1, y >> bit & 1)
        return rank | (a ^ b) << (5 - 2 * bit) | b << (4 - 2 * bit)
      }
      return UInt8((2 * rank + 1) * 255 / 128)
    }
    return PixelBuffer(size: Size(side, side), format: .r8, alpha: .opaque, bytes: bytes)
  }
}

/// Noise without low frequencies, of which every value occurs equally often: white noise that loses its average around each pixel, several times over.
private struct BlueNoise {
  /// The pattern repeats after so many pixels.
  private static let side = 256
  private static let rounds = 6
  /// The weights of a pixel's neighbours in a row, at distances from 0 on.
  private static let weights: [Float] = [0.266, 0.213, 0.1095, 0.036, 0.0075, 0.001]

  let seed: UInt32

  func picture(_ size: Int) -> PixelBuffer {
    let channels = (0..<4).map { channel(UInt32($0)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size * size * 4)
    for y in 0..<size {
      for x in 0..<size {
        let place = x % Self.side + y % Self.side * Self.side
        for channel in channels { bytes.append(channel[place]) }
      }
    }
    return PixelBuffer(size: Size(size, size), format: .rgba8, alpha: .straight, bytes: bytes)
  }

  private func channel(_ number: UInt32) -> [UInt8] {
    let count = Self.side * Self.side
    var values = (0..<count).map { Float(Lookalike.bits(UInt32($0), seed &* 4 &+ number) >> 8) }
    var ranks = Self.ranks(of: values)
    for _ in 0..<Self.rounds {
      values = ranks.map { Float($0) }
      let mean = Self.blurred(Self.blurred(values, along: 1), along: Self.side)
      for place in 0..<count { values[place] -= mean[place] }
      ranks = Self.ranks(of: values)
    }
    return ranks.map { UInt8($0 * 256 / count) }
  }

  /// The average around each pixel of a row or a column, beyond whose end it begins again.
  private static func blurred(_ values: [Float], along step: Int) -> [Float] {
    var result = [Float](repeating: 0, count: values.count)
    for place in values.indices {
      let position = step == 1 ? place % side : place / side
      let start = place - position * step
      var sum = values[place] * weights[0]
      for distance in 1..<weights.count {
        let before = values[start + (position + side - distance) % side * step]
        let after = values[start + (position + distance) % side * step]
        sum += weights[distance] * (before + after)
      }
      result[place] = sum
    }
    return result
  }

  /// The place of each value among all of them; of equal ones the first in the picture comes first.
  private static func ranks(of values: [Float]) -> [Int] {
    var ranks = [Int](repeating: 0, count: values.count)
    let order = values.indices.sorted { values[$0] == values[$1] ? $0 < $1 : values[$0] < values[$1] }
    for (rank, place) in order.enumerated() { ranks[place] = rank }
    return ranks
  }
}
