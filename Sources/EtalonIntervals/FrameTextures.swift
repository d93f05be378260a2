internal import EtalonPlan
internal import EtalonTypes

/// A texture of a plan as a pass finds it: a picture, or what another pass stores.
final class ComputedTexture: TextureReading {
  private let frame: FrameIntervals
  private let number: Int
  private let version: FrameIntervals.Version
  private let budget: Budget
  private let description: Plan.Texture
  let sampler: Sampler

  init(_ frame: FrameIntervals, _ number: Int, _ version: FrameIntervals.Version, _ sampler: Sampler, _ budget: Budget) {
    (self.frame, self.number, self.version, self.sampler, self.budget) = (frame, number, version, sampler, budget)
    description = frame.plan.textures[number]
  }

  var format: PixelFormat { description.format }
  var isVolume: Bool { description.shape.isVolume }
  var isCube: Bool { description.shape == .cube }
  var levelCount: Int { description.levelCount }
  var samplerPrecision: SamplerPrecision { frame.samplerPrecision }

  func size(level: Int) -> (Int, Int, Int) {
    let size = description.size(ofLevel: level)
    return (size.width, size.height, description.layerCount(ofLevel: level))
  }

  func texel(level: Int, x: Int, y: Int, z: Int) throws(Stop) -> [Interval] {
    if let picture = frame.picture(version) { return picture.texel(level: level, x: x, y: y, z: z) }
    guard level > 0 else { return try frame.texel(version, of: number, x: x, y: y, z: z, budget) }
    return try frame.halved(MipmapKey(version: version, texture: number, level: level, x: x, y: y), budget)
  }

  func everything(level: Int) -> [Interval]? {
    if let picture = frame.picture(version) { return picture.everything(level: level) }
    switch (version, format.isFloat) {
    case (.zero, _): return [Interval](repeating: Interval(0), count: 4)
    case (_, false): return [Interval](repeating: Interval(0, 1), count: 4)
    default: return nil
    }
  }
}

/// A texel of a level below the first.
struct MipmapKey: Hashable {
  let version: FrameIntervals.Version
  let texture: Int
  let level: Int
  let x: Int
  let y: Int
}

extension FrameIntervals {
  /// The mean of the texels that one of a smaller level covers.
  func halved(_ key: MipmapKey, _ budget: Budget) throws(Stop) -> [Interval] {
    if let known = halved[key] { return known }
    let texture = plan.textures[key.texture]
    guard texture.shape == .flat else { throw .unknown("a small level of a texture of several layers", site: -1) }
    let size = texture.size(ofLevel: key.level - 1)
    let columns = Self.weights(of: key.x, size.width), rows = Self.weights(of: key.y, size.height)
    var sum = [Interval](repeating: Interval(0), count: 4)
    for (y, rowWeight) in rows {
      for (x, columnWeight) in columns {
        let inner = MipmapKey(version: key.version, texture: key.texture, level: key.level - 1, x: x, y: y)
        let texel =
          key.level == 1
          ? try self.texel(key.version, of: key.texture, x: x, y: y, z: 0, budget) : try halved(inner, budget)
        let weight = Interval(rowWeight * columnWeight)
        sum = zip(sum, texel).map { sum, texel in
          guard !texel.mayBeNaN, !sum.mayBeNaN else { return .anything(.undefined, like: sum, texel) }
          return Interval(sum.low + texel.low * weight.low, sum.high + texel.high * weight.low, like: sum, texel)
        }
      }
    }
    let rounded = texture.format.stored(sum.map { $0.widened(ulps: 2, .single) })
    halved[key] = rounded
    return rounded
  }

  /// The texels that one of half as many covers, and their parts: two, or three of an odd number.
  private static func weights(of index: Int, _ count: Int) -> [(Int, Double)] {
    guard count > 1 else { return [(0, 1)] }
    guard count % 2 == 1 else { return [(2 * index, 0.5), (2 * index + 1, 0.5)] }
    let half = Double(count / 2), whole = Double(count), place = Double(index)
    return [(2 * index, (half - place) / whole), (2 * index + 1, half / whole), (2 * index + 2, (place + 1) / whole)]
  }
}

// MARK: - Pictures

/// A texture that was filled from a picture: its texels are certain.
final class PictureTexture {
  let levels: [(size: (Int, Int, Int), texels: [Float])]
  private let most: Double?
  private let width: FloatWidth
  private var ranges: [Int: [Interval]] = [:]

  init(_ picture: PixelBuffer, for texture: Plan.Texture) {
    levels = TextureLevels(of: picture, for: texture).levels.map { layers in
      (
        size: (layers[0].size.width, layers[0].size.height, layers.count),
        texels: layers.flatMap { texture.format.texels($0) }
      )
    }
    width = texture.format.bytesPerChannel == 2 ? .half : .single
    most = texture.format.isFloat ? nil : texture.format.bytesPerChannel == 1 ? 255 : 65535
  }

  func texel(level: Int, x: Int, y: Int, z: Int) -> [Interval] {
    let (size, texels) = levels[level]
    let start = ((z * size.1 + y) * size.0 + x) * 4
    return (0..<4).map { range(texels[start + $0]) }
  }

  private func range(_ value: Float) -> Interval {
    guard !value.isNaN else { return .anything(.undefined) }
    let exact = Interval(Double(value))
    return most.map { exact.read($0) } ?? exact.withZero(width)
  }

  /// Everything between the smallest and the largest texel.
  func everything(level: Int) -> [Interval] {
    if let known = ranges[level] { return known }
    let texels = levels[level].texels
    let all = (0..<4).map { channel in
      let values = stride(from: channel, to: texels.count, by: 4).map { texels[$0] }
      guard !values.contains(where: \.isNaN) else { return Interval.anything(.undefined) }
      return range(values.min() ?? 0).hull(range(values.max() ?? 0))
    }
    ranges[level] = all
    return all
  }
}

// MARK: - Formats

extension PixelFormat {
  /// What a target holds after a color was stored: levels and halves round either way, and channels that are not there read as 0, 0, 1.
  ///
  /// Stores and reads of images need not keep bits: denormal numbers may become zero, and what is no number may be any.
  func stored(_ channels: [Interval]) -> [Interval] {
    (0..<4).map { channel in
      guard channel < channelCount else { return Interval(channel == 3 ? 1 : 0) }
      return stored(channels[channel])
    }
  }

  private func stored(_ value: Interval) -> Interval {
    switch self {
    case .r32f, .rg32f, .rgba32f: return value.withZero(.single)
    case .r16f, .rg16f, .rgba16f: return value.mayBeNaN ? value : value.limited(to: .half)
    case .r8, .rg8, .rgba8: return value.quantized(255)
    case .r16, .rg16, .rgba16: return value.quantized(65535)
    }
  }

  /// The texels of rows of pixels, four exact channels each.
  func texels(_ picture: PixelBuffer) -> [Float] {
    var texels: [Float] = []
    texels.reserveCapacity(picture.size.pixelCount * 4)
    for pixel in 0..<picture.size.pixelCount {
      for channel in 0..<4 {
        guard channel < channelCount else {
          texels.append(channel == 3 ? 1 : 0)
          continue
        }
        texels.append(number(picture.bytes, at: pixel * bytesPerPixel + channel * bytesPerChannel))
      }
    }
    return texels
  }

  private func number(_ bytes: [UInt8], at start: Int) -> Float {
    let word = (0..<bytesPerChannel).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    switch self {
    case .r8, .rg8, .rgba8: return Float(word) / 255
    case .r16, .rg16, .rgba16: return Float(word) / 65535
    case .r16f, .rg16f, .rgba16f: return Float(Float16(bitPattern: UInt16(word)))
    case .r32f, .rg32f, .rgba32f: return Float(bitPattern: word)
    }
  }
}

extension Interval {
  /// A stored half: numbers that are too large become infinite or the largest.
  fileprivate func limited(to width: FloatWidth) -> Interval {
    var limited = rounded(width)
    if high > width.largest { limited.high = .infinity }
    if low < -width.largest { limited.low = -.infinity }
    return limited
  }

  /// One of the two levels next to a number; what is no number gives any.
  fileprivate func quantized(_ most: Double) -> Interval {
    guard !mayBeNaN else { return Interval(0, 1, like: self).because(.undefined) }
    let clipped = clipped(0, 1)
    let low = (clipped.low * most).rounded(.down) / most, high = (clipped.high * most).rounded(.up) / most
    return Interval(low, high, like: self).read(most)
  }

  /// A level as it is read: nearly a fraction of the largest.
  func read(_ most: Double) -> Interval {
    let ulps = (low == 0 || low == 1) && (high == 0 || high == 1) ? 0.0 : 1.0
    return widened(ulps: ulps, .single).clipped(0, 1)
  }
}
