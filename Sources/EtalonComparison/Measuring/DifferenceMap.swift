internal import CComparison
package import EtalonTypes

/// The difference of every pixel over a group of channels, and counts of these.
struct DifferenceMap {
  let values: [Float]
  let size: Size

  /// The classes of the census for a unit: 1, 4, 16 and 64 levels.
  private static func levels(_ unit: DifferenceUnit) -> [Float] { [1, 4, 16, 64].map { unit == .levels ? $0 : $0 / 255 } }

  func census(_ unit: DifferenceUnit) -> comparison_census {
    var census = comparison_census()
    unsafe values.withUnsafeBufferPointer { values in
      unsafe Self.levels(unit).withUnsafeBufferPointer { levels in
        unsafe comparison_take_census(values.baseAddress, values.count, levels.baseAddress, &census)
      }
    }
    return census
  }

  /// Marks what lies beyond a level.
  func marks(beyond level: Double) -> OutlierMarks {
    var count = 0
    let marks = unsafe [UInt8](unsafeUninitializedCapacity: values.count) { marks, used in
      unsafe values.withUnsafeBufferPointer { values in
        count = unsafe comparison_mark(values.baseAddress, values.count, Self.float(level), marks.baseAddress)
      }
      used = values.count
    }
    return OutlierMarks(marks: marks, count: count, size: size)
  }

  /// How many pixels lie beyond a level.
  func count(beyond level: Double) -> Int {
    unsafe values.withUnsafeBufferPointer { unsafe comparison_count($0.baseAddress, $0.count, Self.float(level)) }
  }

  /// The largest float that is not beyond a level, so that a comparison of floats decides as one of the exact numbers would.
  static func float(_ level: Double) -> Float {
    let rounded = Float(level)
    return Double(rounded) > level ? rounded.nextDown : rounded
  }

  func place(_ index: Int) -> PixelPlace { PixelPlace(x: index % size.width, yFromTop: index / size.width, height: size.height) }
}

/// Pixels beyond a level: 1 where one is, 0 elsewhere.
struct OutlierMarks {
  let marks: [UInt8]
  let count: Int
  let size: Size

  /// The largest groups of pixels that touch each other, the number of groups, and how many pixels touch no other.
  func clusters(atMost limit: Int) -> (largest: [PixelCluster], count: Int, isolated: Int) {
    guard count > 0 else { return ([], 0, 0) }
    var boxes = [comparison_cluster](repeating: comparison_cluster(), count: limit)
    let found = unsafe marks.withUnsafeBufferPointer { marks in
      unsafe boxes.withUnsafeMutableBufferPointer { boxes in
        unsafe comparison_find_clusters(marks.baseAddress, size.width, size.height, boxes.baseAddress, limit)
      }
    }
    let clusters = boxes.prefix(found.box_count).map { box in
      PixelCluster(
        pixels: Int(box.marks), topLeft: PixelPlace(x: Int(box.left), yFromTop: Int(box.top), height: size.height),
        bottomRight: PixelPlace(x: Int(box.right), yFromTop: Int(box.bottom), height: size.height))
    }
    return (clusters, Int(found.count), Int(found.isolated))
  }

  /// The window of a size that holds the most marks.
  func fullestWindow(_ side: Int) -> CrowdedWindow {
    guard count > 0 else { return CrowdedWindow(size: side, pixels: 0, topLeft: PixelPlace(x: 0, yFromTop: 0, height: size.height)) }
    let window = unsafe marks.withUnsafeBufferPointer { unsafe comparison_fullest_window($0.baseAddress, size.width, size.height, side) }
    return CrowdedWindow(
      size: side, pixels: Int(window.marks), topLeft: PixelPlace(x: window.x, yFromTop: window.y, height: size.height))
  }

  /// How many lie on edges of the reference.
  func onEdges(_ pair: PicturePair) -> Int {
    guard count > 0 else { return 0 }
    return unsafe marks.withUnsafeBufferPointer { marks in
      unsafe pair.withPair { unsafe comparison_marks_on_edges($0, marks.baseAddress, 16 / 255) }
    }
  }
}

/// How far each pixel of a picture is from the same one of its reference, the rows from the top.
///
/// Differences are those that limits judge: in levels of 8 bits, absolute where a channel is a float, and infinite where finite meets not finite.
///
/// **Concurrency**: an immutable value.
package struct PixelDistances: Sendable {
  /// The largest difference of the color channels; empty where none differs.
  private let color: [Float]
  /// The difference in alpha; empty where none differs.
  private let alpha: [Float]

  /// Measures pictures of the same size.
  ///
  /// - Parameter tolerance: says what counts as different: hidden colors, numbers that are not finite, denormal ones.
  package init(_ actual: PixelBuffer, _ reference: PixelBuffer, tolerance: Tolerance = .exact) {
    let maps = DifferenceMaps(PicturePair(actual, reference, tolerance: tolerance))
    (color, alpha) = (maps.color?.values ?? [], maps.alpha?.values ?? [])
  }

  /// By how much the color of a pixel differs.
  package func color(_ pixel: Int) -> Double { color.isEmpty ? 0 : Double(color[pixel]) }

  /// By how much its alpha differs.
  package func alpha(_ pixel: Int) -> Double { alpha.isEmpty ? 0 : Double(alpha[pixel]) }

  /// The larger of both.
  package func largest(_ pixel: Int) -> Double { max(color(pixel), alpha(pixel)) }

  /// Whether the color of a pixel lies beyond a level, as limits count.
  package func isColor(of pixel: Int, beyond level: Double) -> Bool { !color.isEmpty && color[pixel] > DifferenceMap.float(level) }

  /// Whether its alpha lies beyond a level, as limits count.
  package func isAlpha(of pixel: Int, beyond level: Double) -> Bool { !alpha.isEmpty && alpha[pixel] > DifferenceMap.float(level) }
}
