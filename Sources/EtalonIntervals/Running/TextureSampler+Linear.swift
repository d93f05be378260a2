internal import EtalonTypes

/// Linear filtering: means of the texels around a position, as coarsely as devices may work them out.
extension TextureSampler {
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
      var value = widened(value)
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

  /// What filtering may add: one level of a format of levels, a few units in the last place of others.
  func widened(_ value: Interval) -> Interval {
    switch texture.format {
    case .r8, .rg8, .rgba8: value.widened(by: 1 / 255, .single)
    case .r16, .rg16, .rgba16: value.widened(by: 1 / 65535, .single)
    case .r16f, .rg16f, .rgba16f: value.widened(by: max(FloatWidth.half.ulp(value.low), FloatWidth.half.ulp(value.high)), .single)
    case .r32f, .rg32f, .rgba32f: value.widened(ulps: 8, .single)
    }
  }
}
