import EtalonComparison
import EtalonTypes
import Testing

/// What plain differences are, how they are counted, and where they are found.
@Suite struct ComparePicturesTests {
  private let gray = TestPictures.rgba8 { _, _ in [100, 100, 100, 255] }

  @Test func aPictureEqualsItself() {
    for picture in [TestPictures.waves(), TestPictures.float { x, y in [Float(x), Float(y), 0.5, 1] }] {
      let result = comparePictures(picture, picture, metrics: Set(ComparisonMetric.allCases))
      #expect(result.verdict == .pass)
      #expect(result.color?.differing == 0 && result.alpha?.differing == 0)
      #expect(result.color?.psnr == .infinity && result.color?.worst == nil)
      #expect(result.ssim == 1 && result.flip?.largest == 0 && result.oklab?.largest == 0 && result.color?.emd == 0)
    }
  }

  @Test func sizesMustAgree() {
    let result = comparePictures(gray, TestPictures.waves(Size(64, 32)))
    #expect(result.verdict == .sizeMismatch && result.verdict.isFailure && result.color == nil)
  }

  @Test func theWorstPixelHasBothValuesAndItsPlace() throws {
    let result = comparePictures(gray.adding([(10, 20, 1, 9), (11, 20, 2, -30)]), gray)
    let color = try #require(result.color), worst = try #require(color.worst)
    #expect(result.verdict == .fail)
    #expect(worst.place.x == 11 && worst.place.yFromTop == 20 && worst.place.yFromBottom == 43)
    #expect(worst.channel == "b" && worst.difference == 30)
    #expect(worst.actual.map(\.wrappedValue) == [100, 100, 70, 255] && worst.reference.map(\.wrappedValue) == [100, 100, 100, 255])
    #expect(result.alpha?.differing == 0)
  }

  @Test func meansAreOverChannels() throws {
    let color = try #require(comparePictures(gray.adding([(0, 0, 0, 12)]), gray).color)
    let channelCount: Double = 64 * 64 * 3
    let mean = 12 / channelCount
    let rmse = (144 / channelCount).squareRoot()
    #expect(color.mean == mean)
    #expect(color.rmse == rmse)
    let psnr: Double = 67.4426
    #expect((color.psnr - psnr).magnitude < 1e-3)
  }

  @Test func theCensusCountsByClass() throws {
    let changes = [1, 2, 4, 5, 16, 17, 64, 65, 155].enumerated().map { (x: 7 * $0.offset, y: 3, channel: 0, by: $0.element) }
    let census = try #require(comparePictures(gray.adding(changes), gray).color?.census)
    #expect(census.upTo1 == 1 && census.upTo4 == 2 && census.upTo16 == 2 && census.upTo64 == 2 && census.above64 == 2)
    #expect(census.equal == 64 * 64 - 9 && census.isolated == 9 && census.nonFinite == 0)
  }

  @Test func alphaIsJudgedApart() {
    let changed = gray.adding([(5, 5, 3, -4)])
    let result = comparePictures(changed, gray, tolerance: Tolerance(channel: 3))
    #expect(result.color?.differing == 0 && result.alpha?.differing == 1)
    #expect(result.limits.filter { $0.verdict == .fail }.map(\.key) == ["alpha.channel"])
    var tolerance = Tolerance(channel: 0)
    tolerance.alpha = ChannelTolerance(channel: 4)
    #expect(comparePictures(changed, gray, tolerance: tolerance).verdict == .pass)
  }

  @Test func sixteenBitsCountInLevelsOfEight() throws {
    let actual = TestPictures.rgba16 { x, _ in [UInt16(1000 + (x == 3 ? 257 : 0)), 0, 0, 65535] }
    let reference = TestPictures.rgba16 { _, _ in [1000, 0, 0, 65535] }
    let result = comparePictures(actual, reference, tolerance: Tolerance(channel: 1), metrics: [.ulp])
    #expect(result.verdict == .pass && result.color?.largest == 1 && result.color?.ulp == 257)
    #expect(comparePictures(actual, reference, tolerance: Tolerance(channel: 0.999)).verdict == .fail)
  }

  @Test func eightBitsEqualSixteenBits() {
    let wide = TestPictures.rgba16 { x, y in [UInt16(x) * 257, UInt16(y) * 257, 0, 65535] }
    let narrow = TestPictures.rgba8 { x, y in [UInt8(x), UInt8(y), 0, 255] }
    #expect(comparePictures(wide, narrow).verdict == .pass)
  }

  @Test func opaqueMeansFullyCovered() {
    let noAlpha = TestPictures.rgba8(alpha: .opaque) { _, _ in [100, 100, 100, 3] }
    let other = TestPictures.rgba8(alpha: .opaque) { _, _ in [100, 100, 100, 77] }
    for picture in [gray, other] {
      let result = comparePictures(noAlpha, picture, metrics: Set(ComparisonMetric.allCases))
      #expect(result.verdict == .pass && result.alpha?.emd == 0)
    }
  }

  @Test func straightColorIsMultipliedToMeetPremultiplied() {
    let straight = TestPictures.rgba8 { _, _ in [200, 100, 50, 128] }
    let multiplied = TestPictures.rgba8(alpha: .premultiplied) { _, _ in [100, 50, 25, 128] }
    #expect(comparePictures(straight, multiplied).verdict == .pass)
    #expect(comparePictures(multiplied, straight).verdict == .pass)
  }

  @Test func hiddenColorCountsUnlessAskedNotTo() {
    let a = TestPictures.rgba8 { x, _ in [UInt8(x), 0, 0, x < 8 ? 0 : 255] }
    let b = TestPictures.rgba8 { x, _ in [x < 8 ? 99 : UInt8(x), 0, 0, x < 8 ? 0 : 255] }
    #expect(comparePictures(a, b).verdict == .fail)
    var tolerance = Tolerance.exact
    tolerance.ignoreColorUnderZeroAlpha = true
    #expect(comparePictures(a, b, tolerance: tolerance).verdict == .pass)
  }
}
