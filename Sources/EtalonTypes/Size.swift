/// The width and height of a picture, in pixels.
public struct Size: Sendable, Hashable, CustomStringConvertible {
  /// Pixels from left to right, at least 1.
  public let width: Int
  /// Pixels from bottom to top, at least 1.
  public let height: Int

  /// Makes a size; both sides must be at least 1.
  public init(_ width: Int, _ height: Int) {
    precondition(width >= 1 && height >= 1, "a picture has at least one pixel")
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  public var pixelCount: Int { width * height }

  /// `1280x720`.
  public var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels; the origin is the bottom left of the picture.
public struct Extent: Sendable, Hashable, CustomStringConvertible {
  /// The column of the leftmost pixel.
  public let x: Int
  /// The row of the lowest pixel, counted from the bottom.
  public let y: Int
  /// The size of the rectangle.
  public let size: Size

  /// Makes a rectangle from its lower left corner and its size.
  public init(x: Int, y: Int, size: Size) {
    self.x = x
    self.y = y
    self.size = size
  }

  /// The rectangle that a whole picture of a size covers.
  public init(_ size: Size) {
    self.init(x: 0, y: 0, size: size)
  }

  /// `(0, 0) 64x64`.
  public var description: String { "(\(x), \(y)) \(size)" }
}
