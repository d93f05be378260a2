internal import CComparison
public import EtalonTypes

/// Measures how much the difference between frames and their references changes from frame to frame.
///
/// ```
/// var meter = FlickerMeter(tolerance: tolerance)
/// let changes = zip(frames, references).map { meter.add($0, $1) }
/// ```
///
/// **Concurrency**: used by one thread at a time.
public struct FlickerMeter {
  private let tolerance: Tolerance
  /// The differences of the frame before.
  private var held: [Float] = []
  private var heldSize: Size?

  /// Starts without frames.
  public init(tolerance: Tolerance = .exact) { self.tolerance = tolerance }

  /// Measures the change since the frame before; nil for the first one, and for frames of other sizes.
  public mutating func add(_ actual: PixelBuffer, _ reference: PixelBuffer) -> FlickerMeasurement? {
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
