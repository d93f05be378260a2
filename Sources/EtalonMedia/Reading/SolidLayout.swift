package import EtalonTypes
internal import Foundation

/// How the faces of a cube map, or the slices of a volume, lie in one picture.
///
/// Everything becomes a stack: squares below each other, the faces in the order +X, -X, +Y, -Y, +Z, -Z of Vulkan and OpenGL, or the slices from the first on.
package enum SolidLayout {
  /// The six faces below each other; nil for a picture that holds them in another way.
  ///
  /// It may be
  /// - a stack (1 : 6) or a strip (6 : 1) of the faces;
  /// - a panorama (2 : 1) of equal angles, in whose middle +Z lies, and +X to the right of it; a face is a quarter of its width, between whose pixels
  ///   colors are interpolated.
  ///
  /// Directions and faces are those of the OpenGL specification, section 8.13 "Cube Map Texture Selection".
  package static func faces(of picture: PixelBuffer) -> PixelBuffer? {
    let (width, height) = (picture.size.width, picture.size.height)
    if height == 6 * width { return picture }
    if width == 6 * height { return stack(6, of: picture, side: height) }
    if width == 2 * height { return Panorama(picture).faces() }
    return nil
  }

  /// The slices below each other; nil for a picture that is neither a stack nor a strip of at least two squares.
  package static func slices(of picture: PixelBuffer) -> PixelBuffer? {
    let (width, height) = (picture.size.width, picture.size.height)
    if height > width, height % width == 0 { return picture }
    guard width > height, width % height == 0 else { return nil }
    return stack(width / height, of: picture, side: height)
  }

  /// Squares of one size and format below each other; nil for others, and for none.
  package static func stacked(_ squares: [PixelBuffer]) -> PixelBuffer? {
    guard let first = squares.first, first.size.width == first.size.height,
      squares.allSatisfy({ $0.size == first.size && $0.format == first.format })
    else { return nil }
    let alpha = squares.allSatisfy { $0.alpha == .opaque } ? AlphaMode.opaque : first.alpha == .opaque ? .straight : first.alpha
    return PixelBuffer(
      size: Size(first.size.width, first.size.height * squares.count), format: first.format, alpha: alpha, bytes: squares.flatMap(\.bytes))
  }

  /// Squares of a picture that lie side by side, below each other.
  private static func stack(_ count: Int, of picture: PixelBuffer, side: Int) -> PixelBuffer {
    let rowByteCount = side * picture.format.bytesPerPixel
    var bytes: [UInt8] = []
    bytes.reserveCapacity(picture.bytes.count)
    for square in 0..<count {
      for row in 0..<side {
        let start = row * picture.bytesPerRow + square * rowByteCount
        bytes += picture.bytes[start..<start + rowByteCount]
      }
    }
    return PixelBuffer(size: Size(side, side * count), format: picture.format, alpha: picture.alpha, bytes: bytes)
  }

  /// Where the centre of a pixel of a face lies, seen from the middle of a cube whose half side is 1.
  static func direction(face: Int, column: Int, row: Int, side: Int) -> (x: Double, y: Double, z: Double) {
    let s = (Double(2 * column) + 1) / Double(side) - 1, t = (Double(2 * row) + 1) / Double(side) - 1
    switch face {
    case 0: return (1, -t, -s)
    case 1: return (-1, -t, s)
    case 2: return (s, 1, t)
    case 3: return (s, -1, -t)
    case 4: return (s, -t, 1)
    default: return (-s, -t, -1)
    }
  }
}

/// A picture of all directions, whose columns are longitudes and whose rows are latitudes.
private struct Panorama {
  private let picture: PixelBuffer

  init(_ picture: PixelBuffer) { self.picture = picture }

  func faces() -> PixelBuffer {
    switch picture.format.bytesPerChannel {
    case 1: faces(UInt8.self, { Double($0) }, { UInt8($0.rounded()) })
    case 2 where !picture.format.isFloat: faces(UInt16.self, { Double($0) }, { UInt16($0.rounded()) })
    case 2: faces(UInt16.self, { Double(Float16(bitPattern: $0)) }, { Float16($0).bitPattern })
    default: faces(UInt32.self, { Double(Float(bitPattern: $0)) }, { Float($0).bitPattern })
    }
  }

  private func faces<Bits: FixedWidthInteger & BitwiseCopyable>(
    _: Bits.Type, _ load: (Bits) -> Double, _ store: (Double) -> Bits
  ) -> PixelBuffer {
    let side = max(1, picture.size.width / 4), channels = picture.format.channelCount
    let size = Size(side, 6 * side)
    let byteCount = size.pixelCount * picture.format.bytesPerPixel
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { target, initialized in
      unsafe picture.bytes.withUnsafeBytes { source in
        var offset = 0
        for row in 0..<6 * side {
          for column in 0..<side {
            let four = neighbors(of: SolidLayout.direction(face: row / side, column: column, row: row % side, side: side))
            for channel in 0..<channels {
              var sum = 0.0
              for (place, weight) in four {
                let index = (place * channels + channel) * MemoryLayout<Bits>.size
                let bits = unsafe source.loadUnaligned(fromByteOffset: index, as: Bits.self)
                sum += weight * load(bits)
              }
              unsafe UnsafeMutableRawBufferPointer(target).storeBytes(of: store(sum), toByteOffset: offset, as: Bits.self)
              offset += MemoryLayout<Bits>.size
            }
          }
        }
      }
      initialized = byteCount
    }
    return PixelBuffer(size: size, format: picture.format, alpha: picture.alpha, bytes: bytes)
  }

  /// The four pixels around a direction, and how much each of them counts; columns go on behind the edge, rows end at the poles.
  private func neighbors(of direction: (x: Double, y: Double, z: Double)) -> [(place: Int, weight: Double)] {
    let (width, height) = (picture.size.width, picture.size.height)
    let longitude = atan2(direction.x, direction.z), latitude = atan2(direction.y, hypot(direction.x, direction.z))
    let x = (0.5 + longitude / (2 * .pi)) * Double(width) - 0.5, y = (0.5 - latitude / .pi) * Double(height) - 0.5
    let (left, above) = (x.rounded(.down), y.rounded(.down))
    let (right, below) = (x - left, y - above)
    func place(_ column: Int, _ row: Int) -> Int {
      min(max(Int(above) + row, 0), height - 1) * width + (Int(left) + column + width) % width
    }
    return [
      (place(0, 0), (1 - right) * (1 - below)), (place(1, 0), right * (1 - below)), (place(0, 1), (1 - right) * below),
      (place(1, 1), right * below),
    ]
  }
}
