import EtalonPlan
import EtalonTestSupport
import EtalonTypes

/// Reads textures as samplers are documented to, in double precision.
struct TextureReference {
  private let levels: [PixelBuffer]

  init(_ picture: PixelBuffer) { levels = MipmapChain(of: picture).levels }

  var levelCount: Int { levels.count }
  func size(_ level: Int) -> Size { levels[level].size }

  /// A pixel with the origin at the bottom left; channels that the format lacks are 0, 0, 1.
  func pixel(_ x: Int, _ y: Int, level: Int = 0) -> SIMD4<Double> {
    let picture = levels[level]
    var result = SIMD4(0.0, 0, 0, 1)
    for channel in 0..<picture.format.channelCount { result[channel] = Double(picture.channel(x, y, channel)) }
    return result
  }

  /// A pixel by whole numbers, transparent black outside.
  func fetched(_ x: Int, _ y: Int, level: Int) -> SIMD4<Double> {
    guard levels.indices.contains(level), (0..<size(level).width).contains(x), (0..<size(level).height).contains(y) else { return .zero }
    return pixel(x, y, level: level)
  }

  private func addressed(_ x: Int, _ y: Int, _ mode: Sampler.AddressMode, level: Int) -> SIMD4<Double> {
    func index(_ i: Int, _ count: Int) -> Int? {
      switch mode {
      case .clamp: return min(max(i, 0), count - 1)
      case .repeat: return (i % count + count) % count
      case .mirror:
        let wrapped = (i % (2 * count) + 2 * count) % (2 * count)
        return wrapped < count ? wrapped : 2 * count - 1 - wrapped
      case .transparent: return (0..<count).contains(i) ? i : nil
      }
    }
    guard let column = index(x, size(level).width), let row = index(y, size(level).height) else { return .zero }
    return pixel(column, row, level: level)
  }

  /// The four pixels around a position, in the order (left, below), (right, below), (left, above), (right, above), and the weights of the second ones.
  func corners(
    _ u: Double, _ v: Double, _ mode: Sampler.AddressMode, level: Int, offset: (Int, Int) = (0, 0)
  ) -> (pixels: [SIMD4<Double>], across: Double, up: Double) {
    let x = u * Double(size(level).width) - 0.5, y = v * Double(size(level).height) - 0.5
    let left = Int(x.rounded(.down)), below = Int(y.rounded(.down))
    let pixels = [(0, 0), (1, 0), (0, 1), (1, 1)].map {
      addressed(left + offset.0 + $0.0, below + offset.1 + $0.1, mode, level: level)
    }
    return (pixels, x - x.rounded(.down), y - y.rounded(.down))
  }

  private func linear(_ u: Double, _ v: Double, _ mode: Sampler.AddressMode, level: Int, _ offset: (Int, Int)) -> SIMD4<Double> {
    let (p, across, up) = corners(u, v, mode, level: level, offset: offset)
    let lower = p[0] + (p[1] - p[0]) * across, upper = p[2] + (p[3] - p[2]) * across
    return lower + (upper - lower) * up
  }

  /// The offset is one of pixels of each level that is read.
  func sampled(_ sampler: Sampler, _ u: Double, _ v: Double, lod: Double, offset: (Int, Int) = (0, 0)) -> SIMD4<Double> {
    switch sampler.interpolation {
    case .nearest:
      let x = (u * Double(size(0).width)).rounded(.down), y = (v * Double(size(0).height)).rounded(.down)
      return addressed(Int(x) + offset.0, Int(y) + offset.1, sampler.address, level: 0)
    case .linear: return linear(u, v, sampler.address, level: 0, offset)
    case .mipmap:
      let level = min(max(lod, 0), Double(levelCount - 1)), whole = Int(level.rounded(.down))
      let near = linear(u, v, sampler.address, level: whole, offset)
      let far = linear(u, v, sampler.address, level: min(whole + 1, levelCount - 1), offset)
      return near + (far - near) * (level - level.rounded(.down))
    }
  }
}

extension PixelBuffer {
  /// A channel of the pixel at a place, with the origin at the bottom left.
  func channel(_ x: Int, _ y: Int, _ channel: Int) -> Float {
    let at = ((size.height - 1 - y) * size.width + x) * format.bytesPerPixel + channel * format.bytesPerChannel
    let word = (0..<format.bytesPerChannel).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
    switch (format.bytesPerChannel, format.isFloat) {
    case (1, _): return Float(word) / 255
    case (2, false): return Float(word) / 65535
    case (2, true): return Float(Float16(bitPattern: UInt16(word)))
    default: return Float(bitPattern: word)
    }
  }

  /// A picture of ordinary numbers that differ from pixel to pixel.
  static func noise(_ size: Size, _ format: PixelFormat, seed: UInt64 = 3) -> PixelBuffer {
    var random = SeededNumbers(seed: seed)
    let bytes = (0..<size.pixelCount * format.channelCount).flatMap { _ -> [UInt8] in
      let word = UInt32(truncatingIfNeeded: random.next())
      let unit = Float(word >> 8) * 0x1p-24
      switch (format.bytesPerChannel, format.isFloat) {
      case (1, _): return [UInt8(truncatingIfNeeded: word)]
      case (2, false): return [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
      case (2, true):
        let bits = Float16(unit * 4 - 2).bitPattern
        return [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
      default: return littleEndian([unit * 4 - 2])
      }
    }
    return PixelBuffer(size: size, format: format, alpha: .straight, bytes: bytes)
  }
}
