internal import Etalon
internal import EtalonTypes

/// Asks of pixels of a device whether they are what the Vulkan specification allows.
struct SpecificationCheck {
  /// The most pixels of a frame that are judged, to say whom to blame, and where the specification alone decides.
  private static let worstPixels = 256, allPixels = 65536

  private let run: CaseRun
  private let testCase: TestCase
  /// By how many levels of the pictures pixels may differ without being asked about.
  private let level: Int
  private let time: JudgingTime

  init(_ run: CaseRun, _ testCase: TestCase, level: Int, _ time: JudgingTime) {
    (self.run, self.testCase, self.level, self.time) = (run, testCase, level, time)
  }

  /// The judgement of a frame beside the CPU device's picture of it.
  func judge(_ frame: RenderedFrame, _ reference: PixelBuffer) throws -> SpecificationResult {
    let pictures = LevelPictures(frame.levels(bits: reference.bits), reference)
    let differing = pictures.pixels(differingByMoreThan: level)
    var result = SpecificationResult()
    result.differing = differing.count
    guard !differing.isEmpty else { return result }
    var limits = SpecificationRanges.Limits(stepsOfFrame: run.allowsSpecification(testCase) ? 100_000_000 : 12_000_000)
    limits.samplerPrecision = run.samplerPrecision
    limits.seconds = time.leftForRanges
    let judged = Array(differing.prefix(run.allowsSpecification(testCase) ? Self.allPixels : Self.worstPixels))
    let height = reference.size.height
    let ranges = try CaseRenderer(device: "cpu", library: run.library, timeout: time.left)
      .ranges(of: testCase, frame.moment, at: judged.map { ($0.x, height - 1 - $0.row) }, limits: limits)
    var lines: [String: Int] = [:]
    var farthest = -1
    for (pixel, range) in zip(judged, ranges) {
      result.judged += 1
      let worst = pictures.worst(of: pixel, in: range)
      if worst.distance > farthest { (farthest, result.worst) = (worst.distance, worst.value) }
      if range.isBeyondSpecification { result.beyondSpecification += 1 }
      if worst.distance > 0 {
        result.outside += 1
        continue
      }
      guard let opening = range.opening, range.isUnknown || pictures.isOpen(range, level: level) else {
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

/// Two pictures of the same size, in levels.
private struct LevelPictures {
  struct Pixel {
    let x: Int
    /// From the top.
    let row: Int
    let difference: Int
  }

  private let actual: PixelBuffer
  private let reference: PixelBuffer

  init(_ actual: PixelBuffer, _ reference: PixelBuffer) { (self.actual, self.reference) = (actual, reference) }

  private func value(_ picture: PixelBuffer, _ x: Int, _ row: Int, _ channel: Int) -> Int {
    let width = picture.format.bytesPerChannel, place = ((row * picture.size.width + x) * 4 + channel) * width
    return width == 1 ? Int(picture.bytes[place]) : Int(picture.bytes[place]) | Int(picture.bytes[place + 1]) << 8
  }

  /// The pixels that differ, the worst first.
  func pixels(differingByMoreThan level: Int) -> [Pixel] {
    var found: [Pixel] = []
    for row in 0..<reference.size.height {
      for x in 0..<reference.size.width {
        let difference = (0..<4).reduce(0) { max($0, abs(value(actual, x, row, $1) - value(reference, x, row, $1))) }
        if difference > level { found.append(Pixel(x: x, row: row, difference: difference)) }
      }
    }
    return found.sorted { ($1.difference, $0.row, $0.x) < ($0.difference, $1.row, $1.x) }
  }

  /// Whether a range is wider than what is borne: where an open decision changes hardly anything, the pixel is determined all the same.
  func isOpen(_ range: PixelRange, level: Int) -> Bool {
    range.channels.contains { $0.levels(most: most).count > max(level, 1) + 1 }
  }

  private var most: Double { reference.format == .rgba16 ? 65535 : 255 }

  /// The channel that is farthest outside of its range, and by how much; the one that differs most where none is outside.
  func worst(of pixel: Pixel, in range: PixelRange) -> (distance: Int, value: SpecificationResult.Worst) {
    let channels = (0..<4).map { channel -> (distance: Int, difference: Int, value: SpecificationResult.Worst) in
      let levels = range.channels[channel].levels(most: most)
      let (now, wanted) = (value(actual, pixel.x, pixel.row, channel), value(reference, pixel.x, pixel.row, channel))
      let worst = SpecificationResult.Worst(
        column: pixel.x, rowFromTop: pixel.row, rowFromBottom: reference.size.height - 1 - pixel.row,
        channel: ["r", "g", "b", "a"][channel],
        actual: now, reference: wanted, low: levels.lowerBound, high: levels.upperBound)
      return (max(levels.lowerBound - now, now - levels.upperBound, 0), abs(now - wanted), worst)
    }
    let first = channels.max { ($0.distance, $0.difference) < ($1.distance, $1.difference) } ?? channels[0]
    return (first.distance, first.value)
  }
}
