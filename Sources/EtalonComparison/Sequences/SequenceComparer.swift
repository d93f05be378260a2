public import EtalonTypes

/// Compares frames one after the other, and what happens between them.
///
/// ```
/// var comparer = SequenceComparer(tolerance: .exact)
/// for number in 1...48 { comparer.add("\(number)", try read(number), try readReference(number)) }
/// print(comparer.result.verdict)
/// ```
///
/// **Concurrency**: used by one thread at a time.
public struct SequenceComparer {
  private let tolerance: Tolerance
  private let metrics: Set<ComparisonMetric>
  private var meter: FlickerMeter
  private var frames: [SequenceComparison.Frame] = []
  private var missing: [String] = []
  private var unexpected: [String] = []

  /// Starts without frames.
  public init(tolerance: Tolerance = .exact, metrics: Set<ComparisonMetric> = []) {
    self.tolerance = tolerance
    self.metrics = metrics
    meter = FlickerMeter(tolerance: tolerance)
  }

  /// Compares the next frame and returns what was found.
  @discardableResult
  public mutating func add(_ name: String, _ actual: PixelBuffer, _ reference: PixelBuffer) -> PictureComparison {
    let comparison = comparePictures(actual, reference, tolerance: tolerance, metrics: metrics)
    frames.append(SequenceComparison.Frame(name: name, comparison: comparison, flicker: meter.add(actual, reference)))
    return comparison
  }

  /// Tells of a frame that the actual sequence lacks.
  public mutating func addMissing(_ name: String) { missing.append(name) }

  /// Tells of a frame that only the actual sequence has.
  public mutating func addUnexpected(_ name: String) { unexpected.append(name) }

  /// Everything so far.
  public var result: SequenceComparison { SequenceComparison(frames: frames, missing: missing, unexpected: unexpected) }
}
