package import EtalonTypes

/// Makes pictures smaller by averaging all pixels that fall into one.
package enum Thumbnail {
  /// An `rgba8` picture with the proportions of the given one that fits into `bounds`; small pictures are not enlarged.
  package static func scale(_ picture: PixelBuffer, toFit bounds: Size) -> PixelBuffer {
    precondition(picture.format == .rgba8 || picture.format == .rgba16, "thumbnail of \(picture.format)")
    let factor = min(1, Double(bounds.width) / Double(picture.size.width), Double(bounds.height) / Double(picture.size.height))
    let width = max(1, min(bounds.width, Int((Double(picture.size.width) * factor).rounded())))
    let height = max(1, min(bounds.height, Int((Double(picture.size.height) * factor).rounded())))
    let size = Size(width, height)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * 4)
    let columns = spans(from: picture.size.width, to: width)
    for rows in spans(from: picture.size.height, to: height) {
      for column in columns { append(average(picture, column, rows), to: &bytes) }
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: picture.alpha == .opaque ? .opaque : .straight, bytes: bytes)
  }

  /// Which source pixels each target pixel is made of; every span has at least one.
  private static func spans(from source: Int, to target: Int) -> [Range<Int>] {
    (0..<target).map { index in
      let start = index * source / target
      return start..<max(start + 1, (index + 1) * source / target)
    }
  }

  /// The mean color and alpha from 0 to 1; colors count by their alpha, so that invisible ones do not shine through.
  private static func average(_ picture: PixelBuffer, _ columns: Range<Int>, _ rows: Range<Int>) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for row in rows {
      for column in columns { sum += weighted(pixel(picture, column, row), picture.alpha) }
    }
    let alpha = sum.w
    let color = alpha > 0 ? sum / alpha : .zero
    return SIMD4(color.x, color.y, color.z, alpha / Float(rows.count * columns.count))
  }

  private static func weighted(_ pixel: SIMD4<Float>, _ alpha: AlphaMode) -> SIMD4<Float> {
    switch alpha {
    case .opaque: SIMD4(pixel.x, pixel.y, pixel.z, 1)
    case .straight: SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w)
    case .premultiplied: pixel
    }
  }

  private static func pixel(_ picture: PixelBuffer, _ column: Int, _ row: Int) -> SIMD4<Float> {
    let bytes = picture.bytes
    if picture.format == .rgba8 {
      let place = (row * picture.size.width + column) * 4
      return SIMD4(Float(bytes[place]), Float(bytes[place + 1]), Float(bytes[place + 2]), Float(bytes[place + 3])) / 255
    }
    let place = (row * picture.size.width + column) * 8
    // The high bytes are enough for a picture of 8 bits; 255 of 255 stays 1.
    return SIMD4(Float(bytes[place + 1]), Float(bytes[place + 3]), Float(bytes[place + 5]), Float(bytes[place + 7])) / 255
  }

  private static func append(_ color: SIMD4<Float>, to bytes: inout [UInt8]) {
    let scaled = (color * 255).rounded(.toNearestOrEven).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
    for channel in 0..<4 { bytes.append(UInt8(scaled[channel])) }
  }
}
