internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// A small picture to try filters on: a gradient of colors with a checkerboard, and a quarter that fades out.
struct TestPicture {
  private static let size = Size(64, 64)

  private let isTurned: Bool

  /// - Parameter turned: whether the colors run the other way, for a second picture beside the first.
  init(turned: Bool) { isTurned = turned }

  /// The bytes of its file.
  func png() throws(RenderError) -> [UInt8] {
    let file = MemorySink()
    try PNGEncoder(PNGSettings(.small)).encode(picture, to: file)
    return file.bytes
  }

  var picture: PixelBuffer {
    var bytes: [UInt8] = []
    for row in 0..<Self.size.height {
      for column in 0..<Self.size.width { bytes += pixel(column, row) }
    }
    return PixelBuffer(size: Self.size, format: .rgba8, alpha: .straight, bytes: bytes)
  }

  private func pixel(_ column: Int, _ row: Int) -> [UInt8] {
    let ramp = UInt8(isTurned ? 252 - 4 * column : 4 * column)
    let isLight = (column / 8 + row / 8).isMultiple(of: 2)
    let alpha = column >= 32 && row >= 32 ? UInt8(255 - 8 * (row - 32)) : 255
    return [ramp, UInt8(4 * row), isLight ? 224 : 32, alpha]
  }
}
