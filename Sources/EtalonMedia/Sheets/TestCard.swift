package import EtalonTypes

/// The picture that stands in for one that nobody gave, and that nobody mistakes for a real one.
///
/// Red grows to the right and green to the top; a grid shows squares, a brighter frame the edges, and the name of the input says which way is up.
package enum TestCard {
  private static let squares = 8

  /// A card of a size with a name on it.
  package static func picture(named name: String, size: Size) -> PixelBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * 4)
    for y in 0..<size.height {
      for x in 0..<size.width { bytes += pixel(x, y, size) }
    }
    var canvas = Canvas(size, background: [0, 0, 0, 255])
    canvas.draw(PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes), x: 0, y: 0)
    let magnification = max(1, size.width / (BitmapFont.advance * max(12, name.unicodeScalars.count + 2)))
    let line = BitmapFont.lineHeight * magnification
    for (index, text) in ["TEST CARD", name].enumerated() where (index + 2) * line < size.height {
      canvas.write(
        text, x: line / 2, y: line / 2 + index * line, width: size.width - line, magnification: magnification, color: [255, 255, 255, 255])
    }
    return canvas.picture
  }

  private static func pixel(_ x: Int, _ y: Int, _ size: Size) -> [UInt8] {
    let isEdge = x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1
    if isEdge { return [255, 255, 255, 255] }
    let isOdd = (x * squares / size.width + y * squares / size.height) % 2 == 1
    let red = 40 + 180 * x / max(1, size.width - 1)
    let green = 40 + 180 * (size.height - 1 - y) / max(1, size.height - 1)
    let blue = isOdd ? 120 : 60
    return [UInt8(red), UInt8(green), UInt8(blue), 255]
  }
}
