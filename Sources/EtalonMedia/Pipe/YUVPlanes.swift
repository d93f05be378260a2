internal import EtalonTypes

/// Converts encoded colors to luma and chroma of limited range with 8 bits.
///
/// Streams do not say which matrix they use; players take that of ITU-R BT.709 for pictures of at least 720 rows, and that of BT.601 for smaller ones.
struct YUVPlanes {
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
