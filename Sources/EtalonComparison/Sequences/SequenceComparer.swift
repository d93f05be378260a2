internal import CComparison
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
  private var held: [Float] = []
  private var heldSize: Size?
  private var frames: [SequenceComparison.Frame] = []
  private var missing: [String] = []
  private var unexpected: [String] = []

  /// Starts without frames.
  public init(tolerance: Tolerance = .exact, metrics: Set<ComparisonMetric> = []) {
    self.tolerance = tolerance
    self.metrics = metrics
  }

  /// Compares the next frame and returns what was found.
  @discardableResult
  public mutating func add(_ name: String, _ actual: PixelBuffer, _ reference: PixelBuffer) -> PictureComparison {
    let comparison = comparePictures(actual, reference, tolerance: tolerance, metrics: metrics)
    frames.append(SequenceComparison.Frame(name: name, comparison: comparison, flicker: flicker(actual, reference)))
    return comparison
  }

  /// Tells of a frame that the actual sequence lacks.
  public mutating func addMissing(_ name: String) { missing.append(name) }

  /// Tells of a frame that only the actual sequence has.
  public mutating func addUnexpected(_ name: String) { unexpected.append(name) }

  /// Everything so far.
  public var result: SequenceComparison { SequenceComparison(frames: frames, missing: missing, unexpected: unexpected) }

  private mutating func flicker(_ actual: PixelBuffer, _ reference: PixelBuffer) -> FlickerMeasurement? {
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
    return isFirst ? nil : FlickerMeasurement(mean: sums.sum / Double(count), largest: Double(sums.largest))
  }
}
