import EtalonTypes
import Testing

@testable import Etalon

/// When the pictures of a live stream show in a preview.
@Suite struct LivePaceTests {
  private let start = ContinuousClock.now

  private func due(_ pace: LivePace, _ timeStamp: Rational) -> Duration? { pace.due(timeStamp).map { $0 - start } }

  @Test func aPartThatComesAtOnceShowsOverItsLength() {
    var pace = LivePace()
    #expect(pace.due(0) == nil)
    for number in 0..<10 { pace.arrived(Rational(number, 10), at: start) }
    for number in 0..<10 { #expect(due(pace, Rational(number, 10)) == .milliseconds(100 * number)) }
  }

  @Test func aPictureThatComesLateMakesThoseBehindItLater() {
    var pace = LivePace()
    pace.arrived(0, at: start)
    pace.arrived(1, at: start + .seconds(3))
    #expect(due(pace, 1) == .seconds(3))
    #expect(due(pace, 2) == .seconds(4))
  }

  @Test func whatCouldShowEarlierDoesAfterAWhile() {
    var pace = LivePace()
    pace.arrived(0, at: start)
    // Late once by 2 s, and then as soon as before.
    pace.arrived(1, at: start + .seconds(3))
    for number in 2...15 {
      pace.arrived(Rational(number), at: start + .seconds(number) + .milliseconds(500))
      if number < 13 { #expect(due(pace, Rational(number)) == .seconds(number + 2)) }
    }
    #expect(due(pace, 16) == .seconds(16) + .milliseconds(500))
  }
}
