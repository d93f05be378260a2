import EtalonComparison
import EtalonTypes
import Testing

/// Tolerances found from pairs that are known to be good.
@Suite struct ToleranceProposerTests {
  private let gray = TestPictures.rgba8 { _, _ in [100, 100, 100, 200] }

  private func proposal(_ actual: [PixelBuffer], room: Double = 1.25) throws -> Tolerance {
    try #require(whole(actual, room: room).tolerance)
  }

  private func whole(_ actual: [PixelBuffer], room: Double = 1.25) -> ToleranceProposal {
    var proposer = ToleranceProposer(room: room)
    for (index, picture) in actual.enumerated() { proposer.add(picture, gray, from: "\(index)") }
    return proposer.proposal
  }

  @Test func equalPicturesAskForEquality() throws {
    let tolerance = try proposal([gray, gray])
    #expect(tolerance.color == ChannelTolerance(channel: 0) && tolerance.alpha == ChannelTolerance(channel: 0) && tolerance.flip == nil)
  }

  @Test func aFewOutliersAreCountedAndBounded() throws {
    let tolerance = try proposal([gray.adding([(3, 3, 0, 40), (4, 3, 0, 40)])])
    #expect(tolerance.channel == 0 && tolerance.ceiling == 50 && tolerance.window == WindowLimit(size: 8, outliers: 3))
    #expect(tolerance.outliers == CountLimit(fail: .percent(0.062)) && tolerance.alpha == ChannelTolerance(channel: 0))
  }

  @Test func noiseEverywhereRaisesTheLevel() throws {
    let noise = TestPictures.rgba8 { x, y in [UInt8(100 + (x + y) % 3), 100, 100, 200] }
    let tolerance = try proposal([noise])
    #expect(tolerance.channel == Limit(fail: 3) && tolerance.outliers == nil)
    #expect(try proposal([noise], room: 1).channel == Limit(fail: 2))
  }

  @Test(arguments: 1...6) func holdsForAllItWasMadeOfAndForLittleMore(seed: Int) throws {
    let pictures = (1...3).map { step in
      TestPictures.rgba8 { x, y in
        let noise = (x * 7 + y * 13 * seed + step) % (seed + 1)
        return [UInt8(100 + noise), 100, UInt8((x * seed + y) % 97 == 0 ? 100 + 9 * step : 100), UInt8(200 + (x == y ? step : 0))]
      }
    }
    let tolerance = try proposal(pictures)
    #expect(tolerance.diagnostics.isEmpty)
    for picture in pictures { #expect(comparePictures(picture, gray, tolerance: tolerance).verdict == .pass) }
    let worse = pictures[2].adding((0..<64).map { (x: $0, y: 9, channel: 1, by: 60) })
    #expect(comparePictures(worse, gray, tolerance: tolerance).verdict == .fail)
  }

  @Test func saysWhatEachLimitBears() {
    let found = whole([gray.adding([(3, 3, 0, 2)]), gray.adding([(3, 3, 0, 40), (4, 3, 0, 40), (9, 9, 3, 1)])])
    #expect(
      found.yaml(indentation: "  ") == [
        "  channel: 0                        # all but the outliers",
        "  outliers: 0.062%                  # measured 0.04883% (1), 0.013% to spare",
        "  window: { size: 8, outliers: 3 }  # measured 2 (1), 1 to spare",
        "  ceiling: 50                       # measured 40 (1), 10 to spare",
        "  mean: 0.0082                      # measured 0.00651 (1), 0.0017 to spare",
        "  flip: { mean: 0.00062 }           # measured 0.0004934 (1), 0.00013 to spare",
        "  alpha:",
        "    channel: 0                        # all but the outliers",
        "    outliers: 0.031%                  # measured 0.02441% (1), 0.0066% to spare",
        "    window: { size: 8, outliers: 2 }  # measured 1 (1), 1 to spare",
        "    ceiling: 2                        # measured 1 (1), 1 to spare",
        "    mean: 0.00031                     # measured 0.0002441 (1), 0.000066 to spare",
      ])
    #expect(whole([gray]).yaml() == ["channel: 0             # equal everywhere", "alpha: { channel: 0 }  # equal everywhere"])
    #expect(found.pairs == 2 && found.limits.first { $0.key == "ceiling" }?.source == "1")
  }

  @Test func whatMayBeAnythingHasNoTolerance() throws {
    let other = TestPictures.rgba8 { x, y in [UInt8((x * 7919 + y * 104729) % 256), 100, 100, 200] }
    let found = whole([gray, other])
    #expect(found.tolerance == nil && found.limits == [] && found.yaml() == [])
    let obstacle = try #require(found.obstacle)
    #expect(obstacle.source == "1" && obstacle.reason.contains("% of the pixels differ, by up to 155 levels") && !obstacle.isNoise)
  }

  @Test func drawsOfNoiseAreCalledThat() throws {
    var state: UInt32 = 7
    func draw() -> PixelBuffer {
      TestPictures.rgba8 { _, _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return [UInt8](repeating: UInt8(state >> 24), count: 3) + [255]
      }
    }
    let reference = draw()
    var proposer = ToleranceProposer()
    for _ in 0..<3 { proposer.add(draw(), reference) }
    #expect(try #require(proposer.proposal.obstacle).isNoise)
  }

  @Test func holesHaveNoTolerance() throws {
    var proposer = ToleranceProposer()
    proposer.add(TestPictures.float { x, _ in [x == 3 ? .nan : 1, 0, 0, 1] }, TestPictures.float { _, _ in [1, 0, 0, 1] }, from: "here")
    #expect(try #require(proposer.proposal.obstacle).reason == "64 pixels differ in what is NaN or infinite")
  }

  /// Whatever is proposed can be exceeded, also for pictures of few pixels.
  @Test(arguments: 1...40) func whatIsProposedCanFail(seed: Int) throws {
    var state = UInt32(seed)
    func random(_ most: UInt32) -> UInt32 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return (state >> 16) % most
    }
    let size = Size(Int(1 + random(40)), Int(1 + random(40)))
    let strength = random(300), rarity = 1 + random(200)
    func picture() -> PixelBuffer {
      TestPictures.rgba8(size) { _, _ in (0..<4).map { _ in UInt8(random(rarity) == 0 ? min(255, random(strength + 1)) : 9) } }
    }
    let pictures = [picture(), picture()], reference = picture()
    var proposer = ToleranceProposer()
    for picture in pictures { proposer.add(picture, reference) }
    guard let tolerance = proposer.proposal.tolerance else { return }
    #expect(tolerance.diagnostics(comparing: [.bits8], size: size) == [])
    for picture in pictures { #expect(comparePictures(picture, reference, tolerance: tolerance).verdict == .pass) }
    let text = proposer.proposal.yaml().joined(separator: "\n")
    #expect(!text.contains("255") && text.contains("channel"))
  }

  @Test func numbersHaveTwoDigits() throws {
    for value in stride(from: 0.0004, to: 0.4, by: 0.0003) {
      let tolerance = try proposal([TestPictures.rgba8 { x, y in [UInt8(x * 64 + y < Int(value * 4096) ? 103 : 100), 100, 100, 200] }])
      let mean = try #require(tolerance.mean?.fail)
      #expect("\(mean)".filter(\.isNumber).drop { $0 == "0" }.count <= 2, "\(mean)")
    }
  }

  @Test func floatsHaveLevelsOfTheirOwn() throws {
    let reference = TestPictures.float { x, _ in [Float(x), 0, 0, 1] },
      actual = TestPictures.float { x, _ in [Float(x) * 1.000001, 0, 0, 1] }
    var proposer = ToleranceProposer()
    proposer.add(actual, reference)
    let tolerance = try #require(proposer.proposal.tolerance)
    #expect(comparePictures(actual, reference, tolerance: tolerance).verdict == .pass)
    #expect((tolerance.channel?.fail ?? 1) < 1e-3)
  }
}
