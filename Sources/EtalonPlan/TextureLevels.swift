package import EtalonTypes

extension Plan.Texture {
  /// The number of levels, the texture itself included.
  package var levelCount: Int {
    guard isMipmapped else { return 1 }
    return max(MipmapChain.levelCount(of: size), shape.isVolume ? MipmapChain.levelCount(of: Size(layerCount, 1)) : 1)
  }

  /// The size of a face or slice of a level.
  package func size(ofLevel level: Int) -> Size { Size(max(1, size.width >> level), max(1, size.height >> level)) }

  /// The number of faces or slices of a level.
  package func layerCount(ofLevel level: Int) -> Int { shape.isVolume ? max(1, layerCount >> level) : layerCount }

  /// The number of pixels of all levels, faces and slices.
  package var texelCount: Int {
    (0..<levelCount).reduce(0) { $0 + size(ofLevel: $1).pixelCount * layerCount(ofLevel: $1) }
  }

  /// How many bytes its pixels take without padding, in all levels.
  package var byteCount: Int { texelCount * format.bytesPerPixel }
}

/// The levels of an imported texture as they lie in it: for each level the faces or slices, their first row first.
///
/// The faces of a cube are halved by themselves; the slices of a volume too, and then each two of them (of an odd number three) become one.
///
/// **Concurrency**: an immutable value.
package struct TextureLevels: Sendable {
  /// By level, then by layer.
  package let levels: [[PixelBuffer]]

  /// Cuts the picture of a texture and makes its levels.
  package init(of picture: PixelBuffer, for texture: Plan.Texture) {
    let layers = (0..<texture.layerCount).map { Self.layer($0, of: picture, isTurnedOver: texture.shape == .flat, texture.size) }
    guard texture.isMipmapped else {
      levels = [layers]
      return
    }
    var levels = [layers]
    for level in 1..<max(1, texture.levelCount) {
      let halved = levels[level - 1].map { $0.size.pixelCount == 1 ? $0 : MipmapChain.halved($0) }
      levels.append(texture.shape.isVolume ? MipmapChain.halved(slices: halved) : halved)
    }
    self.levels = levels
  }

  private static func layer(_ number: Int, of picture: PixelBuffer, isTurnedOver: Bool, _ size: Size) -> PixelBuffer {
    let rowByteCount = picture.bytesPerRow
    let start = number * size.height * rowByteCount
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.height * rowByteCount)
    if isTurnedOver {
      for row in (0..<size.height).reversed() { bytes += picture.bytes[start + row * rowByteCount..<start + (row + 1) * rowByteCount] }
    } else {
      bytes += picture.bytes[start..<start + size.height * rowByteCount]
    }
    return PixelBuffer(size: size, format: picture.format, alpha: picture.alpha, bytes: bytes)
  }
}
