import EtalonManifest
import EtalonTypes
import Testing

@testable import EtalonGraph

/// Which frame shows at another moment, within and beyond the ends of a picture.
@Suite struct MomentTests {
  private func frames(_ offset: Int, _ ends: FrameWindow.Ends, of range: ClosedRange<Int>, from starts: some Sequence<Int>) -> [Int] {
    let moment = Moment(offset, ends: ends, streams: [], isComputed: false)
    return starts.map { moment.frame(from: $0, isThere: range.contains).frame }
  }

  @Test func withinTheEndsAllAreAlike() {
    for ends in FrameWindow.Ends.allCases {
      #expect(frames(-2, ends, of: 0...9, from: 2...9) == Array(0...7))
      #expect(frames(3, ends, of: 0...9, from: 0...6) == Array(3...9))
    }
  }

  @Test func endsHold() {
    #expect(frames(-3, .hold, of: 0...4, from: 0...4) == [0, 0, 0, 0, 1])
    #expect(frames(3, .transparent, of: 0...4, from: 0...4) == [3, 4, 4, 4, 4])
  }

  /// 4 3 2 1 0 1 2 3 4 3 2 …: the frames at the ends show once.
  @Test func endsMirror() {
    #expect(frames(3, .mirror, of: 0...4, from: 0...4) == [3, 4, 3, 2, 1])
    #expect(frames(-3, .mirror, of: 0...4, from: 0...4) == [3, 2, 1, 0, 1])
    #expect(frames(8, .mirror, of: 0...2, from: 0...2) == [0, 1, 2])
    #expect(frames(-5, .mirror, of: 0...0, from: [0]) == [0])
  }

  @Test func whatIsThereIsSaid() {
    let moment = Moment(-1, ends: .transparent, streams: [], isComputed: false)
    #expect(moment.frame(from: 0, isThere: (0...4).contains).isThere == false)
    #expect(moment.frame(from: 1, isThere: (0...4).contains).isThere)
  }

  /// One moment after the other, each with the ends of its own picture.
  @Test func momentsFollowEachOther() {
    let finder = MomentFinder(
      first: 0, readings: { frame, _ in ClockReading(frame: frame, clock: ShotClock()) },
      shows: { stream, frame, _ in stream == "plate" && frame <= 9 })
    let back = Moment(-2, ends: .hold, streams: ["plate"], isComputed: true)
    let on = Moment(3, ends: .hold, streams: ["plate"], isComputed: false)
    #expect([0, 1, 5, 9].map { finder.frame($0, at: [back, on]).frame } == [3, 3, 6, 9])
    #expect([0, 1, 5, 9].map { finder.frame($0, at: [on, back]).frame } == [1, 2, 6, 7])
    // What is over shows on, as it does by itself.
    #expect(finder.frame(12, at: [on]).frame == 15)
    // A stream may have begun before the shot; what filters make has not.
    let before = Moment(-1, ends: .hold, streams: ["plate"], isComputed: false)
    #expect(finder.frame(0, at: [before]).frame == -1)
    #expect(finder.frame(0, at: [back]).frame == 0)
  }
}
