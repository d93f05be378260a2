package import EtalonTypes

/// How frames follow each other in a pipe.
package enum FrameStreamFormat: Sendable, Hashable {
  /// YUV4MPEG2 with three full planes of 8 bits, limited range: what `ffmpeg -i -` and players read without being told more.
  case y4m
  /// YUV4MPEG2 with planes that leave the device as they are written: of more bits, or with fewer samples of chroma.
  case planes(PlaneForm)
  /// The pixels of the frames and nothing else: red, green, blue, alpha from the top left on, 8 bits a channel, or 16 with the low byte first.
  case raw
  /// The same without alpha; what is transparent becomes black.
  case rgb

  /// Planes of luma and chroma in limited range, with chroma on the left of its pixels where there is less of it.
  ///
  /// - Parameter bits: 8, 10 or 16.
  package static func planes(bits: Int, halvesChroma: Bool, of size: Size) -> FrameStreamFormat {
    let shift = halvesChroma ? 1 : 0
    return .planes(
      PlaneForm(.lumaAndChroma, bits: bits, chromaShift: (shift, shift), color: .init(matrix: size.height >= 720 ? .bt709 : .bt601)))
  }

  /// What stands before the first frame.
  package func header(size: Size, rate: FrameRate) -> [UInt8] {
    guard let colors else { return [] }
    let rational = rate.framesPerSecond
    return Array(
      "YUV4MPEG2 W\(size.width) H\(size.height) F\(rational.numerator):\(rational.denominator) Ip A1:1 \(colors) XCOLORRANGE=LIMITED\n".utf8
    )
  }

  /// The name of the planes in a header; nil for a stream without one.
  private var colors: String? {
    switch self {
    case .raw, .rgb: return nil
    case .y4m: return "C444"
    case .planes(let form):
      let ratio = form.chromaShift == (1, 1) ? "420" : "444"
      guard form.bits > 8 else { return form.chromaShift == (1, 1) ? "C420mpeg2" : "C444" }
      return "C\(ratio)p\(form.bits) XYSCSS=\(ratio)P\(form.bits)"
    }
  }

  /// The pixels of a frame, copied from where the device put them.
  package func pixels<Source: RowSource>(of rows: Source) -> PixelBuffer {
    PixelBuffer(size: rows.size, format: rows.format, alpha: rows.alpha, bytes: rows.joined)
  }

  /// What stands before the planes of a frame.
  package static let frameHeader = Array("FRAME\n".utf8)

  /// The bytes of a frame.
  ///
  /// - Parameter picture: of `rgba8`; `raw` and `rgb` take `rgba16` too. What is transparent becomes black in `y4m` and `rgb`, which have no alpha.
  package func frame(_ picture: PixelBuffer) -> [UInt8] {
    switch self {
    case .raw: picture.bytes
    case .rgb: picture.withoutAlpha
    case .y4m: Self.frameHeader + YUVPlanes(size: picture.size).planes(of: picture.bytes, alpha: picture.alpha)
    case .planes: preconditionFailure("planes are written as they are")
    }
  }
}

extension PixelBuffer {
  /// Red, green and blue of each pixel, over black.
  fileprivate var withoutAlpha: [UInt8] {
    let width = format.bytesPerChannel
    let largest = width == 1 ? 255 : 65535
    func channel(_ place: Int) -> Int { width == 1 ? Int(bytes[place]) : Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
    var colors: [UInt8] = []
    colors.reserveCapacity(size.pixelCount * 3 * width)
    for pixel in 0..<size.pixelCount {
      let place = 4 * pixel * width
      let coverage = alpha == .straight ? channel(place + 3 * width) : largest
      for index in 0..<3 {
        let color = (channel(place + index * width) * coverage + largest / 2) / largest
        colors.append(UInt8(color & 0xFF))
        if width == 2 { colors.append(UInt8(color >> 8)) }
      }
    }
    return colors
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
