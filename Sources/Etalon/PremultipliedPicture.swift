internal import EtalonManifest
internal import EtalonTypes

extension PixelBuffer {
  /// The picture with its alpha as a filter expects it: files are straight, and native filters work on premultiplied color.
  ///
  /// Premultiplied pixels have sixteen bits a channel, because eight would lose the color of thin pixels.
  func withAlpha(for manifest: FilterManifest) -> PixelBuffer {
    guard manifest.alpha == .premultiplied, alpha == .straight, format == .rgba8 || format == .rgba16 else { return self }
    let largest: UInt64 = format == .rgba8 ? 255 : 65535
    let width = format.bytesPerChannel
    var premultiplied: [UInt8] = []
    premultiplied.reserveCapacity(size.pixelCount * 8)
    func channel(_ index: Int) -> UInt64 {
      width == 1 ? UInt64(bytes[index]) : UInt64(bytes[2 * index]) | UInt64(bytes[2 * index + 1]) << 8
    }
    for pixel in 0..<size.pixelCount {
      let coverage = channel(4 * pixel + 3)
      for index in 0..<4 {
        let product = (index == 3 ? largest : channel(4 * pixel + index)) * coverage
        let value = (product * 65535 + largest * largest / 2) / (largest * largest)
        premultiplied.append(UInt8(truncatingIfNeeded: value))
        premultiplied.append(UInt8(truncatingIfNeeded: value >> 8))
      }
    }
    return PixelBuffer(size: size, format: .rgba16, alpha: .premultiplied, bytes: premultiplied)
  }
}
