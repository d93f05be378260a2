internal import Etalon
internal import EtalonComparison
internal import EtalonTypes

/// Asks of pixels of a device whether they are what the Vulkan specification allows.
struct SpecificationCheck {
  /// The most pixels of a frame that are judged, to say whom to blame, and where the specification alone decides.
  private static let worstPixels = 256, allPixels = 65536

  private let run: CaseRun
  private let testCase: TestCase
  private let time: JudgingTime
  /// How many frames share the time.
  private let frameCount: Int

  init(_ run: CaseRun, _ testCase: TestCase, _ time: JudgingTime, sharedBy frameCount: Int = 1) {
    (self.run, self.testCase, self.time, self.frameCount) = (run, testCase, time, max(frameCount, 1))
  }

  /// The judgement of a frame beside the CPU device's picture of it.
  func judge(_ question: PixelQuestion) throws -> SpecificationResult {
    var result = SpecificationResult()
    result.differing = question.pixels.count
    guard !question.pixels.isEmpty else { return result }
    var limits = SpecificationRanges.Limits(stepsOfFrame: question.isDecidedBySpecification ? 100_000_000 : 12_000_000)
    limits.samplerPrecision = run.samplerPrecision
    limits.seconds = time.leftForRanges
    if question.isUsual { limits.processorSeconds = time.processorSeconds.map { $0 / Double(frameCount) } }
    let pixels = Array(question.pixels.prefix(question.isDecidedBySpecification ? Self.allPixels : Self.worstPixels))
    let size = question.reference.size
    let ranges = try CaseRenderer(device: "cpu", library: run.library, timeout: time.left).ranges(
      of: testCase, question.frame.moment, at: pixels.map { ($0.index % size.width, size.height - 1 - $0.index / size.width) },
      limits: limits)
    let numbers = JudgedNumbers(question)
    var lines: [PixelRange.Opening: Int] = [:]
    var farthest = -1.0
    for (pixel, range) in zip(pixels, ranges) {
      result.judged += 1
      let worst = numbers.worst(of: pixel.index, in: range)
      if worst.distance > farthest { (farthest, result.worst) = (worst.distance, worst.value) }
      if range.isBeyondSpecification { result.beyondSpecification += 1 }
      if worst.distance > 0 {
        result.outside += 1
        // What is no number where the range holds numbers is no matter of precision.
        if range.isBeyondSpecification, worst.distance.isFinite { result.outsideWithoutBound = (result.outsideWithoutBound ?? 0) + 1 }
        continue
      }
      guard let opening = range.opening, range.isUnknown || numbers.isOpen(range) else {
        result.inside += 1
        continue
      }
      lines[opening, default: 0] += 1
      if range.isUnknown { result.unknown += 1 } else { result.undetermined += 1 }
    }
    result.lines = lines.map { opening, pixels in
      let source = opening.path.flatMap { path in opening.line.flatMap { SourceExcerpt(SubjectFiles.file(path), marking: [$0]) } }
      return .init(text: opening.text, pixels: pixels, source: source)
    }.sorted { ($1.pixels, $0.text) < ($0.pixels, $1.text) }
    return result
  }
}
