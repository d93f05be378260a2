internal import CJPEG
package import EtalonDiagnostics
package import EtalonTypes

/// Encodes pictures as JPEG for looking at them: quick, small, and not exact.
///
/// ```
/// let bytes = try JPEGEncoder(quality: 90).bytes(of: picture)
/// ```
///
/// **Concurrency**: an immutable value.
package struct JPEGEncoder: Sendable {
  /// The largest side of a JPEG picture, in pixels.
  package static let largestSide = 65_500

  private let quality: Int
  private let halvesColors: Bool

  /// - Parameter quality: 1 to 100, where 100 keeps nearly everything.
  /// - Parameter halvesColors: whether colors are stored at half the width and height, which makes files smaller and thin colored lines dull.
  package init(quality: Int = 90, halvesColors: Bool = false) {
    precondition((1...100).contains(quality), "a quality of \(quality)")
    (self.quality, self.halvesColors) = (quality, halvesColors)
  }

  /// The file, behind some other bytes; alpha is dropped.
  ///
  /// Throws `RenderError` where there is not enough memory.
  ///
  /// - Precondition: The format is rgba8, and no side is longer than `largestSide`.
  package func bytes(of picture: PixelBuffer, behind start: [UInt8] = []) throws(RenderError) -> [UInt8] {
    precondition(
      picture.format == .rgba8 && max(picture.size.width, picture.size.height) <= Self.largestSide, "a picture that JPEG cannot have")
    var message = cjpeg_message()
    var encoded: UnsafeMutablePointer<UInt8>?
    var count = 0
    let isWritten = unsafe picture.bytes.withUnsafeBufferPointer {
      unsafe cjpeg_write_pixels(
        $0.baseAddress, UInt32(picture.size.width), UInt32(picture.size.height), Int32(quality), halvesColors, &encoded, &count, &message)
    }
    guard isWritten, let encoded = unsafe encoded else {
      throw RenderError(.outOfMemory, "cannot encode a picture", operation: "libjpeg", underlying: cString(of: message.text))
    }
    defer { unsafe cjpeg_free(encoded) }
    var bytes = start
    bytes.reserveCapacity(start.count + count)
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: encoded, count: count))
    return bytes
  }
}
