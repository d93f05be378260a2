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

  init(_ run: CaseRun, _ testCase: TestCase, _ time: JudgingTime) { (self.run, self.testCase, self.time) = (run, testCase, time) }

  /// The judgement of a frame beside the CPU device's picture of it.
  func judge(_ question: PixelQuestion) throws -> SpecificationResult {
    var result = SpecificationResult()
    result.differing = question.pixels.count
    guard !question.pixels.isEmpty else { return result }
    var limits = SpecificationRanges.Limits(stepsOfFrame: run.allowsSpecification(testCase) ? 100_000_000 : 12_000_000)
    limits.samplerPrecision = run.samplerPrecision
    limits.seconds = time.leftForRanges
    let pixels = Array(question.pixels.prefix(run.allowsSpecification(testCase) ? Self.allPixels : Self.worstPixels))
    let size = question.reference.size
    let ranges = try CaseRenderer(device: "cpu", library: run.library, timeout: time.left).ranges(
      of: testCase, question.frame.moment, at: pixels.map { ($0.index % size.width, size.height - 1 - $0.index / size.width) },
      limits: limits)
    let numbers = JudgedNumbers(question)
    var lines: [String: Int] = [:]
    var farthest = -1.0
    for (pixel, range) in zip(pixels, ranges) {
      result.judged += 1
      let worst = numbers.worst(of: pixel.index, in: range)
      if worst.distance > farthest { (farthest, result.worst) = (worst.distance, worst.value) }
      if range.isBeyondSpecification { result.beyondSpecification += 1 }
      if worst.distance > 0 {
        result.outside += 1
        continue
      }
      guard let opening = range.opening, range.isUnknown || numbers.isOpen(range) else {
        result.inside += 1
        continue
      }
      lines[opening.text, default: 0] += 1
      if range.isUnknown { result.unknown += 1 } else { result.undetermined += 1 }
    }
    result.lines = lines.map { .init(text: $0.key, pixels: $0.value) }.sorted { ($1.pixels, $0.text) < ($0.pixels, $1.text) }
    return result
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
