import EtalonGraph
import EtalonManifest
import EtalonTypes
import Testing

@Suite struct ShotClockTests {
  private let filter = FilterManifest(name: "none", dialect: .native, kind: .generator, inputs: [], passes: [])

  @Test func numberingDoesNotMoveTime() throws {
    let rate = try #require(FrameRate("23.976"))
    let clock = ShotClock(first: 1001, start: Rational(2), rate: rate)
    #expect(clock.time(ofFrame: 1001) == Rational(2))
    #expect(clock.time(ofFrame: 1025) == Rational(2) + Rational(24 * 1001, 24000))
    #expect(clock.time(ofFrame: 10_000_000 + 1001) == Rational(2) + Rational(10_010_000_000, 24000))
    #expect(clock.frame(at: clock.time(ofFrame: 77)) == 77)
    #expect(clock.frame(at: Rational(0)) == 1001 - 48)
  }

  @Test func stateCountsFromTheFirstFrame() {
    let clock = ShotClock(first: 1001, rate: FrameRate("24") ?? .sixty)
    let state = FrameState(frame: 1003, clock: clock, pointer: nil, date: .fixed)
    let pass = PassState(
      targetSize: Size(64, 32), textureSizes: [.input("photo"): [4, 8, 1]], values: ParameterValues(defaultsOf: filter))
    func components(_ meaning: Uniform.Meaning) -> [Double] { state.components(of: meaning, in: pass) }
    #expect(components(.frameIndex) == [2])
    let frameDuration: Double = 1 / 24
    let time: Double = 2 / 24
    #expect(components(.time) == [time])
    #expect(components(.timeDelta(onFirstFrame: 0)) == [frameDuration])
    #expect(components(.targetSize) == [64, 32, 1])
    #expect(components(.textureSizes([nil, .input("photo")])) == [0, 0, 0, 4, 8, 1])
    #expect(components(.date(january: 0)) == [2024, 0, 1, time])
    #expect(components(.mouse) == [0, 0, 0, 0])
  }

  @Test func firstFrameLastsASixtieth() {
    let state = FrameState(frame: 0, clock: ShotClock(rate: FrameRate("24") ?? .sixty), pointer: nil, date: .fixed)
    let pass = PassState(targetSize: Size(1, 1), values: ParameterValues(defaultsOf: filter))
    #expect(state.components(of: .timeDelta(onFirstFrame: 0.5), in: pass) == [0.5])
  }

  @Test func progressReachesBothEndsOfTheRange() {
    let progress = [10, 15, 20].map { frame in
      FrameState(frame: frame, clock: ShotClock(first: 5), range: 10...20, pointer: nil, date: .fixed).progress
    }
    #expect(progress == [0, 0.5, 1])
    #expect(FrameState(frame: 3, clock: ShotClock(), pointer: nil, date: .fixed).progress == 0)
  }

  @Test func pointerSignsSayWhetherTheButtonIsHeld() {
    let held = PointerState(x: 10.7, y: 20.2, isDown: true)
    #expect(held.components(isFirstFrame: true) == [10, 20, 10, 20])
    #expect(held.components(isFirstFrame: false) == [10, 20, 10, -20])
    #expect(PointerState(x: 10, y: 20, isDown: false).components(isFirstFrame: true) == [10, 20, -10, -20])
  }

  @Test(arguments: [(1e6, "2024-01-12"), (-1e9, "1992-04-23"), (1e11, "5192-11-15"), (6.3e10, "4020-05-22")])
  func datesFarAwayAreExact(_ seconds: Double, _ text: String) throws {
    let date = try #require(CalendarDate("2024-01-01")).advanced(by: seconds), expected = try #require(CalendarDate(text))
    #expect([date.year, date.month, date.day] == [expected.year, expected.month, expected.day])
  }

  @Test(arguments: [1e12, 1e18, 1e300, .infinity]) func datesEndWithTheCalendar(_ seconds: Double) throws {
    let date = try #require(CalendarDate("2024-01-01"))
    #expect(date.advanced(by: seconds).year == 9999)
    #expect(date.advanced(by: -seconds).year == 1)
  }

  @Test func timesBeyondEveryFrame() {
    for first in [-FrameRange.largestFrame, 0, FrameRange.largestFrame] {
      let clock = ShotClock(first: first, rate: 1000)
      #expect(clock.frame(at: Rational(.max)) >= Int.max - FrameRange.largestFrame)
      #expect(clock.frame(at: Rational(-.max)) <= Int.min + FrameRange.largestFrame + 1)
    }
  }

  @Test func datesCarryOver() throws {
    let date = try #require(CalendarDate("2024-02-28T23:59:59.5"))
    let next = date.advanced(by: 86_401)
    #expect([next.year, next.month, next.day] == [2024, 3, 1])
    #expect(next.seconds == 0.5)
    let back = try #require(CalendarDate("2024-01-01")).advanced(by: -1)
    #expect([back.year, back.month, back.day] == [2023, 12, 31])
  }

  @Test(arguments: ["2023-02-29", "2024-13-01", "2024-01-01T24:00", "24-1", "now", "2024-01-01T10:00:60", "2024-01-01T10:00:00T"])
  func refusesWhatIsNoDate(text: String) {
    #expect(CalendarDate(text) == nil)
  }

  @Test(arguments: ["1", "23.976", "60", "1000"]) func timesThatShotsMayHaveAreExact(_ rate: String) throws {
    let rate = try #require(FrameRate(rate))
    for (first, start) in [(FrameRange.largestFrame, ShotClock.longestTime), (-FrameRange.largestFrame, .zero - ShotClock.longestTime)] {
      let clock = ShotClock(first: first, start: start, rate: rate)
      for frame in [first, first + 1, first - 1, -first] { #expect(clock.frame(at: clock.time(ofFrame: frame)) == frame) }
      for time in [.zero, start, .zero - start] {
        let shown = clock.frame(at: time)
        #expect(clock.time(ofFrame: shown) <= time && clock.time(ofFrame: shown + 1) > time)
      }
    }
  }
}
