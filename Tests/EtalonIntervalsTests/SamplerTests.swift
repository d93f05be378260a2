import EtalonTypes
import Foundation
import Testing

@testable import EtalonIntervals

/// What samplers may give, as finely as a device divides texels and levels.
@Suite struct SamplerTests {
  /// A texture of two columns, 0 and 1; its second level is 4 throughout.
  private final class TwoTexels: TextureReading {
    let sampler: Sampler
    let samplerPrecision: SamplerPrecision
    let (format, isVolume, isCube, levelCount) = (PixelFormat.rgba32f, false, false, 2)

    init(_ interpolation: Sampler.Interpolation, bits: Int) {
      sampler = Sampler(interpolation)
      samplerPrecision = SamplerPrecision(subTexelBits: bits, mipmapBits: bits)
    }

    func size(level: Int) -> (Int, Int, Int) { (level == 0 ? 2 : 1, 1, 1) }
    func texel(level: Int, x: Int, y: Int, z: Int) -> [Interval] {
      [Interval](repeating: Interval(level > 0 ? 4 : Double(x)), count: 4)
    }
    func everything(level: Int) -> [Interval]? { nil }
  }

  @Test(arguments: [4, 8])
  func aMeanIsAsUncertainAsTheDivisionOfATexel(_ bits: Int) throws {
    let found = try IntervalSampler(TwoTexels(.linear, bits: bits)).sample([Interval(0.5), Interval(0.5)], level: Interval(0))[0]
    let part = 1 / Double(1 << bits)
    #expect(abs(found.low - (0.5 - part)) < 1e-5)
    #expect(abs(found.high - (0.5 + part)) < 1e-5)
  }

  @Test(arguments: [4, 8])
  func aMeanOfLevelsIsAsUncertainAsTheirDivision(_ bits: Int) throws {
    let found = try IntervalSampler(TwoTexels(.mipmap, bits: bits)).sample([Interval(0), Interval(0.5)], level: Interval(0.5))[0]
    let part = 1 / Double(1 << bits)
    #expect(abs(found.low - 4 * (0.5 - part)) < 1e-4)
    #expect(abs(found.high - 4 * (0.5 + part)) < 1e-4)
  }

  /// A step along one axis may count for as much as the root of 2 times its length, and a level is computed as finely as levels are divided.
  @Test(arguments: [4, 8])
  func aLevelIsAsUncertainAsTheScaleFactorOperation(_ bits: Int) {
    let zero = [Interval(0), Interval(0)]
    let found = IntervalSampler(TwoTexels(.mipmap, bits: bits)).level([Interval(0.75), Interval(0)], zero, at: zero)
    let part = 1 / Double(1 << bits), exact = log2(1.5)
    #expect(abs(found.low - (exact - part)) < 1e-5)
    #expect(abs(found.high - (exact + 0.5 + part)) < 1e-5)
  }

  /// Between two texels either may be the nearest.
  @Test func aBorderBelongsToBothTexels() throws {
    let texture = TwoTexels(.nearest, bits: 8)
    let found = try IntervalSampler(texture).sample([Interval(0.5), Interval(0.5)], level: Interval(0))[0]
    #expect((found.low, found.high) == (1, 1))
    let near = try IntervalSampler(texture).sample([Interval(0.5).widened(ulps: 1, .single), Interval(0.5)], level: Interval(0))[0]
    #expect((near.low, near.high) == (0, 1))
  }

  /// The same gray everywhere, which is known of all texels together.
  private final class Gray: TextureReading {
    let sampler: Sampler
    let isCube: Bool
    let samplerPrecision = SamplerPrecision(subTexelBits: 8, mipmapBits: 8)
    let (format, isVolume, levelCount) = (PixelFormat.rgba8, false, 1)

    init(_ interpolation: Sampler.Interpolation, isCube: Bool = false) { (sampler, self.isCube) = (Sampler(interpolation, .clamp), isCube) }

    func size(level: Int) -> (Int, Int, Int) { (1024, 1024, 1) }
    func texel(level: Int, x: Int, y: Int, z: Int) -> [Interval] { [Interval](repeating: Interval(0.5), count: 4) }
    func everything(level: Int) -> [Interval]? { [Interval](repeating: Interval(0.5), count: 4) }
  }

  /// However little is known of the place, filtering adds what it may; reading the nearest texel adds nothing.
  @Test(arguments: [
    [Interval(0.5), Interval(0.5)], [Interval(0, 1), Interval(0, 1)], [Interval(-.infinity, .infinity), Interval(0.5)],
  ])
  func filteringAddsALevelAtEveryPlace(_ place: [Interval]) throws {
    let linear = try IntervalSampler(Gray(.linear)).sample(place, level: Interval(0))[0]
    #expect(linear.low <= 0.5 - 1 / 255 && linear.high >= 0.5 + 1 / 255)
    let cube = try IntervalSampler(Gray(.linear, isCube: true)).sample(place + [Interval(1)], level: Interval(0))[
      0]
    #expect(cube.low <= 0.5 - 1 / 255 && cube.high >= 0.5 + 1 / 255)
    guard place[0].low.isFinite else { return }
    let nearest = try IntervalSampler(Gray(.nearest)).sample(place, level: Interval(0))[0]
    #expect((nearest.low, nearest.high) == (0.5, 0.5))
  }

  /// Eight, four, two columns and one: a column of level n is 10 n and its number.
  private final class Columns: TextureReading {
    let sampler: Sampler
    let samplerPrecision = SamplerPrecision(subTexelBits: 8, mipmapBits: 8)
    let (format, isVolume, isCube, levelCount) = (PixelFormat.rgba32f, false, false, 4)

    init(_ interpolation: Sampler.Interpolation, _ address: Sampler.AddressMode) { sampler = Sampler(interpolation, address) }

    func size(level: Int) -> (Int, Int, Int) { (8 >> level, 1, 1) }
    func texel(level: Int, x: Int, y: Int, z: Int) -> [Interval] {
      [Interval](repeating: Interval(Double(10 * level + x)), count: 4)
    }
    func everything(level: Int) -> [Interval]? { nil }
  }

  /// An offset counts texels of each level that is read, before the address mode.
  @Test func anOffsetCountsTexelsOfTheLevel() throws {
    func found(_ address: Sampler.AddressMode, _ level: Double, _ step: Double) throws -> Interval {
      // The middle of the first column of the second level.
      try IntervalSampler(Columns(.mipmap, address), steps: [Interval(step), Interval(0)]).sample(
        [Interval(0.125), Interval(0.5)], level: Interval(level))[0]
    }
    func holds(_ interval: Interval, _ number: Double) -> Bool { interval.low <= number && number <= interval.high && interval.width < 0.9 }
    // Three parts of the second level and one of the third; at a whole level the range would cover both of its neighbours.
    #expect(holds(try found(.clamp, 1.25, 2), 0.75 * 12 + 0.25 * 21))
    #expect(holds(try found(.clamp, 1.25, 9), 0.75 * 13 + 0.25 * 21))
    #expect(holds(try found(.repeat, 1.25, 5), 0.75 * 11 + 0.25 * 20.75))
    #expect(holds(try found(.mirror, 1.25, 5), 0.75 * 12 + 0.25 * 20.75))
    // Half of column 2 of the second level, and half of the clamped second column of the third.
    #expect(holds(try found(.clamp, 1.5, 2), 16.5))
  }

  @Test func aGatherIsMovedByItsOffset() throws {
    let found = try IntervalSampler(Columns(.linear, .repeat), steps: [Interval(6), Interval(0)]).gather(
      [Interval(0.25), Interval(0.5)], channel: 0)
    // Between the middles of columns 1 and 2, six to the right.
    #expect(found.map(\.low) == [7, 0, 0, 7])
    #expect(found.map(\.high) == [7, 0, 0, 7])
  }
}
