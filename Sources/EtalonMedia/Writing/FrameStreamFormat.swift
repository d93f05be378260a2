package import EtalonTypes

/// How frames follow each other in a pipe.
package enum FrameStreamFormat: String, Sendable, Hashable, CaseIterable {
  /// YUV4MPEG2 with three full planes of 8 bits, limited range: what `ffmpeg -i -` and players read without being told more.
  case y4m
  /// The pixels of the frames and nothing else: red, green, blue, alpha from the top left on, 8 bits a channel, or 16 with the low byte first.
  case raw

  /// What stands before the first frame.
  package func header(size: Size, rate: FrameRate) -> [UInt8] {
    guard self == .y4m else { return [] }
    let rational = rate.framesPerSecond
    return Array(
      "YUV4MPEG2 W\(size.width) H\(size.height) F\(rational.numerator):\(rational.denominator) Ip A1:1 C444 XCOLORRANGE=LIMITED\n".utf8)
  }

  /// The pixels of a frame, copied from where the device put them.
  package func pixels<Source: RowSource>(of rows: Source) -> PixelBuffer {
    PixelBuffer(size: rows.size, format: rows.format, alpha: rows.alpha, bytes: rows.joined)
  }

  /// The bytes of a frame.
  ///
  /// - Parameter picture: of `rgba8`; `raw` takes `rgba16` too. What is transparent becomes black in `y4m`, which has no alpha.
  package func frame(_ picture: PixelBuffer) -> [UInt8] {
    switch self {
    case .raw: picture.bytes
    case .y4m: Array("FRAME\n".utf8) + YUVPlanes(size: picture.size).planes(of: picture.bytes, alpha: picture.alpha)
    }
  }
}

extension RowSource {
  /// All rows, from the top down.
  fileprivate var joined: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * format.bytesPerPixel)
    withBands { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return bytes
  }
}

/// Converts encoded colors to luma and chroma of limited range with 8 bits.
///
/// Streams do not say which matrix they use; players take that of ITU-R BT.709 for pictures of at least 720 rows, and that of BT.601 for smaller ones.
private struct YUVPlanes {
  private let size: Size
  private let red: Double
  private let blue: Double

  init(size: Size) {
    self.size = size
    (red, blue) = size.height >= 720 ? (0.2126, 0.0722) : (0.299, 0.114)
  }

  /// The planes Y, Cb and Cr, one after the other.
  ///
  /// - Parameter pixels: red, green, blue and alpha, 8 bits each.
  func planes(of pixels: [UInt8], alpha: AlphaMode) -> [UInt8] {
    let count = size.pixelCount
    var planes = [UInt8](repeating: 0, count: 3 * count)
    for pixel in 0..<count {
      let coverage = alpha == .straight ? Double(pixels[4 * pixel + 3]) / 255 : 1
      let r = Double(pixels[4 * pixel]) / 255 * coverage
      let g = Double(pixels[4 * pixel + 1]) / 255 * coverage
      let b = Double(pixels[4 * pixel + 2]) / 255 * coverage
      let luma = red * r + (1 - red - blue) * g + blue * b
      planes[pixel] = UInt8((16 + 219 * luma).rounded(.toNearestOrEven))
      planes[count + pixel] = UInt8((128 + 112 * (b - luma) / (1 - blue)).rounded(.toNearestOrEven))
      planes[2 * count + pixel] = UInt8((128 + 112 * (r - luma) / (1 - red)).rounded(.toNearestOrEven))
    }
    return planes
  }
}
