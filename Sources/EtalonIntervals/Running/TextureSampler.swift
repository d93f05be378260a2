internal import EtalonTypes
internal import Foundation

/// Reads a texture as samplers of Vulkan may: positions are divided into parts of a texel, and results rounded as the format is.
struct TextureSampler {
  /// The most texels along a side that a read may come from.
  static let mostTexels = 40.0
  /// The farthest texel that has a number.
  static let farthest = 1e9

  let texture: any TextureReading
  /// The parts that a texel and the distance of two levels are divided into.
  let subTexel: Double, betweenLevels: Double

  init(_ texture: any TextureReading) {
    self.texture = texture
    let precision = texture.samplerPrecision
    (subTexel, betweenLevels) = (1 / Double(1 << precision.subTexelBits), 1 / Double(1 << precision.mipmapBits))
  }

  // MARK: Levels

  /// The level that a step of a pixel along x and y asks for.
  ///
  /// Vulkan's Scale Factor Operation allows any length from the longest component to the root of 2 times the sum of all, and the level itself is
  /// computed as finely as levels are divided.
  func level(_ alongX: [Interval], _ alongY: [Interval], at position: [Interval]) -> Interval {
    guard texture.sampler.interpolation == .mipmap, texture.levelCount > 1 else { return Interval(0) }
    guard !texture.isCube else { return Interval(0, Double(texture.levelCount - 1)).because(.texel) }
    let size = texture.size(level: 0), sizes = [size.0, size.1, size.2]
    var (least, most) = (0.0, 0.0)
    var result = Interval(0)
    for step in [alongX, alongY] {
      let texels = step.enumerated().map { $0.element.magnitude.times(Interval(Double(sizes[min($0.offset, 2)])), .single) }
      if texels.contains(where: \.mayBeNaN) { return Interval(0, Double(texture.levelCount - 1)).because(.undefined) }
      least = max(least, texels.map(\.low).max() ?? 0)
      most = max(most, texels.map(\.high).reduce(0, +) * 2.0.squareRoot())
      for part in texels { result.inherit(part) }
    }
    let last = Double(texture.levelCount)
    func level(_ length: Double) -> Double { length <= 0 ? -1 : min(max(Foundation.log2(length), -1), last) }
    (result.low, result.high) = (level(least) - betweenLevels, level(most) + betweenLevels)
    return result
  }

  // MARK: Sampling

  func sample(_ position: [Interval], level: Interval) throws(Stop) -> [Interval] {
    let axes = texture.isVolume ? 3 : 2
    if texture.isCube { return try cube(position) }
    let position = Array(position.prefix(axes))
    if position.contains(where: { $0.mayBeNaN || !$0.low.isFinite || !$0.high.isFinite }) { return try anywhere(position, level) }
    switch texture.sampler.interpolation {
    case .nearest: return try nearest(position, level: 0)
    case .linear: return try linear(position, level: 0)
    case .mipmap: return try betweenLevels(position, level)
    }
  }

  private func betweenLevels(_ position: [Interval], _ level: Interval) throws(Stop) -> [Interval] {
    let last = Double(texture.levelCount - 1)
    guard !level.mayBeNaN else { return try anywhere(position, level) }
    let low = min(max(level.low - betweenLevels, 0), last), high = min(max(level.high + betweenLevels, 0), last)
    if low == high, low == low.rounded() { return try linear(position, level: Int(low)).map { inherited($0, level) } }
    let first = Int(low.rounded(.down)), final = Int(high.rounded(.up))
    guard final - first == 1 else {
      var all = try linear(position, level: first)
      for number in first + 1...final { all = zip(all, try linear(position, level: number)).map { $0.hull($1) } }
      return all.map { inherited($0, level) }
    }
    let weight = Interval(low - Double(first), high - Double(first))
    return zip(try linear(position, level: first), try linear(position, level: final)).map { near, far in
      inherited(widened(near.mixed(far, weight, .single)), level)
    }
  }

  private func inherited(_ value: Interval, _ other: Interval) -> Interval {
    var value = value
    value.inherit(other)
    return value
  }

  /// A position that may be anywhere.
  private func anywhere(_ position: [Interval], _ level: Interval) throws(Stop) -> [Interval] {
    guard let all = texture.everything(level: 0) else { return (0..<4).map { _ in .anything(.undefined, like: position[0]) } }
    return all.map { value in
      var value = value.hull(Interval(0))
      for coordinate in position { value.inherit(coordinate) }
      return value.because(.undefined)
    }
  }

  /// Cubes: all texels of the faces that the direction may lead to, unless it is certain enough for a face.
  private func cube(_ direction: [Interval]) throws(Stop) -> [Interval] {
    guard let all = texture.everything(level: 0) else { return (0..<4).map { _ in .anything(.texel, like: direction[0]) } }
    return all.map { value in
      var value = value
      for coordinate in direction { value.inherit(coordinate) }
      return value.because(.texel)
    }
  }
}
