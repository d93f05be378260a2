/// A picture in memory: rows without padding, the top row first, as picture files have it.
///
/// Textures start at the bottom row; the backends turn pictures over on the way in.
///
/// **Concurrency**: an immutable value with shared storage.
public struct PixelBuffer: Sendable, Hashable {
  /// Width and height in pixels.
  public let size: Size
  /// How one pixel lies in memory.
  public let format: PixelFormat
  /// What the fourth channel means; `opaque` for formats without one.
  public let alpha: AlphaMode
  /// `size.height` rows of `size.width * format.bytesPerPixel` bytes.
  public let bytes: [UInt8]

  /// Wraps pixels; the number of bytes must fit the size and the format.
  public init(size: Size, format: PixelFormat, alpha: AlphaMode, bytes: [UInt8]) {
    precondition(bytes.count == size.pixelCount * format.bytesPerPixel, "\(bytes.count) bytes for \(size) \(format)")
    self.size = size
    self.format = format
    self.alpha = alpha
    self.bytes = bytes
  }

  /// The bytes of one row.
  public var bytesPerRow: Int { size.width * format.bytesPerPixel }
}
