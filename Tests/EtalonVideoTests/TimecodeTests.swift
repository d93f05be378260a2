import EtalonTypes
import EtalonVideo
import Testing

@Suite struct TimecodeTests {
  private static let ntsc = Rational(30000, 1001)

  @Test(arguments: [
    ("01:00:00:00", Rational(25), 0, "01:00:00:00"), ("01:02:03:24", Rational(25), 1, "01:02:04:00"),
    ("23:59:59:23", Rational(24000, 1001), 1, "00:00:00:00"), ("00:00:00:00", Rational(30), 30 * 3600, "01:00:00:00"),
    ("00:00:59:29", ntsc, 1, "00:01:00:00"), ("00:00:59;29", ntsc, 1, "00:01:00;02"), ("00:09:59;29", ntsc, 1, "00:10:00;00"),
    ("00:01:59;29", ntsc, 1, "00:02:00;02"), ("00:00:00;00", ntsc, 107_892, "01:00:00;00"),
    ("23:59:59;29", ntsc, 1, "00:00:00;00"), ("00:00:59;59", Rational(60000, 1001), 1, "00:01:00;04"),
    ("00:00:00:00", Rational(25), -1, "23:59:59:24"),
  ]) func advances(text: String, rate: Rational, frames: Int, later: String) throws {
    let timecode = try #require(Timecode(text, at: rate))
    #expect("\(timecode)" == text)
    #expect("\(timecode.advanced(by: frames))" == later)
  }

  @Test func everyNumberIsReadAsItIsWritten() throws {
    var timecode = try #require(Timecode("00:08:00;02", at: Self.ntsc))
    for _ in 0..<6000 {
      let next = timecode.advanced(by: 1)
      #expect(Timecode("\(next)", at: Self.ntsc) == next)
      #expect("\(next)" > "\(timecode)")
      timecode = next
    }
  }

  @Test(arguments: [
    "", "1:2:3:4", "01:00:00:30", "24:00:00:00", "00:60:00:00", "01:00:00", "01;00:00:00", "01;00;00;00", "01:00;00;00", "aa:00:00:00",
    "+1:00:00:00", "00:01:00;00", "00:01:00;01",
  ]) func isNoTimecode(text: String) {
    #expect(Timecode(text, at: Self.ntsc) == nil)
  }

  @Test(arguments: [Rational(30), Rational(25), Rational(24000, 1001)]) func dropNoNumbers(rate: Rational) {
    #expect(Timecode("01:00:00;00", at: rate) == nil)
  }

  @Test func otherRates() throws {
    let timecode = try #require(Timecode("01:00:00:12", at: 24))
    #expect(timecode.converted(to: 50).map { "\($0)" } == "01:00:00:25")
    #expect(timecode.converted(to: Rational(24000, 1001)) == timecode)
    let dropped = try #require(Timecode("01:01:00;02", at: Self.ntsc))
    #expect(dropped.converted(to: Rational(60000, 1001)).map { "\($0)" } == "01:01:00;04")
    #expect(dropped.converted(to: 30) == nil && dropped.converted(to: 24) == nil)
  }
}
