import EtalonComparison
import EtalonTypes
import Testing

/// Tolerances found from pairs that are known to be good.
@Suite struct ToleranceProposerTests {
  private let gray = TestPictures.rgba8 { _, _ in [100, 100, 100, 200] }

  private func proposal(_ actual: [PixelBuffer], room: Double = 1.25) -> Tolerance {
    var proposer = ToleranceProposer(room: room)
    for picture in actual { proposer.add(picture, gray) }
    return proposer.proposal.tolerance
  }

  @Test func equalPicturesAskForEquality() {
    let tolerance = proposal([gray, gray])
    #expect(tolerance.color == ChannelTolerance(channel: 0) && tolerance.alpha == ChannelTolerance(channel: 0) && tolerance.flip == nil)
  }

  @Test func aFewOutliersAreCountedAndBounded() {
    let tolerance = proposal([gray.adding([(3, 3, 0, 40), (4, 3, 0, 40)])])
    #expect(tolerance.channel == 0 && tolerance.ceiling == 50 && tolerance.window == WindowLimit(size: 8, outliers: 3))
    #expect(tolerance.outliers == CountLimit(fail: .percent(0.062)) && tolerance.alpha == ChannelTolerance(channel: 0))
  }

  @Test func noiseEverywhereRaisesTheLevel() {
    let noise = TestPictures.rgba8 { x, y in [UInt8(100 + (x + y) % 3), 100, 100, 200] }
    let tolerance = proposal([noise])
    #expect(tolerance.channel == Limit(fail: 3) && tolerance.outliers == nil)
    #expect(proposal([noise], room: 1).channel == Limit(fail: 2))
  }

  @Test(arguments: 1...6) func holdsForAllItWasMadeOfAndForLittleMore(seed: Int) {
    let pictures = (1...3).map { step in
      TestPictures.rgba8 { x, y in
        let noise = (x * 7 + y * 13 * seed + step) % (seed + 1)
        return [UInt8(100 + noise), 100, UInt8((x * seed + y) % 97 == 0 ? 100 + 9 * step : 100), UInt8(200 + (x == y ? step : 0))]
      }
    }
    let tolerance = proposal(pictures)
    #expect(tolerance.problems.isEmpty)
    for picture in pictures { #expect(comparePictures(picture, gray, tolerance: tolerance).verdict == .pass) }
    let worse = pictures[2].adding((0..<64).map { (x: $0, y: 9, channel: 1, by: 60) })
    #expect(comparePictures(worse, gray, tolerance: tolerance).verdict == .fail)
  }

  @Test func numbersHaveTwoDigits() throws {
    for value in stride(from: 0.0004, to: 0.4, by: 0.0003) {
      let tolerance = proposal([TestPictures.rgba8 { x, y in [UInt8(x * 64 + y < Int(value * 4096) ? 103 : 100), 100, 100, 200] }])
      let mean = try #require(tolerance.mean?.fail)
      #expect("\(mean)".filter(\.isNumber).drop { $0 == "0" }.count <= 2, "\(mean)")
    }
  }

  @Test func floatsHaveLevelsOfTheirOwn() {
    let reference = TestPictures.float { x, _ in [Float(x), 0, 0, 1] },
      actual = TestPictures.float { x, _ in [Float(x) * 1.000001, 0, 0, 1] }
    var proposer = ToleranceProposer()
    proposer.add(actual, reference)
    let tolerance = proposer.proposal.tolerance
    #expect(comparePictures(actual, reference, tolerance: tolerance).verdict == .pass)
    #expect((tolerance.channel?.fail ?? 1) < 1e-3)
  }
}
