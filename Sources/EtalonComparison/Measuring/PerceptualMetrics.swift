internal import CComparison
import EtalonTypes
internal import Foundation

extension PicturePair {
  /// How alike the structure of brightness is: 1 for equal pictures.
  func structuralSimilarity() -> Double { unsafe withPair { unsafe comparison_structural_similarity($0) } }

  /// The same of each color channel in Gaussian windows; nil for pictures smaller than a window.
  func gaussianSimilarity() -> Double? {
    guard min(size.width, size.height) >= Tolerance.gaussianWindow else { return nil }
    return unsafe withPair { unsafe comparison_gaussian_similarity($0) }
  }

  /// Whether the means of windows differ by no more than what the pixels scatter.
  func noise() -> NoiseMeasurement {
    let found = unsafe withPair { unsafe comparison_noise($0) }
    // The chance of one window and channel, then of the largest of all.
    let single = erfc(found.largest / 2.0.squareRoot())
    let probability = -expm1(Double(found.windows * 3) * log1p(-min(single, 1)))
    return NoiseMeasurement(
      probability: probability, largest: found.largest, place: PixelPlace(x: found.x, yFromTop: found.y, height: size.height),
      width: found.width, height: found.height)
  }

  /// Distances of colors; without a limit pixels beyond 0.02, about what an eye notices, are counted.
  func oklab(_ limit: OKLabLimit?) -> OKLabMeasurement {
    let distance = limit?.distance ?? 0.02
    var distances = comparison_distances()
    let marks = unsafe [UInt8](unsafeUninitializedCapacity: size.pixelCount) { marks, used in
      distances = unsafe withPair { unsafe comparison_oklab($0, DifferenceMap.float(distance), marks.baseAddress) }
      used = size.pixelCount
    }
    let outliers = OutlierMarks(marks: marks, count: Int(distances.marks), size: size)
    return OKLabMeasurement(
      mean: distances.sum / Double(size.pixelCount), largest: Double(distances.largest), distance: distance, pixels: outliers.count,
      window: limit?.window.map { outliers.fullestWindow($0) })
  }
}
