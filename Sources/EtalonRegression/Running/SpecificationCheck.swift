internal import Etalon
internal import EtalonComparison
internal import EtalonInspection
internal import EtalonTypes

/// Asks whether pixels of a device are what the Vulkan specification allows.
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
        // NaN or an infinity where the range holds numbers does not come from precision.
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

/// Which pixels of a frame that failed are asked about, and whether their answers settle the failure.
///
/// Where only limits of single pixels fail (`channel`, `outliers`, `ceiling`), those beyond the level of `channel` are; where any other does, such as
/// `mean` or `ssim`, every pixel that differs.
struct PixelQuestion {
  struct Pixel {
    /// Its place, counted from the top row on.
    let index: Int
    let difference: Double
  }

  let frame: RenderedFrame
  /// The picture in the form of the reference.
  let actual: PixelBuffer
  let reference: PixelBuffer
  /// What the frame was compared with.
  let tolerance: Tolerance
  /// How far the CPU device may be off the reference: as far as the device, but not exactly where it is not known to have recorded that.
  let toleranceOfCPU: Tolerance
  /// Whether what the specification allows decides about the frame.
  let isDecidedBySpecification: Bool
  /// Whether the case does not ask for that, so that it may take only so much processor time.
  let isUsual: Bool
  /// Whether the CPU device recorded the reference, so that it has to show the same bits as long as nothing changed.
  let isBesideCPU: Bool
  /// The worst first.
  let pixels: [Pixel]
  /// How far color and alpha may be off, in the unit of the comparison.
  fileprivate let colorLevel: Double
  fileprivate let alphaLevel: Double
  /// The limits that fail and let every pixel be asked about that differs.
  let wideKeys: [String]
  /// The limits that fail whatever single pixels may be.
  let openKeys: [String]

  private static let pixelKeys: Set = ["channel", "outliers", "ceiling"]

  /// - Parameters:
  ///   - found: what came out of comparing the frame.
  ///   - limits: those that it was compared with, where there are any.
  ///   - asksSpecification: whether these let the specification decide.
  ///   - isBesideCPU: whether the CPU device recorded the reference.
  init(
    _ found: FrameResult, _ frame: RenderedFrame, _ reference: PixelBuffer, _ limits: Tolerance, asksSpecification: Bool = false,
    isBesideCPU: Bool = false
  ) {
    isUsual = found.plain != nil
    let tolerance = isUsual ? .exact : limits
    (isDecidedBySpecification, self.isBesideCPU, self.tolerance) = (isUsual || asksSpecification, isBesideCPU, tolerance)
    toleranceOfCPU = isBesideCPU ? tolerance : limits
    (self.frame, self.reference, actual) = (frame, reference, frame.picture(like: reference))
    let keys = found.comparison?.limits.filter { $0.verdict == .fail }.map(\.key) ?? []
    func isOfPixels(_ key: String) -> Bool { Self.pixelKeys.contains(key.hasPrefix("alpha.") ? String(key.dropFirst(6)) : key) }
    wideKeys = keys.filter { $0 != "nan" && !isOfPixels($0) }
    let isOver = found.flicker?.limit?.verdict == .fail
    openKeys = (keys.contains("nan") || found.differsInFiniteness == true ? ["nan"] : []) + (isOver ? ["flicker"] : [])
    let isWide = !wideKeys.isEmpty
    colorLevel = isWide ? 0 : tolerance.effectiveColor.outlierLevel
    alphaLevel = isWide ? 0 : tolerance.effectiveAlpha.outlierLevel
    let asksColor = isWide || keys.contains { Self.pixelKeys.contains($0) }
    let asksAlpha = isWide || keys.contains { $0.hasPrefix("alpha.") }
    let asksFinite = keys.contains("nan")
    let distances = PixelDistances(actual, reference, tolerance: tolerance)
    let (colorLevel, alphaLevel) = (colorLevel, alphaLevel)
    func isAsked(_ pixel: Int) -> Bool {
      asksColor && distances.isColor(of: pixel, beyond: colorLevel) || asksAlpha && distances.isAlpha(of: pixel, beyond: alphaLevel)
        || asksFinite && distances.largest(pixel).isInfinite
    }
    pixels = (0..<reference.size.pixelCount).filter(isAsked).map { Pixel(index: $0, difference: distances.largest($0)) }
      .sorted { ($1.difference, $0.index) < ($0.difference, $1.index) }
  }

  /// Why there is no pixel to ask about.
  var wordsOfNothing: String {
    openKeys.contains("nan") || openKeys.isEmpty
      ? "what fails is no color that a range could hold"
      : "what fails is how much differences change from frame to frame, and no pixel by itself"
  }

  /// What is asked beyond pixels whose limits fail, and what answers cannot settle, where the specification decides.
  var notes: [String] {
    var notes: [String] = []
    let word = isUsual ? "the specification" : "'within: vulkan'"
    if let key = wideKeys.first { notes.append("\(word): '\(key)' fails, so every pixel that differs is asked about") }
    if openKeys.contains("nan") { notes.append("\(word) bears nothing that is NaN or infinite on one side only") }
    if openKeys.contains("flicker") { notes.append("\(word) bears nothing that 'flicker' does not: it asks about single frames") }
    return notes
  }
}

/// The numbers of a picture as they are compared: levels, or floats as they are.
private struct JudgedNumbers {
  private let question: PixelQuestion
  private let size: Size
  /// What 1 is as a level; nil where numbers are compared as they are.
  private let most: Double?

  init(_ question: PixelQuestion) {
    (self.question, size) = (question, question.reference.size)
    most = question.reference.format == .rgba32f ? nil : question.reference.format == .rgba16 ? 65535 : 255
  }

  private func value(_ picture: PixelBuffer, _ pixel: Int, _ channel: Int) -> Double {
    let width = picture.format.bytesPerChannel, place = (pixel * 4 + channel) * width
    let bits = (0..<width).reduce(UInt32(0)) { $0 | UInt32(picture.bytes[place + $1]) << UInt32(8 * $1) }
    return picture.format == .rgba32f ? Double(Float(bitPattern: bits)) : Double(bits)
  }

  private func bounds(_ channel: PixelRange.Channel) -> (low: Double, high: Double) {
    guard let most else { return channel.mayBeNaN ? (-.infinity, .infinity) : (channel.low, channel.high) }
    let levels = channel.levels(most: most)
    return (Double(levels.lowerBound), Double(levels.upperBound))
  }

  /// How far outside of its range a channel is.
  ///
  /// What is no finite number has no level, so it is looked at as it is.
  private func distance(_ pixel: Int, _ channel: Int, _ range: PixelRange.Channel) -> Double {
    let number = Float(value(question.frame.floats, pixel, channel))
    guard number.isFinite, most != nil else {
      if range.contains(number) { return 0 }
      return number.isFinite ? max(range.low - Double(number), Double(number) - range.high) : .infinity
    }
    let (low, high) = bounds(range), now = value(question.actual, pixel, channel)
    return max(low - now, now - high, 0)
  }

  /// Whether a range is wider than what is borne, and than a level: where an open decision changes hardly anything, the pixel is determined all the same.
  func isOpen(_ range: PixelRange) -> Bool {
    let (level, unit) = most.map { (1.0, $0 / 255) } ?? (1.0 / 255, 1)
    return range.channels.enumerated().contains { channel, range in
      let (low, high) = bounds(range)
      return !(high - low <= max((channel == 3 ? question.alphaLevel : question.colorLevel) * unit, level))
    }
  }

  /// The channel that is farthest outside of its range, and by how much; the one that differs most where none is outside.
  func worst(of pixel: Int, in range: PixelRange) -> (distance: Double, value: SpecificationResult.Worst) {
    let channels = (0..<4).map { channel -> (distance: Double, difference: Double, value: SpecificationResult.Worst) in
      let (low, high) = bounds(range.channels[channel])
      let (now, wanted) = (value(question.actual, pixel, channel), value(question.reference, pixel, channel))
      let worst = SpecificationResult.Worst(
        column: pixel % size.width, rowFromTop: pixel / size.width, rowFromBottom: size.height - 1 - pixel / size.width,
        channel: ["r", "g", "b", "a"][channel], actual: now, reference: wanted, low: low, high: high)
      let difference = abs(now - wanted)
      return (distance(pixel, channel, range.channels[channel]), difference.isNaN ? .infinity : difference, worst)
    }
    let first = channels.max { ($0.distance, $0.difference) < ($1.distance, $1.difference) } ?? channels[0]
    return (first.distance, first.value)
  }
}

// MARK: - stability

/// Makes pictures of how far errors that devices may make move the pixels of frames that differ from their references, where that takes little time.
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
      CasePictureFolder(run, testCase).keep(&result.frames[index], picture.picture, of: map.number, as: "stability")
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
