internal import Etalon
internal import EtalonTypes

/// Makes pictures of how far the pixels of frames move that differ from their references, as far as that takes little time.
struct StabilityCheck {
  /// Pixels of all frames together, beyond which nothing is shown.
  private static let mostPixels = 1 << 20
  /// Seconds that a case may have taken until here.
  private static let mostSeconds = 5.0
  /// Cases of a process for which it is done.
  static let mostCases = 10

  private let run: CaseRun
  private let time: JudgingTime

  init(_ run: CaseRun, _ time: JudgingTime) { (self.run, self.time) = (run, time) }

  /// Adds the pictures to the frames that differ.
  func show(_ testCase: TestCase, _ frames: [RenderedFrame], _ result: inout CaseResult) {
    let differing = result.frames.indices.filter { result.frames[$0].check == "reference" && result.frames[$0].verdict == .failed }
    guard !differing.isEmpty else { return }
    if let obstacle = obstacle(frames, result) {
      for index in differing { result.frames[index].stabilityObstacle = obstacle }
      return
    }
    run.stabilityCasesLeft -= 1
    let runs = StabilityRuns()
    guard let maps = try? maps(testCase, runs) else {
      for index in differing { result.frames[index].stabilityObstacle = "the CPU device shows nothing, or takes too long" }
      return
    }
    for index in differing {
      guard let map = maps.first(where: { $0.moment == result.frames[index].moment }) else { continue }
      let picture = PictureMap(map.map)
      PictureFolder(run, testCase).keep(&result.frames[index], picture.picture, of: map.number, as: "stability")
      result.frames[index].stability = StabilityResult(
        runs: runs.count, seed: runs.seed,
        bands: picture.legend.map { .init(text: $0.text, color: $0.colorText, pixels: $0.pixelCount) })
    }
  }

  /// Why it is left out; nil where it is not.
  private func obstacle(_ frames: [RenderedFrame], _ result: CaseResult) -> String? {
    let pixels = frames.reduce(0) { $0 + $1.floats.size.pixelCount }
    let seconds = min(Self.mostSeconds, (time.left ?? .infinity) / 12)
    if run.stabilityCasesLeft == 0 { return "left out after \(Self.mostCases.of("case")): run this one alone" }
    if pixels > Self.mostPixels { return "left out: \(pixels) pixels are more than \(Self.mostPixels)" }
    return result.seconds > seconds ? "left out: the case took \(secondsText(result.seconds)) s, more than \(secondsText(seconds)) s" : nil
  }

  private func maps(_ testCase: TestCase, _ runs: StabilityRuns) throws -> [(moment: String, number: Int, map: StabilityMap)] {
    let plain = try frames(testCase, on: "cpu")
    var maps = plain.map {
      (
        moment: $0.moment.text, number: $0.number,
        map: StabilityMap(pass: "", frame: $0.number, unperturbed: $0.floats, runCount: runs.count, seed: runs.seed)
      )
    }
    for device in runs.devices {
      for (index, frame) in try frames(testCase, on: device).enumerated() {
        maps[index].map.add(frame.floats, comparedWith: plain[index].floats)
      }
    }
    return maps
  }

  private func frames(_ testCase: TestCase, on device: String) throws -> [RenderedFrame] {
    try CaseRenderer(device: device, library: run.library, timeout: time.left).frames(of: testCase)
  }
}
