internal import CJPEG
import EtalonDiagnostics
import EtalonTypes

/// Decodes one JPEG file and turns it upright.
struct JPEGReader {
  private let bytes: [UInt8]
  private let name: String
  private let limits: PictureLimits

  init(_ bytes: [UInt8], name: String, limits: PictureLimits) {
    self.bytes = bytes
    self.name = name
    self.limits = limits
  }

  func read() throws(RenderError) -> PixelBuffer {
    var header = cjpeg_header()
    var message = cjpeg_message()
    let isRead = unsafe bytes.withUnsafeBufferPointer { unsafe cjpeg_read_header($0.baseAddress, $0.count, &header, &message) }
    guard isRead else { throw failure(cString(of: message.text)) }
    guard header.components == 1 || header.components == 3 else { throw wrongColor(Int(header.components)) }
    let size = try limits.check(width: Int(header.width), height: Int(header.height), fileSize: bytes.count, name: name)
    let picture = PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: try pixels(size.pixelCount * 4))
    return Orientation(ofJPEG: bytes).upright(picture)
  }

  private func pixels(_ count: Int) throws(RenderError) -> [UInt8] {
    var message = cjpeg_message()
    var isRead = false
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      isRead = unsafe bytes.withUnsafeBufferPointer {
        unsafe cjpeg_read_pixels($0.baseAddress, $0.count, buffer.baseAddress, count, &message)
      }
      initialized = isRead ? count : 0
    }
    guard isRead else { throw failure(cString(of: message.text)) }
    return pixels
  }

  private func failure(_ reason: String) -> RenderError {
    RenderError(
      .invalidInput, "'\(name)' is a damaged JPEG file", operation: "libjpeg", underlying: reason,
      help: ["export or download the picture again"])
  }

  /// CMYK means nothing without the profile of the press that it is for.
  private func wrongColor(_ components: Int) -> RenderError {
    RenderError(
      .invalidInput, "'\(name)' is a JPEG file with \(components) components (\(components == 4 ? "CMYK" : "unknown")), not gray or RGB",
      help: ["convert the picture to RGB with its color profile first"])
  }
}
