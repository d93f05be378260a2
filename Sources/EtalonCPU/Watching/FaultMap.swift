package import EtalonTypes

/// Which kinds of faults happened in which pixels of a picture.
package struct FaultMap: Sendable {
  /// The name of the pass that rendered the picture.
  package let pass: String
  package let frame: Int
  package let size: Size
  /// For each pixel the marks of its kinds, the top row first.
  private let marks: [UInt64]

  init(pass: String, frame: Int, size: Size, marks: [UInt64]) {
    self.pass = pass
    self.frame = frame
    self.size = size
    self.marks = marks
  }

  /// Whether a fault of a kind happened in a pixel, counted from the left of the top row.
  package func has(_ kind: FaultKind, at pixel: Int) -> Bool { marks[pixel] & kind.mark != 0 }

  /// In how many pixels each kind happened; kinds that did not happen are not in it.
  package var pixelCounts: [FaultKind: Int] {
    var counts: [FaultKind: Int] = [:]
    for kind in FaultKind.allCases {
      let count = marks.count { $0 & kind.mark != 0 }
      if count > 0 { counts[kind] = count }
    }
    return counts
  }
}

extension FaultKind {
  /// The bit that stands for it.
  var mark: UInt64 { Self.allCases.firstIndex(of: self).map { 1 << UInt64($0) } ?? 0 }
}
