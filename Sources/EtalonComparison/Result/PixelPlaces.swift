/// Where a pixel is, counted from the left and from both ends.
///
/// **Concurrency**: an immutable value.
public struct PixelPlace: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The column, 0 at the left.
  public let x: Int
  /// The row, 0 at the top, as picture viewers count.
  public let yFromTop: Int
  /// The row, 0 at the bottom, as shaders count.
  public let yFromBottom: Int

  init(x: Int, yFromTop: Int, height: Int) {
    self.x = x
    self.yFromTop = yFromTop
    yFromBottom = height - 1 - yFromTop
  }

  /// `(3, 5 from the top, 58 from the bottom)`.
  public var description: String { "(\(x), \(yFromTop) from the top, \(yFromBottom) from the bottom)" }
}

/// The pixel that differs most, with what both pictures have there.
public struct PixelDifference: Hashable, Sendable, Codable {
  /// Where it is.
  public let place: PixelPlace
  /// The channel that differs most: `r`, `g`, `b` or `a`.
  public let channel: String
  /// By how much, in the unit of the comparison.
  @MeasuredNumber public internal(set) var difference: Double
  /// The channels of the actual picture, in levels of its format or as they are.
  public let actual: [MeasuredNumber]
  /// The channels of the reference.
  public let reference: [MeasuredNumber]
}

/// Outliers that touch each other, corners included.
public struct PixelCluster: Hashable, Sendable, Codable {
  /// How many pixels belong to it.
  public let pixels: Int
  /// The upper left corner of the smallest box around it.
  public let topLeft: PixelPlace
  /// The lower right corner of that box, which belongs to it.
  public let bottomRight: PixelPlace

  /// The width of the box.
  public var width: Int { bottomRight.x - topLeft.x + 1 }
  /// The height of the box.
  public var height: Int { bottomRight.yFromTop - topLeft.yFromTop + 1 }
}

/// The square with the most outliers.
public struct CrowdedWindow: Hashable, Sendable, Codable {
  /// The side of the square.
  public let size: Int
  /// How many outliers lie in it.
  public let pixels: Int
  /// Its upper left corner.
  public let topLeft: PixelPlace
}
