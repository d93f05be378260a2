internal import CPNG
import EtalonTypes

/// Looks for a pixel that does not cover fully.
enum OpacityTest {
  static func passes(_ pixels: RawSpan, _ format: PixelFormat) -> Bool {
    let count = pixels.byteCount / format.bytesPerPixel
    return unsafe pixels.withUnsafeBytes { bytes in
      guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return true }
      return unsafe format == .rgba16 ? cpng_is_opaque16(start, count) : cpng_is_opaque8(start, count)
    }
  }
}
