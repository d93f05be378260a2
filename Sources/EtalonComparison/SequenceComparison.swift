internal import CComparison
package import EtalonTypes

/// How frames differ from their references, one by one and over time.
///
/// **Concurrency**: an immutable value.
package struct SequenceComparison: Hashable, Sendable, Codable {
  /// One frame that both sequences have.
  package struct Frame: Hashable, Sendable, Codable {
    /// What the frame is called: its number, or the name of its file.
    package let name: String
    /// How it compares.
    package let comparison: PictureComparison
    /// How much the difference changed since the frame before; nil for the first one.
    package let flicker: FlickerMeasurement?

    /// The worse one of the comparison and of what the tolerance says about flicker.
    package var verdict: ComparisonVerdict { max(comparison.verdict, flicker?.limit?.verdict ?? .pass) }
  }

  /// The frames in their order.
  package let frames: [Frame]
  /// Frames that the actual sequence lacks.
  package let missing: [String]
  /// Frames that only the actual sequence has.
  package let unexpected: [String]

  /// The worst verdict; missing and unexpected frames fail.
  package var verdict: ComparisonVerdict {
    let worst = frames.map(\.verdict).max() ?? .fail
    return missing.isEmpty && unexpected.isEmpty ? worst : max(worst, .fail)
  }

  /// The first frame that fails; the first that warns when none does.
  package var firstDiffering: Frame? {
    frames.first { $0.verdict.isFailure } ?? frames.first { $0.verdict == .warn }
  }

  /// The frame with the worst verdict, and of those the one that differs most; nil when all are equal.
  package var worst: Frame? {
    let different = frames.filter { !$0.comparison.isEqual }
    return different.max { Self.rank($0) < Self.rank($1) }
  }

  /// The frame whose difference changed most.
  package var mostFlicker: Frame? {
    frames.filter { ($0.flicker?.mean ?? 0) > 0 }.max { ($0.flicker?.mean ?? 0) < ($1.flicker?.mean ?? 0) }
  }

  private static func rank(_ frame: Frame) -> (ComparisonVerdict, Double, Double) {
    let color = frame.comparison.color, alpha = frame.comparison.alpha
    return (frame.verdict, max(color?.largest ?? 0, alpha?.largest ?? 0), max(color?.mean ?? 0, alpha?.mean ?? 0))
  }
}

/// How much a difference flickers: by how much the difference of a frame differs from that of the frame before, in the unit of the comparison.
package struct FlickerMeasurement: Hashable, Sendable, Codable {
  /// The mean over all color channels.
  @MeasuredNumber package internal(set) var mean: Double
  /// The largest change of a channel.
  @MeasuredNumber package internal(set) var largest: Double
  /// What the tolerance says about the mean; nil where it says nothing.
  package let limit: LimitResult?
}

/// Compares frames one after the other, and what happens between them.
///
/// ```
/// var comparer = SequenceComparer(tolerance: .exact)
/// for number in 1...48 { comparer.add("\(number)", try read(number), try readReference(number)) }
/// print(comparer.result.verdict)
/// ```
///
/// **Concurrency**: used by one thread at a time.
package struct SequenceComparer {
  private let tolerance: Tolerance
  private let metrics: Set<ComparisonMetric>
  private var meter: FlickerMeter
  private var frames: [SequenceComparison.Frame] = []
  private var missing: [String] = []
  private var unexpected: [String] = []

  /// Starts without frames.
  package init(tolerance: Tolerance = .exact, metrics: Set<ComparisonMetric> = []) {
    self.tolerance = tolerance
    self.metrics = metrics
    meter = FlickerMeter(tolerance: tolerance)
  }

  /// Compares the next frame and returns what was found.
  @discardableResult
  package mutating func add(_ name: String, _ actual: PixelBuffer, _ reference: PixelBuffer) -> PictureComparison {
    let comparison = comparePictures(actual, reference, tolerance: tolerance, metrics: metrics)
    frames.append(SequenceComparison.Frame(name: name, comparison: comparison, flicker: meter.add(actual, reference)))
    return comparison
  }

  /// Adds a frame that the actual sequence lacks.
  package mutating func addMissing(_ name: String) { missing.append(name) }

  /// Adds a frame that only the actual sequence has.
  package mutating func addUnexpected(_ name: String) { unexpected.append(name) }

  /// Everything so far.
  package var result: SequenceComparison { SequenceComparison(frames: frames, missing: missing, unexpected: unexpected) }
}

/// Measures how much the difference between frames and their references changes from frame to frame.
///
/// ```
/// var meter = FlickerMeter(tolerance: tolerance)
/// let changes = zip(frames, references).map { meter.add($0, $1) }
/// ```
///
/// **Concurrency**: used by one thread at a time.
package struct FlickerMeter {
  private let tolerance: Tolerance
  /// The differences of the frame before.
  private var held: [Float] = []
  private var heldSize: Size?

  /// Starts without frames.
  package init(tolerance: Tolerance = .exact) { self.tolerance = tolerance }

  /// Measures the change since the frame before; nil for the first one, and for frames of other sizes.
  package mutating func add(_ actual: PixelBuffer, _ reference: PixelBuffer) -> FlickerMeasurement? {
    guard actual.size == reference.size else {
      heldSize = nil
      return nil
    }
    let isFirst = heldSize != actual.size
    let count = actual.size.pixelCount * 3
    if isFirst { held = [Float](repeating: 0, count: count) }
    heldSize = actual.size
    let pair = PicturePair(actual, reference, tolerance: tolerance)
    let sums = unsafe held.withUnsafeMutableBufferPointer { held in
      unsafe pair.withPair { unsafe comparison_flicker($0, held.baseAddress, isFirst) }
    }
    guard !isFirst else { return nil }
    let mean = sums.sum / Double(count)
    let unit = PicturePair.unit(actual, reference) == .levels ? "levels" : ""
    return FlickerMeasurement(
      mean: mean, largest: Double(sums.largest), limit: tolerance.flicker.map { LimitResult("flicker", mean, $0, unit: unit) })
  }
}
