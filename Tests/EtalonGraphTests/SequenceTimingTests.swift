import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Testing

/// Which picture of a sequence shows when.
@Suite struct SequenceTimingTests {
  private let clock = ShotClock(first: 1001, start: Rational(2), rate: FrameRate(Rational(24000, 1001)) ?? .sixty)

  private func timing(_ text: String) throws -> SequenceTiming {
    let source = SourceText(path: "-i", text: text)
    var start = 0
    return try SequenceTiming(
      text.split(separator: ",").map { part in
        defer { start += part.utf8.count + 1 }
        let equals =
          start + (part.utf8.firstIndex(of: UInt8(ascii: "=")).map { part.utf8.distance(from: part.utf8.startIndex, to: $0) } ?? 0)
        let words = part.split(separator: "=")
        return SequenceField(
          key: String(words[0]), value: String(words[1]), source: source, keyRange: start..<equals,
          valueRange: equals + 1..<start + part.utf8.count)
      })
  }

  /// What frames of the shot show, as text: `<5` before picture 5, `9>` after picture 9.
  private func shown(_ text: String, _ frames: ClosedRange<Int>, found: ClosedRange<Int> = 5...8) throws -> [String] {
    let schedule = try #require(timing(text).schedule(in: clock, found: found))
    return frames.map { frame in
      switch schedule.place(at: clock.time(ofFrame: frame)) {
      case .picture(let number): "\(number)"
      case .before(let number): "<\(number)"
      case .after(let number): "\(number)>"
      }
    }
  }

  @Test func withoutAWordPicturesAndFramesGoTogether() throws {
    #expect(try shown("", 1001...1005) == ["5", "6", "7", "8", "8>"])
  }

  @Test func numbers() throws {
    #expect(try shown("first=7,last=9", 1001...1004) == ["7", "8", "9", "9>"])
    #expect(try shown("first=-2", 1001...1003) == ["-2", "-1", "0"])
    #expect(try timing("first=9").schedule(in: clock, found: 5...8) == nil)
  }

  @Test func speeds() throws {
    #expect(try shown("speed=1/2", 1001...1009) == ["5", "5", "6", "6", "7", "7", "8", "8", "8>"])
    #expect(try shown("speed=2", 1001...1003) == ["5", "7", "8>"])
    #expect(try shown("speed=-1", 1001...1005) == ["8", "7", "6", "5", "5>"])
    #expect(try shown("speed=-1/2", 1001...1004) == ["8", "8", "7", "7"])
    #expect(try shown("speed=0", 1001...1003) == ["5", "5", "5"])
  }

  @Test func loops() throws {
    #expect(try shown("loop=repeat,start=2.1", 1001...1006) == ["6", "7", "8", "5", "6", "7"])
    #expect(try shown("loop=ping-pong", 1001...1010) == ["5", "6", "7", "8", "7", "6", "5", "6", "7", "8"])
    #expect(try shown("loop=ping-pong,speed=-1", 1001...1008) == ["8", "7", "6", "5", "6", "7", "8", "7"])
    #expect(try shown("loop=ping-pong", 1001...1003, found: 5...5) == ["5", "5", "5"])
  }

  @Test func ownRateAndStart() throws {
    #expect(try shown("rate=6000/1001", 1001...1009) == ["5", "5", "5", "5", "6", "6", "6", "6", "7"])
    #expect(try shown("start=0", 1001...1001, found: 0...100) == ["47"])
    #expect(try shown("start=3", 1024...1026) == ["<5", "5", "6"])
  }

  /// A day of NTSC video, in which doubles would have lost count long before.
  @Test func nothingDrifts() throws {
    let schedule = try #require(timing("start=2").schedule(in: clock, found: 0...100_000_000))
    for frame in stride(from: 0, through: 99_999_999, by: 9_999_991) {
      #expect(schedule.place(at: clock.time(ofFrame: 1001 + frame)) == .picture(frame))
    }
  }

  @Test func errors() throws {
    let errors: [(String, String)] = [
      ("rate=0", "expected pictures a second above 0 and up to 1000, found '0'"),
      ("speed=fast", "expected a speed from -1000 to 1000, found 'fast'"),
      ("first=1.5", "expected the number of a picture, found '1.5'"), ("start=x", "expected seconds of the shot, found 'x'"),
      ("start=1000000001", "expected seconds of the shot, found '1000000001'"),
      ("loop=pingpong", "'loop' of a sequence cannot be 'pingpong'"), ("missing=hole", "'missing' of a sequence cannot be 'hole'"),
      ("sped=2", "a sequence has no 'sped'"), ("rate=24,rate=25", "'rate' is there twice"),
      ("first=9,last=3", "the last picture, 3, lies before the first, 9"),
    ]
    for (text, message) in errors {
      let error = #expect(throws: DiagnosticsError.self) { try timing(text) }
      #expect(error?.diagnostics.map(\.message) == [message])
    }
    let both = #expect(throws: DiagnosticsError.self) { try timing("rate=no,sped=2") }
    #expect(both?.diagnostics.map { $0.labels[0].range } == [5..<7, 8..<12])
    #expect(both?.diagnostics[1].help == ["did you mean 'speed'?"])
  }
}
