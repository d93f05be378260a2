import EtalonComparison
import EtalonTypes
import Foundation
import Testing

/// Draws of the same noise against draws of another one.
@Suite struct NoiseTests {
  /// A slope with noise on it; `light` lifts a block, and `everywhere` the whole picture.
  private func draw(_ seed: UInt64, light: Int = 0, everywhere: Int = 0, size: Size = Size(61, 42)) -> PixelBuffer {
    var state = SplitMix(seed)
    return TestPictures.rgba8(size, alpha: .opaque) { x, y in
      let lift = everywhere + ((24..<32).contains(x) && (16..<24).contains(y) ? light : 0)
      let noise = state.next()
      func channel(_ base: Int, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: base + lift + Int(noise >> shift & 31)) }
      return [channel(60 + x % 64, 0), channel(80 + y % 64, 8), channel(120, 16), 255]
    }
  }

  private let tolerance = {
    var tolerance = Tolerance()
    tolerance.noise = Limit(fail: 0.01)
    return tolerance
  }()

  @Test(arguments: [Size(61, 42), Size(256, 256), Size(640, 360)]) func otherDrawsPass(size: Size) {
    for seed in 1...4 as ClosedRange<UInt64> {
      let result = comparePictures(draw(seed, size: size), draw(seed + 100, size: size), tolerance: tolerance)
      #expect(result.verdict == .pass, "seed \(seed)")
    }
    #expect(comparePictures(draw(1, size: size), draw(101, size: size)).verdict == .fail, "pixel by pixel nothing is equal")
  }

  /// Of pairs of the same noise as many fail as the limit says: 5 % of 400 are 20, give or take 4.4.
  @Test func falseAlarmsAreAsRareAsPromised() throws {
    let chances = try (0..<400 as Range<UInt64>).map { seed in
      try #require(comparePictures(draw(2 * seed), draw(2 * seed + 1), metrics: [.noise]).noise).probability
    }
    let alarms = chances.count { $0 < 0.05 }
    #expect((8...32).contains(alarms), "\(alarms) of 400")
  }

  @Test func aLighterBlockFails() throws {
    let result = comparePictures(draw(1), draw(2, light: 12), tolerance: tolerance)
    let noise = try #require(result.noise)
    #expect(result.verdict == .fail)
    #expect((noise.place.x, noise.place.yFromTop) == (24, 16) && (noise.width, noise.height) == (8, 8))
    #expect(result.summary.contains("most in 8x8 pixels at (24, 16 from the top, 25 from the bottom)"))
  }

  /// One level in all pixels is a fifteenth of what 64 of them scatter by together, and shows only in the mean of very many.
  @Test func aPictureThatIsLighterAsAWholeFails() throws {
    let size = Size(256, 256)
    let result = comparePictures(draw(1, size: size), draw(2, everywhere: 1, size: size), tolerance: tolerance)
    let noise = try #require(result.noise)
    #expect(result.verdict == .fail)
    #expect((noise.place.x, noise.place.yFromTop) == (0, 0) && (noise.width, noise.height) == (256, 256))
  }

  @Test func equalPicturesAreCertain() throws {
    let noise = try #require(comparePictures(draw(1), draw(1), metrics: [.noise]).noise)
    #expect(noise.largest == 0 && noise.probability == 1)
  }

  /// The same numbers, worked out in the simplest way.
  ///
  /// The last windows are up to twice as wide and high as the others, and the only one may be narrower.
  @Test(arguments: [
    Size(61, 42), Size(64, 64), Size(31, 15), Size(16, 8), Size(15, 15), Size(5, 3), Size(1, 2), Size(131, 75), Size(8, 100), Size(57, 9),
  ])
  func agreesWithADirectEvaluation(size: Size) throws {
    for lift in 0...2 {
      let (a, b) = (draw(5, size: size), draw(6, light: 3, everywhere: lift, size: size))
      let measured = try #require(comparePictures(a, b, metrics: [.noise]).noise)
      let windows = windows(of: size)
      let largest = try #require(
        windows.map { window in (window, (0..<3).map { errors(a, b, window, $0) }.max() ?? 0) }.max { $0.1 < $1.1 })
      let chance = erfc(largest.1 / 2.0.squareRoot())
      #expect(abs(measured.largest - largest.1) < 1e-9)
      #expect(abs(measured.probability - (1 - pow(1 - chance, Double(windows.count * 3)))) < 1e-9)
      #expect(measured.place.x..<measured.place.x + measured.width == largest.0.xs)
      #expect(measured.place.yFromTop..<measured.place.yFromTop + measured.height == largest.0.ys)
    }
  }

  private typealias Window = (xs: Range<Int>, ys: Range<Int>)

  /// Windows of 8x8 pixels, and what becomes of them when neighbors are put together, until one is left.
  private func windows(of size: Size) -> [Window] {
    var columns = ranges(size.width), rows = ranges(size.height), all: [Window] = []
    while true {
      all += rows.flatMap { ys in columns.map { (xs: $0, ys: ys) } }
      if columns.count * rows.count == 1 { return all }
      (columns, rows) = (pairs(columns), pairs(rows))
    }
  }

  private func ranges(_ length: Int) -> [Range<Int>] {
    let count = max(1, length / 8)
    return (0..<count).map { $0 * 8..<($0 == count - 1 ? length : $0 * 8 + 8) }
  }

  private func pairs(_ ranges: [Range<Int>]) -> [Range<Int>] {
    guard ranges.count > 1 else { return ranges }
    return (0..<ranges.count / 2).map { index in
      let isLast = index == ranges.count / 2 - 1
      return ranges[2 * index].lowerBound..<ranges[isLast ? ranges.count - 1 : 2 * index + 1].upperBound
    }
  }

  /// Welch's t as a distance of a normal distribution.
  private func errors(_ a: PixelBuffer, _ b: PixelBuffer, _ window: Window, _ channel: Int) -> Double {
    let places = window.ys.flatMap { y in window.xs.map { x in (y * a.size.width + x) * 4 + channel } }
    let count = Double(places.count), others = max(count - 1, 1)
    func moments(_ picture: PixelBuffer) -> (mean: Double, variance: Double) {
      let values = places.map { Double(picture.bytes[$0]) }
      let mean = values.reduce(0, +) / count
      return (mean, values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / others)
    }
    let (left, right) = (moments(a), moments(b)), scatter = left.variance + right.variance + 2.0 / 12
    let t = abs(left.mean - right.mean) / (scatter / count).squareRoot()
    let squares = (left.variance * left.variance + right.variance * right.variance) / others
    guard squares > 0 else { return t }
    let freedom = scatter * scatter / squares
    return (8 * freedom + 1) / (8 * freedom + 3) * (freedom * log(1 + t * t / freedom)).squareRoot()
  }
}

/// Numbers by chance, all bits of which are good.
private struct SplitMix {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0xd134_2543_de82_ef95 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    let first = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    let second = (first ^ (first >> 27)) &* 0x94d0_49bb_1331_11eb
    return second ^ (second >> 31)
  }
}
