internal import CWebP
import EtalonDiagnostics
import EtalonTypes

/// Decodes one still WebP file, which `FileFormat` tells from those that move, to `rgba8` with straight alpha, and turns it upright.
struct WebPReader {
  private let bytes: [UInt8]
  private let name: String
  private let limits: PictureLimits

  static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
  }

  init(_ bytes: [UInt8], name: String, limits: PictureLimits) {
    self.bytes = bytes
    self.name = name
    self.limits = limits
  }

  func read() throws(RenderError) -> PictureReading {
    var header = cwebp_header()
    var message = cwebp_message()
    let result = unsafe bytes.withUnsafeBufferPointer { unsafe cwebp_read_header($0.baseAddress, $0.count, &header, &message) }
    guard result == CWEBP_DONE else { throw failure(result, message) }
    let size = try limits.check(width: Int(header.width), height: Int(header.height), fileSize: bytes.count, name: name)
    let stored = PixelBuffer(
      size: size, format: .rgba8, alpha: header.has_alpha ? .straight : .opaque, bytes: try pixels(size.pixelCount * 4))
    let exif = chunk("EXIF")
    let orientation = exif.map { Orientation(ofEXIF: $0) } ?? .upright
    let facts = PictureFacts(
      format: "WebP", storage: [header.is_lossless ? "lossless" : "lossy"], bits: 8, channels: stored.channelNames,
      orientation: orientation.rawValue, color: chunk("ICCP").map { _ in "an ICC profile" })
    return PictureReading(picture: orientation.upright(stored), facts: facts)
  }

  /// The data of the first chunk of a kind (RFC 9649, section 2.3).
  private func chunk(_ kind: String) -> ArraySlice<UInt8>? {
    var position = 12
    while position + 8 <= bytes.count {
      let length = Int(bytes.word(at: position + 4))
      guard length <= bytes.count - position - 8 else { return nil }
      if bytes[position..<position + 4].elementsEqual(kind.utf8) { return bytes[position + 8..<position + 8 + length] }
      position += 8 + length + length % 2
    }
    return nil
  }

  private func pixels(_ count: Int) throws(RenderError) -> [UInt8] {
    var message = cwebp_message()
    var result = CWEBP_DAMAGED
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      result = unsafe bytes.withUnsafeBufferPointer {
        unsafe cwebp_read_pixels($0.baseAddress, $0.count, buffer.baseAddress, count, &message)
      }
      initialized = result == CWEBP_DONE ? count : 0
    }
    guard result == CWEBP_DONE else { throw failure(result, message) }
    return pixels
  }

  private func failure(_ result: cwebp_result, _ message: cwebp_message) -> RenderError {
    let reason = cString(of: message.text)
    switch result {
    case CWEBP_NO_LIBRARY:
      return RenderError(
        .missingInput, "cannot read '\(name)': WebP files are read with libwebp, which cannot be opened", operation: "dlopen",
        underlying: reason,
        help: [
          cwebp_has_headers()
            ? "install it: apt-get install libwebp7" : "install its headers and build again: apt-get install libwebp-dev",
          "or convert the picture to PNG",
        ])
    case CWEBP_NO_MEMORY: return RenderError(.outOfMemory, "cannot read '\(name)'", operation: "libwebp", underlying: reason)
    default:
      return RenderError(
        .invalidInput, "'\(name)' is a damaged WebP file", operation: "libwebp", underlying: reason,
        help: ["export or download the picture again"])
    }
  }
}
