import EtalonComparison
import EtalonTypes
import Foundation
import Testing

/// Draws of the same noise against draws of another one.
@Suite struct NoiseTests {
  /// A slope with noise on it; `light` lifts a block.
  private func draw(_ seed: UInt64, light: Int = 0, size: Size = Size(61, 42)) -> PixelBuffer {
    var state = seed
    func noise() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 59)
    }
    return TestPictures.rgba8(size, alpha: .opaque) { x, y in
      let lift = (24..<32).contains(x) && (16..<24).contains(y) ? light : 0
      return [UInt8(60 + x + noise() + lift), UInt8(80 + y + noise()), UInt8(120 + noise()), 255]
    }
  }

  private let tolerance = {
    var tolerance = Tolerance()
    tolerance.noise = Limit(fail: 0.01)
    return tolerance
  }()

  @Test(arguments: [1, 2, 3, 4]) func otherDrawsPass(seed: UInt64) {
    let result = comparePictures(draw(seed), draw(seed + 100), tolerance: tolerance)
    #expect(result.verdict == .pass)
    #expect(comparePictures(draw(seed), draw(seed + 100)).verdict == .fail, "pixel by pixel nothing is equal")
  }

  @Test func aLighterBlockFails() throws {
    let result = comparePictures(draw(1), draw(2, light: 12), tolerance: tolerance)
    let noise = try #require(result.noise)
    #expect(result.verdict == .fail)
    #expect((noise.place.x, noise.place.yFromTop) == (24, 16))
  }

  @Test func equalPicturesAreCertain() throws {
    let noise = try #require(comparePictures(draw(1), draw(1), metrics: [.noise]).noise)
    #expect(noise.largest == 0 && noise.probability == 1)
  }

  /// The same numbers, worked out in the simplest way; the last blocks are up to 15 pixels wide and high, and the only one may be narrower.
  @Test(arguments: [Size(61, 42), Size(64, 64), Size(31, 15), Size(16, 8), Size(15, 15), Size(5, 3), Size(1, 2)])
  func agreesWithADirectEvaluation(size: Size) throws {
    let (a, b) = (draw(5, size: size), draw(6, light: 3, size: size))
    let measured = try #require(comparePictures(a, b, metrics: [.noise]).noise)
    let (columns, rows) = (max(1, size.width / 8), max(1, size.height / 8))
    var largest = 0.0
    for row in 0..<rows {
      for column in 0..<columns {
        let xs = column * 8..<(column == columns - 1 ? size.width : column * 8 + 8)
        let ys = row * 8..<(row == rows - 1 ? size.height : row * 8 + 8)
        for channel in 0..<3 { largest = max(largest, distance(a, b, xs, ys, channel)) }
      }
    }
    let chance = erfc(largest / 2.0.squareRoot())
    #expect(abs(measured.largest - largest) < 1e-9)
    #expect(abs(measured.probability - (1 - pow(1 - chance, Double(columns * rows * 3)))) < 1e-9)
  }

  private func distance(_ a: PixelBuffer, _ b: PixelBuffer, _ xs: Range<Int>, _ ys: Range<Int>, _ channel: Int) -> Double {
    let places = ys.flatMap { y in xs.map { x in (y * a.size.width + x) * 4 + channel } }
    func moments(_ picture: PixelBuffer) -> (mean: Double, variance: Double) {
      let values = places.map { Double(picture.bytes[$0]) }
      let mean = values.reduce(0, +) / Double(values.count)
      return (mean, values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count - 1))
    }
    let (left, right) = (moments(a), moments(b))
    return abs(left.mean - right.mean) / ((left.variance + right.variance + 2.0 / 12) / Double(places.count)).squareRoot()
  }
}
