internal import CTIFF
import EtalonDiagnostics
import EtalonTypes

/// Decodes the first picture of a TIFF file, and turns it upright.
///
/// Samples of up to 8 bits become `rgba8`, of 16 bits `rgba16`, floats `rgba16f` or `rgba32f`. Alpha is what the file says: unassociated is straight,
/// associated is premultiplied.
struct TIFFReader {
  private let bytes: [UInt8]
  private let name: String
  private let limits: PictureLimits

  /// Whether some bytes are the start of a TIFF or BigTIFF file.
  static func recognizes(_ bytes: [UInt8]) -> Bool {
    [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]].contains { bytes.starts(with: $0) }
  }

  init(_ bytes: [UInt8], name: String, limits: PictureLimits) {
    self.bytes = bytes
    self.name = name
    self.limits = limits
  }

  func read() throws(RenderError) -> PictureReading {
    let header = try header()
    let size = try limits.check(width: Int(header.width), height: Int(header.height), fileSize: bytes.count, name: name)
    if header.expansion > 0, header.plain_size / UInt64(header.expansion) > UInt64(bytes.count) {
      throw damaged("the file ends too early")
    }
    let format: PixelFormat =
      switch (header.bits, header.is_float) {
      case (8, _): .rgba8
      case (16, false): .rgba16
      case (16, true): .rgba16f
      default: .rgba32f
      }
    let alpha: AlphaMode = !header.has_alpha ? .opaque : header.is_associated ? .premultiplied : .straight
    let pixels = try pixels(size.pixelCount * format.bytesPerPixel)
    let stored = PixelBuffer(size: size, format: format, alpha: alpha, bytes: pixels)
    guard let orientation = Orientation(rawValue: Int(header.orientation)) else { throw damaged("it is turned in an unknown way") }
    return PictureReading(picture: orientation.upright(stored), facts: facts(header))
  }

  private func facts(_ header: ctiff_header) -> PictureFacts {
    var storage = [cString(of: header.compression_name), header.is_tiled ? "tiles" : "strips"]
    if header.is_planar { storage.append("a plane for each channel") }
    let color = header.is_palette ? "palette" : header.is_gray ? "gray" : "RGB"
    let channels = header.has_alpha ? (color == "RGB" ? "RGBA" : color + " and alpha") : color
    return PictureFacts(
      format: "TIFF", storage: storage, bits: Int(header.stored_bits), channels: channels, orientation: Int(header.orientation),
      pages: Int(header.pages), unreadSamples: Int(header.unread_samples))
  }

  private func header() throws(RenderError) -> ctiff_header {
    var header = ctiff_header()
    var message = ctiff_message()
    let result = unsafe bytes.withUnsafeBufferPointer { unsafe ctiff_read_header($0.baseAddress, $0.count, &header, &message) }
    guard result == CTIFF_DONE else { throw failure(result, message) }
    return header
  }

  private func pixels(_ count: Int) throws(RenderError) -> [UInt8] {
    var message = ctiff_message()
    var result = CTIFF_DAMAGED
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      result = unsafe bytes.withUnsafeBufferPointer {
        unsafe ctiff_read_pixels($0.baseAddress, $0.count, buffer.baseAddress, count, &message)
      }
      initialized = result == CTIFF_DONE ? count : 0
    }
    guard result == CTIFF_DONE else { throw failure(result, message) }
    return pixels
  }

  private func damaged(_ reason: String) -> RenderError {
    RenderError(
      .invalidInput, "'\(name)' is a damaged TIFF file", operation: "libtiff", underlying: reason,
      help: ["export or download the picture again"])
  }

  private func failure(_ result: ctiff_result, _ message: ctiff_message) -> RenderError {
    let reason = cString(of: message.text)
    switch result {
    case CTIFF_NO_LIBRARY:
      return RenderError(
        .missingInput, "cannot read '\(name)': TIFF files are read with libtiff, which cannot be opened", operation: "dlopen",
        underlying: reason,
        help: [
          ctiff_has_headers()
            ? "install it: apt-get install libtiff6" : "install its headers and build again: apt-get install libtiff-dev",
          "or convert the picture to PNG",
        ])
    case CTIFF_UNSUPPORTED:
      return RenderError(
        .invalidInput, "cannot read the TIFF file '\(name)'", underlying: reason,
        help: ["8 and 16 bits as integers, 16 and 32 bits as floats, gray, RGB and palettes are read; export it as one of these"])
    case CTIFF_NO_MEMORY: return RenderError(.outOfMemory, "cannot read '\(name)'", operation: "libtiff", underlying: reason)
    default: return damaged(reason)
    }
  }
}
