import EtalonComparison
import EtalonTypes
import Testing

/// What holds for all pictures, tried on pictures of a fixed sequence of random numbers.
@Suite struct PropertyTests {
  /// A small generator, the same everywhere.
  private struct Numbers {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  private static func picture(_ seed: Int, _ size: Size = Size(37, 23)) -> PixelBuffer {
    var numbers = Numbers(state: UInt64(seed))
    return TestPictures.rgba8(size) { _, _ in (0..<4).map { _ in UInt8(numbers.next(256)) } }
  }

  private static func noisy(_ picture: PixelBuffer, _ amount: Int, _ seed: Int) -> PixelBuffer {
    var numbers = Numbers(state: UInt64(seed))
    let bytes = picture.bytes.map { UInt8(max(0, min(255, Int($0) + numbers.next(2 * amount + 1) - amount))) }
    return PixelBuffer(size: picture.size, format: picture.format, alpha: picture.alpha, bytes: bytes)
  }

  @Test(arguments: 1...8) func measuresAreTheSameBothWays(seed: Int) throws {
    let a = Self.picture(seed), b = Self.noisy(a, seed * 3, seed + 100)
    let metrics = Set(ComparisonMetric.allCases)
    let there = comparePictures(a, b, metrics: metrics), back = comparePictures(b, a, metrics: metrics)
    let (one, other) = (try #require(there.color), try #require(back.color))
    #expect(one.differing == other.differing && one.largest == other.largest && one.mean == other.mean && one.rmse == other.rmse)
    #expect(one.emd == other.emd && one.relative == other.relative && one.ulp == other.ulp)
    #expect(one.census.upTo4 == other.census.upTo4 && one.clusters == other.clusters)
    #expect(there.ssim == back.ssim && there.oklab == back.oklab && there.shift == back.shift)
  }

  @Test(arguments: 1...8) func moreNoiseIsMoreDifferent(seed: Int) throws {
    let picture = TestPictures.waves(Size(37, 23))
    let results = [1, 4, 16, 64].map { comparePictures(Self.noisy(picture, $0, seed), picture, metrics: [.ssim, .flip, .oklab]) }
    for (less, more) in zip(results, results.dropFirst()) {
      let (a, b) = (try #require(less.color), try #require(more.color))
      #expect(a.mean < b.mean && a.rmse < b.rmse && a.largest <= b.largest && a.psnr > b.psnr)
      #expect(try #require(less.ssim) > #require(more.ssim) && #require(less.flip).mean < #require(more.flip).mean)
      #expect(try #require(less.oklab).mean < #require(more.oklab).mean)
    }
  }

  @Test(arguments: 1...8) func theCensusCountsEveryPixelOnce(seed: Int) throws {
    let a = Self.picture(seed), b = Self.noisy(a, 40, seed)
    let color = try #require(comparePictures(a, b).color), census = color.census
    #expect(census.equal + census.upTo1 + census.upTo4 + census.upTo16 + census.upTo64 + census.above64 == 37 * 23)
    #expect(census.isolated <= color.outliers && census.onEdges <= color.outliers && color.outliers == color.differing)
  }

  @Test(arguments: 1...8) func loosenedLimitsNeverFailMore(seed: Int) {
    let a = Self.picture(seed), b = Self.noisy(a, 9, seed)
    let verdicts = (0...10).map { comparePictures(a, b, tolerance: Tolerance(channel: Limit(fail: Double($0)))).verdict }
    for (tight, loose) in zip(verdicts, verdicts.dropFirst()) { #expect(loose <= tight) }
    #expect(verdicts.first == .fail && verdicts.last == .pass)
  }

  @Test(arguments: 1...8) func integersAndTheirFloatsAgree(seed: Int) throws {
    let a = Self.picture(seed), b = Self.noisy(a, 5, seed)
    func float(_ picture: PixelBuffer) -> PixelBuffer {
      TestPictures.float(picture.size) { x, y in (0..<4).map { Float(picture.bytes[(y * picture.size.width + x) * 4 + $0]) / 255 } }
    }
    let integers = try #require(comparePictures(a, b).color), floats = try #require(comparePictures(float(a), float(b)).color)
    #expect(integers.differing == floats.differing && abs(integers.mean / 255 - floats.mean) < 1e-7)
    #expect(integers.worst?.place == floats.worst?.place || integers.largest / 255 - floats.largest < 1e-6)
  }
}
