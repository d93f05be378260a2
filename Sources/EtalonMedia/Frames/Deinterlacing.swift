package import EtalonTypes

extension PixelBuffer {
  /// The plane of the field that shows first: its rows stay, and each row between two of them becomes their mean, rounded up.
  ///
  /// - Parameter isTop: whether that is the field of the uppermost row.
  package func deinterlaced(keepingTop isTop: Bool) -> PixelBuffer {
    guard size.height > 1 else { return self }
    var bytes = bytes
    let length = bytesPerRow
    for row in stride(from: isTop ? 1 : 0, to: size.height, by: 2) {
      let above = row > 0 ? row - 1 : row + 1, below = row + 1 < size.height ? row + 1 : row - 1
      let (target, first, second) = (row * length, above * length, below * length)
      if format == .r8 {
        for column in 0..<length { bytes[target + column] = UInt8((Int(bytes[first + column]) + Int(bytes[second + column]) + 1) / 2) }
      } else {
        for column in stride(from: 0, to: length, by: 2) {
          let sum = [first, second].reduce(1) { $0 + Int(bytes[$1 + column]) + Int(bytes[$1 + column + 1]) << 8 }
          (bytes[target + column], bytes[target + column + 1]) = (UInt8(sum / 2 & 0xFF), UInt8(sum / 2 >> 8))
        }
      }
    }
    return PixelBuffer(size: size, format: format, alpha: alpha, bytes: bytes)
  }
}
