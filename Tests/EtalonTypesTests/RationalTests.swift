import EtalonTypes
import Testing

@Suite struct RationalTests {
  @Test(arguments: [("24000/1001", 24000, 1001), ("12.5", 25, 2), ("-1.5", -3, 2), ("10", 10, 1), ("0.25/0.5", 1, 2)])
  func readsExactFractions(text: String, numerator: Int, denominator: Int) {
    #expect(Rational(text) == Rational(numerator, denominator))
  }

  @Test(arguments: ["", ".", "1/0", "1/2/3", "1e3", "0x10", "1.2.3", "--1", "99999999999999999999"])
  func refusesWhatIsNoFraction(text: String) {
    #expect(Rational(text) == nil)
  }

  @Test(arguments: [
    ("1.5", 3, 2), ("1.5s", 3, 2), ("1500ms", 3, 2), ("1001/24s", 1001, 24), ("0:01.5", 3, 2), ("1:30", 90, 1), ("-1:30", -90, 1),
    ("1:02:03.5", 7447, 2),
  ])
  func readsTimes(text: String, numerator: Int, denominator: Int) {
    #expect(Rational(seconds: text) == Rational(numerator, denominator))
  }

  @Test(arguments: ["", "s", "ms", "1m", "1:60", "1:2:3:4", ":30", "1:", "1:30s", "1:-5", "1:99:00", "a:30", "24f"])
  func refusesWhatIsNoTime(text: String) {
    #expect(Rational(seconds: text) == nil)
  }

  @Test func ntscRatesAreFractions() {
    #expect(FrameRate("23.976")?.framesPerSecond == Rational(24000, 1001))
    #expect(FrameRate("29.97")?.description == "30000/1001")
    #expect(FrameRate("0") == nil)
    #expect(FrameRate("-24") == nil)
  }

  private static let extremes = [Int.min, .min + 1, -1, 0, 1, 3, 1 << 32, .max - 1, .max]

  /// No sum, product or quotient of fractions ends the process, and what is too large is the largest that there is.
  @Test(arguments: extremes, extremes) func extremeParts(_ numerator: Int, _ denominator: Int) {
    let value = Rational(numerator, denominator == 0 ? 7 : denominator)
    for other in Self.extremes.flatMap({ [Rational($0), Rational(1, $0 == 0 ? 1 : $0)] }) {
      #expect((value + other).double.magnitude <= (value.double.magnitude + other.double.magnitude) * (1 + 1e-6))
      #expect((value - other) == .zero - (other - value))
      if other != .zero, value != .zero {
        #expect((value * other < .zero) == ((value < .zero) != (other < .zero)) || value * other == .zero)
      }
      if other != .zero { _ = (value / other).floor }
    }
  }

  @Test func whatIsTooLargeIsTheLargest() {
    let large = Rational(Int.max)
    #expect(large * large == large)
    #expect(large + large == large)
    #expect(.zero - large - large == Rational(-Int.max))
    #expect(Rational("1000000000000/0.000000001") == large)
    #expect((Rational(1) / large / large) == .zero)
    #expect([Double.nan, .infinity, -.infinity, 1e300, 2.5].map { Int(saturating: $0) } == [0, .max, .min, .max, 3])
  }

  @Test func floorsTowardsMinusInfinity() {
    #expect(Rational(-1, 2).floor == -1)
    #expect(Rational(7, 2).floor == 3)
  }
}
