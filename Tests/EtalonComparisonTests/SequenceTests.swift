import EtalonComparison
import EtalonTypes
import Testing

/// Frames one after the other.
@Suite struct SequenceTests {
  private let gray = TestPictures.rgba8 { _, _ in [100, 100, 100, 255] }
  private let brighter = TestPictures.rgba8 { _, _ in [106, 106, 106, 255] }
  private let brightest = TestPictures.rgba8 { _, _ in [109, 109, 109, 255] }

  @Test func tellsTheFirstAndTheWorst() {
    var comparer = SequenceComparer(tolerance: Tolerance(channel: 5))
    for (name, picture) in [("1", gray), ("2", brighter), ("3", brightest), ("4", gray)] { comparer.add(name, picture, gray) }
    let result = comparer.result
    #expect(result.verdict == .fail && result.firstDiffering?.name == "2" && result.worst?.name == "3")
  }

  @Test func equalFramesPass() {
    var comparer = SequenceComparer()
    for name in ["1", "2"] { comparer.add(name, gray, gray) }
    #expect(comparer.result.verdict == .pass && comparer.result.firstDiffering == nil && comparer.result.worst == nil)
    #expect(comparer.result.mostFlicker == nil)
  }

  @Test func aConstantDifferenceDoesNotFlicker() {
    var comparer = SequenceComparer()
    for (name, picture) in [("1", brighter), ("2", brighter), ("3", gray), ("4", gray)] { comparer.add(name, picture, gray) }
    #expect(comparer.result.frames.map { $0.flicker?.mean } == [nil, 0, 6, 0])
    #expect(comparer.result.mostFlicker?.name == "3" && comparer.result.mostFlicker?.flicker?.largest == 6)
  }

  @Test func flickerHasALimit() {
    var tolerance = Tolerance(channel: 10)
    tolerance.flicker = Limit(warn: 2, fail: 4)
    func verdict(_ pictures: [PixelBuffer]) -> ComparisonVerdict {
      var comparer = SequenceComparer(tolerance: tolerance)
      for picture in pictures { comparer.add("a", picture, gray) }
      return comparer.result.verdict
    }
    #expect(verdict([brighter, brighter, brighter]) == .pass)
    #expect(verdict([brighter, brightest, brightest]) == .warn)
    #expect(verdict([brighter, gray, gray]) == .fail)
  }

  @Test func missingAndUnexpectedFramesFail() {
    var missing = SequenceComparer(), unexpected = SequenceComparer(), other = SequenceComparer()
    missing.add("1", gray, gray)
    unexpected.add("1", gray, gray)
    other.add("1", gray, gray)
    missing.addMissing("2")
    unexpected.addUnexpected("2")
    #expect(missing.result.verdict == .fail && unexpected.result.verdict == .fail && other.result.verdict == .pass)
    #expect(SequenceComparer().result.verdict == .fail, "nothing was compared")
  }

  @Test func aFrameOfAnotherSizeInterruptsFlicker() {
    var comparer = SequenceComparer()
    comparer.add("1", gray, gray)
    comparer.add("2", gray, TestPictures.waves(Size(8, 8)))
    comparer.add("3", brighter, gray)
    #expect(comparer.result.verdict == .sizeMismatch && comparer.result.frames.map { $0.flicker?.mean } == [nil, nil, nil])
  }
}
