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
