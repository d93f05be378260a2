import EtalonTypes

/// An opaque `rgba8` picture that is being drawn; the origin is the top left, as in picture files.
struct Canvas {
  private let size: Size
  private var bytes: [UInt8]

  init(_ size: Size, background: [UInt8]) {
    self.size = size
    bytes = []
    bytes.reserveCapacity(size.pixelCount * 4)
    for _ in 0..<size.pixelCount { bytes.append(contentsOf: background) }
  }

  var picture: PixelBuffer { PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes) }

  /// Lays a straight-alpha `rgba8` picture over what is there; it must fit.
  mutating func draw(_ picture: PixelBuffer, x: Int, y: Int) {
    for row in 0..<picture.size.height {
      let target = ((y + row) * size.width + x) * 4
      let source = row * picture.bytesPerRow
      for pixel in stride(from: 0, to: picture.bytesPerRow, by: 4) {
        let alpha = picture.alpha == .opaque ? 255 : Int(picture.bytes[source + pixel + 3])
        for channel in 0..<3 {
          let over = Int(picture.bytes[source + pixel + channel]) * alpha + Int(bytes[target + pixel + channel]) * (255 - alpha)
          bytes[target + pixel + channel] = UInt8((over + 127) / 255)
        }
      }
    }
  }

  /// Writes one line of text, cut off with dots where it is wider than `width`.
  mutating func write(_ text: String, x: Int, y: Int, width: Int, magnification: Int, color: [UInt8]) {
    let advance = BitmapFont.advance * magnification
    let room = max(1, width / advance)
    var scalars = Array(text.unicodeScalars.prefix(room + 1))
    if scalars.count > room { scalars = scalars.prefix(max(0, room - 2)) + Array("..".unicodeScalars.prefix(room)) }
    for (index, scalar) in scalars.enumerated() {
      draw(BitmapFont.rows(of: scalar), x: x + index * advance, y: y, magnification: magnification, color: color)
    }
  }

  private mutating func draw(_ glyph: [UInt8], x: Int, y: Int, magnification: Int, color: [UInt8]) {
    for row in 0..<glyph.count * magnification {
      for column in 0..<BitmapFont.glyphWidth * magnification {
        let bit = BitmapFont.glyphWidth - 1 - column / magnification
        guard glyph[row / magnification] >> bit & 1 == 1, x + column < size.width, y + row < size.height else { continue }
        let place = ((y + row) * size.width + x + column) * 4
        bytes.replaceSubrange(place..<place + 4, with: color)
      }
    }
  }
}
