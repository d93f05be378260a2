internal import CComparison
import EtalonTypes

extension PicturePair {
  /// How alike the structure of brightness is: 1 for equal pictures.
  func structuralSimilarity() -> Double { unsafe withPair { unsafe comparison_structural_similarity($0) } }

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
