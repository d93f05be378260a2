import EtalonTypes

/// How a camera was held, in the numbering of EXIF's tag 0x0112: what the first row and the first column of the file are in the picture.
enum Orientation: Int, CaseIterable {
  case upright = 1
  case mirrored
  case upsideDown
  case flipped
  case transposed
  case quarterRight
  case transversed
  case quarterLeft

  /// The orientation that the first EXIF segment of a JPEG file tells; `upright` when it tells none.
  init(ofJPEG bytes: [UInt8]) {
    self = Self.exif(in: bytes).flatMap { Self.tag(in: bytes[$0]) }.flatMap(Orientation.init(rawValue:)) ?? .upright
  }

  /// The orientation that the structure of an EXIF segment or chunk tells; `upright` when it tells none.
  init(ofEXIF structure: ArraySlice<UInt8>) { self = Self.tag(in: structure).flatMap(Orientation.init(rawValue:)) ?? .upright }

  /// Where the TIFF structure of the first EXIF segment lies.
  private static func exif(in bytes: [UInt8]) -> Range<Int>? {
    let signature = Array("Exif\0\0".utf8)
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xFF {
        position += 1
        continue
      }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let content = position + 4
      let end = position + 2 + length
      guard marker != 0xDA, marker != 0xD9, length >= 2, end <= bytes.count else { return nil }
      if marker == 0xE1, bytes[content..<end].starts(with: signature) { return content + signature.count..<end }
      position = end
    }
    return nil
  }

  /// The value of the orientation tag in the first directory of a TIFF structure.
  private static func tag(in tiff: ArraySlice<UInt8>) -> Int? {
    let isLittle = tiff.starts(with: [0x49, 0x49, 0x2A, 0])
    guard isLittle || tiff.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset + count <= tiff.count else { return nil }
      let digits = tiff[(tiff.startIndex + offset)..<(tiff.startIndex + offset + count)]
      return isLittle ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for entry in 0..<count {
      let offset = directory + 2 + 12 * entry
      guard let tag = number(offset, 2) else { return nil }
      if tag == 0x0112 { return number(offset + 2, 2) == 3 ? number(offset + 8, 2) : nil }
    }
    return nil
  }

  /// Whether rows become columns.
  var swapsSides: Bool { rawValue >= 5 }

  /// The picture turned upright.
  func upright(_ picture: PixelBuffer) -> PixelBuffer {
    guard self != .upright else { return picture }
    switch picture.format.bytesPerPixel {
    case 4: return upright(picture, UInt32.self)
    case 8: return upright(picture, UInt64.self)
    case 16: return upright(picture, SIMD4<UInt32>.self)
    default: preconditionFailure("orientation of \(picture.format)")
    }
  }

  private func upright<Pixel: BitwiseCopyable>(_ picture: PixelBuffer, _ type: Pixel.Type) -> PixelBuffer {
    let pixelSize = picture.format.bytesPerPixel
    let (width, height) = (picture.size.width, picture.size.height)
    let size = swapsSides ? Size(height, width) : picture.size
    let bytes = unsafe picture.bytes.withUnsafeBytes { file in
      unsafe [UInt8](unsafeUninitializedCapacity: picture.bytes.count) { buffer, count in
        let target = UnsafeMutableRawBufferPointer(buffer)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let (fromX, fromY) = source(x, y, width, height)
            let pixel = unsafe file.loadUnaligned(fromByteOffset: (fromY * width + fromX) * pixelSize, as: type)
            unsafe target.storeBytes(of: pixel, toByteOffset: (y * size.width + x) * pixelSize, as: type)
          }
        }
        count = picture.bytes.count
      }
    }
    return PixelBuffer(size: size, format: picture.format, alpha: picture.alpha, bytes: bytes)
  }

  /// Which pixel of the file is shown at a place of the upright picture; width and height are the file's.
  private func source(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (Int, Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .upsideDown: (width - 1 - x, height - 1 - y)
    case .flipped: (x, height - 1 - y)
    case .transposed: (y, x)
    case .quarterRight: (y, height - 1 - x)
    case .transversed: (width - 1 - y, height - 1 - x)
    case .quarterLeft: (width - 1 - y, x)
    }
  }
}
