internal import CPNG
import EtalonDiagnostics
import EtalonTypes

/// Decodes one PNG file.
struct PNGReader {
  /// Deflate makes at most 1032 bytes of one; more pixels than that cannot be in the file.
  private static let largestExpansion = 1032
  private let bytes: [UInt8]
  private let name: String
  private let limits: PictureLimits

  init(_ bytes: [UInt8], name: String, limits: PictureLimits) {
    self.bytes = bytes
    self.name = name
    self.limits = limits
  }

  func read() throws(RenderError) -> PixelBuffer {
    let header = try header()
    let size = try limits.check(width: Int(header.width), height: Int(header.height), fileSize: bytes.count, name: name)
    let storedRow = (size.width * Int(header.bits) * Int(header.samples) + 7) / 8
    guard storedRow * size.height / Self.largestExpansion <= bytes.count else { throw failure("the file ends too early") }
    let format: PixelFormat = header.bits == 16 ? .rgba16 : .rgba8
    let pixels = try pixels(size.pixelCount * format.bytesPerPixel)
    return PixelBuffer(size: size, format: format, alpha: header.has_alpha ? .straight : .opaque, bytes: pixels)
  }

  func header() throws(RenderError) -> cpng_header {
    var header = cpng_header()
    var message = cpng_message()
    let isRead = unsafe bytes.withUnsafeBufferPointer { unsafe cpng_read_header($0.baseAddress, $0.count, &header, &message) }
    guard isRead else { throw failure(message.string) }
    return header
  }

  private func pixels(_ count: Int) throws(RenderError) -> [UInt8] {
    var message = cpng_message()
    var isRead = false
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      isRead = unsafe bytes.withUnsafeBufferPointer {
        unsafe cpng_read_pixels($0.baseAddress, $0.count, buffer.baseAddress, count, &message)
      }
      initialized = isRead ? count : 0
    }
    guard isRead else { throw failure(message.string) }
    return pixels
  }

  private func failure(_ reason: String) -> RenderError {
    RenderError(
      .invalidInput, "'\(name)' is a damaged PNG file", operation: "libpng", underlying: reason,
      help: ["export or download the picture again"])
  }
}

extension cpng_message {
  /// The text up to the final zero.
  var string: String { cString(of: text) }
}

/// The text of a fixed array of characters of a C structure, up to its final zero.
func cString<Characters>(of characters: Characters) -> String {
  unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
