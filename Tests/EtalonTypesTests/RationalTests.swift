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

  @Test func ntscRatesAreFractions() {
    #expect(FrameRate("23.976")?.framesPerSecond == Rational(24000, 1001))
    #expect(FrameRate("29.97")?.description == "30000/1001")
    #expect(FrameRate("0") == nil)
    #expect(FrameRate("-24") == nil)
  }

  @Test func floorsTowardsMinusInfinity() {
    #expect(Rational(-1, 2).floor == -1)
    #expect(Rational(7, 2).floor == 3)
  }
}
