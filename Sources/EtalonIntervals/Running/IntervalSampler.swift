internal import EtalonTypes
internal import Foundation

/// Reads a texture as samplers of Vulkan may: positions are divided into parts of a texel, and results rounded as the format is.
struct IntervalSampler {
  /// The most texels along a side that a read may come from.
  private static let mostTexels = 40.0
  /// The farthest texel that has a number.
  private static let farthest = 1e9

  let texture: any TextureReading
  /// How many texels of the level that is read a read lies beside its position, along each axis; empty for none.
  private let steps: [Interval]
  /// The parts that a texel and the distance of two levels are divided into.
  private let subTexel: Double, betweenLevels: Double

  init(_ texture: any TextureReading, steps: [Interval] = []) {
    self.texture = texture
    self.steps = steps
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
      inherited(filtered(near.mixed(far, weight, .single)), level)
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
      var value = filtered(value.hull(Interval(0)))
      for coordinate in position { value.inherit(coordinate) }
      return value.because(.undefined)
    }
  }

  /// Cubes: all texels of the faces that the direction may lead to, unless it is certain enough for a face.
  private func cube(_ direction: [Interval]) throws(Stop) -> [Interval] {
    guard let all = texture.everything(level: 0) else { return (0..<4).map { _ in .anything(.texel, like: direction[0]) } }
    return all.map { value in
      var value = filtered(value)
      for coordinate in direction { value.inherit(coordinate) }
      return value.because(.texel)
    }
  }
}

// MARK: - Texels

/// Reads of single texels: by their numbers, the nearest one, and the four around a position.
extension IntervalSampler {
  /// Where a position lies on an axis, in texels; addresses that repeat may be far away.
  func texels(_ position: [Interval], level: Int, offset: Double) -> [Interval] {
    let size = texture.size(level: level), sizes = [size.0, size.1, size.2]
    return position.enumerated().map { axis, coordinate in
      let count = Double(sizes[axis])
      // A product of the position, and its rounding to parts of a texel.
      var texels = coordinate.times(Interval(count), .single)
      texels.low -= offset
      texels.high -= offset
      if axis < steps.count {
        texels.low += steps[axis].low
        texels.high += steps[axis].high
        texels.inherit(steps[axis])
      }
      if texture.sampler.address == .clamp || texture.sampler.address == .transparent { return texels.clipped(-2, count + 2) }
      return texels
    }
  }

  /// The texel that a column or row stands for; nil outside of a texture that is transparent there.
  private func address(_ index: Int, _ count: Int) -> Int? {
    switch texture.sampler.address {
    case .clamp: return min(max(index, 0), count - 1)
    case .transparent: return index < 0 || index >= count ? nil : index
    case .repeat: return ((index % count) + count) % count
    case .mirror:
      let turn = ((index % (2 * count)) + 2 * count) % (2 * count)
      return turn < count ? turn : 2 * count - 1 - turn
    }
  }

  func texel(_ at: [Int], level: Int) throws(Stop) -> [Interval] {
    let size = texture.size(level: level)
    guard let x = address(at[0], size.0), let y = address(at[1], size.1), let z = at.count > 2 ? address(at[2], size.2) : 0 else {
      return [Interval](repeating: Interval(0), count: 4)
    }
    return try texture.texel(level: level, x: x, y: y, z: z)
  }

  func nearest(_ position: [Interval], level: Int) throws(Stop) -> [Interval] {
    let places = texels(position, level: level, offset: 0)
    return try hull(places.map { ($0.low.rounded(.down), $0.high.rounded(.down)) }, level: level, position)
  }

  /// Everything that texels of a range are.
  private func hull(_ ranges: [(Double, Double)], level: Int, _ position: [Interval]) throws(Stop) -> [Interval] {
    let isExact = ranges.allSatisfy { $0.0 == $0.1 }
    guard ranges.allSatisfy({ $0.1 - $0.0 < Self.mostTexels && $0.0.magnitude < Self.farthest && $0.1.magnitude < Self.farthest }) else {
      return try everything(level, position)
    }
    var result: [Interval]?
    try forEach(ranges.map { Int($0.0)...Int($0.1) }) { (at) throws(Stop) in
      let texel = try texel(at, level: level)
      result = result.map { zip($0, texel).map { $0.hull($1) } } ?? texel
    }
    return (result ?? []).map { value in
      var value = value
      for coordinate in position { value.inherit(coordinate) }
      return isExact || value.isExact ? value : value.because(.texel)
    }
  }

  func everything(_ level: Int, _ position: [Interval]) throws(Stop) -> [Interval] {
    guard let all = texture.everything(level: level) else { return (0..<4).map { _ in .anything(.texel, like: position[0], position[1]) } }
    return all.map { value in
      var value = filtered(texture.sampler.address == .transparent ? value.hull(Interval(0)) : value)
      for coordinate in position { value.inherit(coordinate) }
      return texture.sampler.interpolation == .nearest ? value.because(.texel) : value
    }
  }

  private func forEach(_ ranges: [ClosedRange<Int>], _ body: ([Int]) throws(Stop) -> Void) throws(Stop) {
    for y in ranges[1] {
      for x in ranges[0] {
        if ranges.count == 2 { try body([x, y]) } else { for z in ranges[2] { try body([x, y, z]) } }
      }
    }
  }

  func fetch(_ position: [Interval], level: Int) throws(Stop) -> [Interval] {
    let size = texture.size(level: min(max(level, 0), texture.levelCount - 1)), sizes = [size.0, size.1, size.2]
    let isInside = position.indices.allSatisfy { position[$0].low >= 0 && position[$0].high < Double(sizes[$0]) }
    // Robust access is about coordinates: what a level gives that is not there is not said.
    guard level >= 0, level < texture.levelCount else { return (0..<4).map { _ in .anything(.undefined) } }
    guard isInside else { return try fetchOutside(position, level, sizes) }
    return try hull(position.map { ($0.low, $0.high) }, level: level, position)
  }

  /// Beyond the edges robust access gives zero, and perhaps an opaque one; executors of Etalon give zeros.
  private func fetchOutside(_ position: [Interval], _ level: Int, _ sizes: [Int]) throws(Stop) -> [Interval] {
    var outside = [Interval](repeating: Interval(0), count: 3) + [Interval(0, 1).because(.undefined)]
    let isCertain = position.indices.contains { position[$0].high < 0 || position[$0].low >= Double(sizes[$0]) }
    guard !isCertain else { return outside }
    let inside = position.indices.map { (max(position[$0].low, 0), min(position[$0].high, Double(sizes[$0] - 1))) }
    outside = zip(outside, try hull(inside, level: level, position)).map { $0.joined($1, because: Cause(.texel)) }
    return outside
  }

  func gather(_ position: [Interval], channel: Int) throws(Stop) -> [Interval] {
    guard !texture.isCube, !texture.isVolume, !position.contains(where: \.mayBeNaN) else { return (0..<4).map { _ in .anything(.texel) } }
    let places = texels(Array(position.prefix(2)), level: 0, offset: 0.5)
    let cells = places.map { (($0.low - subTexel).rounded(.down), ($0.high + subTexel).rounded(.down)) }
    guard cells.allSatisfy({ $0.0.magnitude < Self.farthest && $0.1.magnitude < Self.farthest }) else {
      return (0..<4).map { _ in .anything(.texel) }
    }
    func part(_ x: Double, _ y: Double) throws(Stop) -> Interval {
      try hull([(cells[0].0 + x, cells[0].1 + x), (cells[1].0 + y, cells[1].1 + y)], level: 0, position)[channel]
    }
    return [try part(0, 1), try part(1, 1), try part(1, 0), try part(0, 0)]
  }
}

// MARK: - Linear filtering

/// Linear filtering: means of the texels around a position, as coarsely as devices may work them out.
extension IntervalSampler {
  /// The mean of the texels around a position, for all cells that it may lie in.
  func linear(_ position: [Interval], level: Int) throws(Stop) -> [Interval] {
    let places = texels(position, level: level, offset: 0.5).map { Interval($0.low - subTexel, $0.high + subTexel) }
    guard places.allSatisfy({ $0.width < Self.mostTexels && $0.low.magnitude < Self.farthest && $0.high.magnitude < Self.farthest }) else {
      return try everything(level, position)
    }
    var result: [Interval]?
    try forEach(places.map { Int($0.low.rounded(.down))...Int($0.high.rounded(.down)) }) { (cell) throws(Stop) in
      let mean = try mean(in: cell, places, level: level)
      result = result.map { zip($0, mean).map { $0.hull($1) } } ?? mean
    }
    return (result ?? []).map { value in
      var value = filtered(value)
      for coordinate in position { value.inherit(coordinate) }
      return value
    }
  }

  private func mean(in cell: [Int], _ places: [Interval], level: Int) throws(Stop) -> [Interval] {
    let weights = cell.indices.map { axis in
      Interval(min(max(places[axis].low - Double(cell[axis]), 0), 1), min(max(places[axis].high - Double(cell[axis]), 0), 1))
    }
    func row(_ y: Int, _ z: Int?) throws(Stop) -> [Interval] {
      let rest = [y] + (z.map { [$0] } ?? [])
      let (a, b) = (try texel([cell[0]] + rest, level: level), try texel([cell[0] + 1] + rest, level: level))
      return between(a, b, weights[0])
    }
    func slice(_ z: Int?) throws(Stop) -> [Interval] { between(try row(cell[1], z), try row(cell[1] + 1, z), weights[1]) }
    guard cell.count > 2 else { return try slice(nil) }
    return between(try slice(cell[2]), try slice(cell[2] + 1), weights[2])
  }

  /// Means are largest and smallest at ends of the weights.
  private func between(_ a: [Interval], _ b: [Interval], _ weight: Interval) -> [Interval] {
    zip(a, b).map { a, b in
      guard !a.mayBeNaN, !b.mayBeNaN else { return .anything(.undefined, like: a, b) }
      func low(_ t: Double) -> Double { t == 0 ? a.low : t == 1 ? b.low : a.low * (1 - t) + b.low * t }
      func high(_ t: Double) -> Double { t == 0 ? a.high : t == 1 ? b.high : a.high * (1 - t) + b.high * t }
      return Interval(
        min(low(weight.low), low(weight.high)).nextDown, max(high(weight.low), high(weight.high)).nextUp, like: a, b)
    }
  }

  /// What filtering may add: one level of 8 bits for levels, a few units in the last place for others.
  ///
  /// Nothing is promised, and the conformance tests compare what is filtered in 8 bits, also where a texture has 16.
  func filtered(_ value: Interval) -> Interval {
    guard texture.sampler.interpolation != .nearest else { return value }
    return switch texture.format {
    case .r8, .rg8, .rgba8, .r16, .rg16, .rgba16: value.widened(by: 1 / 255, .single)
    case .r16f, .rg16f, .rgba16f: value.widened(by: max(FloatWidth.half.ulp(value.low), FloatWidth.half.ulp(value.high)), .single)
    case .r32f, .rg32f, .rgba32f: value.widened(ulps: 8, .single)
    }
  }
}
