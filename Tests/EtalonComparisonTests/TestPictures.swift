import EtalonTypes

/// Small pictures made by formulas.
enum TestPictures {
  /// Waves of color with soft alpha, the same every time.
  static func waves(_ size: Size = Size(64, 64), alpha: AlphaMode = .straight) -> PixelBuffer {
    rgba8(size, alpha: alpha) { x, y in
      [UInt8((x * 5 + y * 3) % 256), UInt8((x * y) % 251), UInt8((x * x + 7 * y) % 241), UInt8(200 + (x + y) % 50)]
    }
  }

  static func rgba8(_ size: Size = Size(64, 64), alpha: AlphaMode = .straight, _ pixel: (Int, Int) -> [UInt8]) -> PixelBuffer {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width { bytes += pixel(x, y) }
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: alpha, bytes: bytes)
  }

  static func rgba16(_ size: Size = Size(64, 64), _ pixel: (Int, Int) -> [UInt16]) -> PixelBuffer {
    make(size, .rgba16, pixel)
  }

  static func float(_ size: Size = Size(64, 64), _ pixel: (Int, Int) -> [Float]) -> PixelBuffer {
    make(size, .rgba32f) { pixel($0, $1).map(\.bitPattern) }
  }

  static func half(_ size: Size = Size(64, 64), _ pixel: (Int, Int) -> [Float16]) -> PixelBuffer {
    make(size, .rgba16f) { pixel($0, $1).map(\.bitPattern) }
  }

  private static func make<Word: FixedWidthInteger>(_ size: Size, _ format: PixelFormat, _ pixel: (Int, Int) -> [Word]) -> PixelBuffer {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        for word in pixel(x, y) {
          for shift in stride(from: 0, to: Word.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> Word(shift))) }
        }
      }
    }
    return PixelBuffer(size: size, format: format, alpha: .straight, bytes: bytes)
  }
}

extension PixelBuffer {
  /// The picture with some bytes changed: `[x, y, channel]` and what is added there.
  func adding(_ changes: [(x: Int, y: Int, channel: Int, by: Int)]) -> PixelBuffer {
    var bytes = bytes
    for change in changes {
      let index = (change.y * size.width + change.x) * format.bytesPerPixel + change.channel
      bytes[index] = UInt8(max(0, min(255, Int(bytes[index]) + change.by)))
    }
    return PixelBuffer(size: size, format: format, alpha: alpha, bytes: bytes)
  }
}
