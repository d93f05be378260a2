import EtalonComparison
import EtalonTypes
import Foundation
import Testing

/// Numbers that are not in 0 to 1, not finite, or hardly there.
@Suite struct FloatPictureTests {
  private func flat(_ value: Float, _ changed: Float? = nil) -> PixelBuffer {
    TestPictures.float { x, y in [x == 9 && y == 4 ? changed ?? value : value, 0, 0, 1] }
  }

  @Test func differencesAreAbsolute() throws {
    let result = comparePictures(flat(2, 2.5), flat(2), tolerance: Tolerance(channel: 0.5), metrics: [.relative])
    #expect(result.unit == .absolute && result.verdict == .pass && result.color?.largest == 0.5)
    #expect(abs((result.color?.relative ?? 0) - 0.2) < 1e-6)
  }

  @Test(arguments: [Float(1), 0.1, 1e-3, 100, -3]) func aNeighborIsOneStepAway(value: Float) {
    let color = comparePictures(flat(value, value.nextUp.nextUp), flat(value), metrics: [.ulp]).color
    #expect(color?.ulp == 2)
  }

  @Test func zerosOfBothSignsAreEqual() {
    #expect(comparePictures(flat(0, -0), flat(0), metrics: [.ulp]).verdict == .pass)
  }

  @Test(arguments: [Float16(1), 0.25, 6e-8, 2e-5]) func halvesHaveTheirOwnSteps(value: Float16) {
    let a = TestPictures.half { _, _ in [value.nextUp, 0, 0, 1] }, b = TestPictures.half { _, _ in [value, 0, 0, 1] }
    #expect(comparePictures(a, b, metrics: [.ulp]).color?.ulp == 1)
    #expect(comparePictures(a, b).color?.largest == Double(value.nextUp) - Double(value))
  }

  @Test func halvesEqualTheirFloats() {
    let a = TestPictures.half { x, y in [Float16(x) / 7, Float16(y) * 900, -3e-7, 1] }
    let b = TestPictures.float { x, y in [Float(Float16(x) / 7), Float(Float16(y) * 900), Float(Float16(-3e-7)), 1] }
    #expect(comparePictures(a, b).verdict == .pass)
  }

  /// The value of one pixel, the reference's, a policy, and whether they count as different.
  static let meetings: [(Float, Float, NonFinitePolicy?, Bool)] = [
    (.nan, .nan, nil, false), (.nan, 1, nil, true), (1, .nan, nil, true), (.infinity, .infinity, nil, false),
    (.infinity, -.infinity, nil, true), (.nan, .infinity, nil, true), (.nan, .infinity, .equal, false), (.nan, 1, .equal, true),
    (.nan, 1, .ignore, false), (.infinity, 1, .ignore, false),
  ]

  @Test(arguments: meetings) func classesMustAgree(_ meeting: (Float, Float, NonFinitePolicy?, Bool)) throws {
    var tolerance = Tolerance(channel: 1000, outliers: 4096)
    tolerance.nan = meeting.2
    let result = comparePictures(flat(1, meeting.0), flat(1, meeting.1), tolerance: tolerance)
    let census = try #require(result.nonFinite)
    #expect(result.verdict == (meeting.3 ? .fail : .pass))
    #expect(census.differingPixels == (meeting.3 ? 1 : 0) && !census.isEmpty)
    #expect(census.first.map { [$0.x, $0.yFromTop] } == (meeting.3 ? [9, 4] : nil))
    #expect(result.color?.mean == 0 && result.color?.census.nonFinite == (meeting.3 ? 1 : 0))
  }

  @Test func metricsLeaveOutWhatIsNotFinite() {
    let result = comparePictures(flat(0.5, .nan), flat(0.5), metrics: Set(ComparisonMetric.allCases))
    #expect(result.ssim?.isFinite == true && result.flip?.mean == 0 && result.oklab?.mean == 0)
  }

  @Test func numbersFurtherApartThanAFloatSaysAreMeasured() throws {
    let result = comparePictures(flat(-3e38), flat(3e38), metrics: [.relative])
    let color = try #require(result.color)
    #expect(result.verdict == .fail && color.census.nonFinite == 0 && color.census.above64 == 64 * 64)
    #expect(color.largest == Double(Float.greatestFiniteMagnitude) && color.relative == 2)
    #expect(abs(color.mean / 2e38 - 1) < 1e-6 && abs(color.rmse / (6e38 / 3.0.squareRoot()) - 1) < 1e-6)
    #expect(result.summary.contains("largest 3.403e+38 (absolute) in r"))
  }

  /// Measures that overflow fail their limits, and are written and read like all others.
  @Test func measuresThatOverflowCanBeWritten() throws {
    var tolerance = Tolerance(channel: 1)
    (tolerance.flicker, tolerance.noise) = (Limit(fail: 1), Limit(fail: 0.01))
    tolerance.oklab = OKLabLimit(distance: 0.02, pixels: Limit(fail: 4))
    let result = comparePictures(flat(-3e38), flat(3e38), tolerance: tolerance, metrics: Set(ComparisonMetric.allCases))
    #expect(result.limits.allSatisfy { $0.verdict == .fail || $0.key.hasPrefix("alpha.") } && result.limits.count >= 3)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try encoder.encode(result)
    #expect(try encoder.encode(JSONDecoder().decode(PictureComparison.self, from: text)) == text)
    var meter = FlickerMeter(tolerance: tolerance)
    _ = meter.add(flat(-3e38), flat(3e38))
    let found = meter.add(flat(3e38), flat(-3e38)), flicker = try #require(found)
    #expect(flicker.largest == .infinity && flicker.limit?.verdict == .fail)
    #expect(String(decoding: try encoder.encode(flicker), as: UTF8.self).contains(#""largest":"inf""#))
  }

  @Test func whatWasNotMeasuredIsNotWritten() throws {
    let result = comparePictures(flat(1, 2), flat(1), tolerance: .exact)
    let text = try JSONEncoder().encode(result)
    #expect(!String(decoding: text, as: UTF8.self).contains(#""ssim""#))
    #expect(try JSONDecoder().decode(PictureComparison.self, from: text) == result)
  }

  @Test func denormalsFollowThePolicy() {
    let small = Float(1e-40)
    func verdict(_ a: Float, _ b: Float, _ policy: DenormalPolicy) -> ComparisonVerdict {
      var tolerance = Tolerance.exact
      tolerance.denormals = policy
      return comparePictures(flat(1, a), flat(1, b), tolerance: tolerance).verdict
    }
    #expect(verdict(small, 0, .preserve) == .fail && verdict(small, 0, .flush) == .pass && verdict(small, 0, .any) == .pass)
    #expect(verdict(small, 2 * small, .preserve) == .fail && verdict(small, 2 * small, .flush) == .pass)
    #expect(verdict(small, 2 * small, .any) == .fail && verdict(1e-30, 0, .flush) == .fail)
  }
}
