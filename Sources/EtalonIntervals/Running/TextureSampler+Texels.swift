internal import EtalonTypes

/// Reads of single texels: by their numbers, the nearest one, and the four around a position.
extension TextureSampler {
  /// Where a position lies on an axis, in texels; addresses that repeat may be far away.
  func texels(_ position: [Interval], level: Int, offset: Double) -> [Interval] {
    let size = texture.size(level: level), sizes = [size.0, size.1, size.2]
    return position.enumerated().map { axis, coordinate in
      let count = Double(sizes[axis])
      // A product of the position, and its rounding to parts of a texel.
      var texels = coordinate.times(Interval(count), .single)
      texels.low -= offset
      texels.high -= offset
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
      var value = texture.sampler.address == .transparent ? value.hull(Interval(0)) : value
      for coordinate in position { value.inherit(coordinate) }
      return texture.sampler.interpolation == .nearest ? value.because(.texel) : value
    }
  }

  func forEach(_ ranges: [ClosedRange<Int>], _ body: ([Int]) throws(Stop) -> Void) throws(Stop) {
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
