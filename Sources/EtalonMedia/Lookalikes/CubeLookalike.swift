import EtalonTypes

/// Surroundings that stand in for the cube maps which ShaderToy's site offers: a forest, a church from within, and a courtyard.
///
/// The faces lie below each other in the order and with the directions of `SolidLayout`; +Y is up. The blurred ones show what a rough surface mirrors of
/// the same surroundings.
enum CubeLookalike {
  static func picture(titled title: String) -> PixelBuffer? {
    switch title {
    case "Forest": sharp(forest)
    case "Forest Blurred": blurred(forest)
    case "St. Peter's Basilica": sharp(church)
    case "St. Peter's Basilica Blurred": blurred(church)
    case "Uffizi Gallery": sharp(courtyard)
    case "Uffizi Gallery Blurred": blurred(courtyard)
    default: nil
    }
  }

  static let titles: Set<String> = [
    "Forest", "Forest Blurred", "St. Peter's Basilica", "St. Peter's Basilica Blurred", "Uffizi Gallery", "Uffizi Gallery Blurred",
  ]

  typealias Surroundings = (SIMD3<Float>) -> SIMD3<Float>

  private static func picture(_ side: Int, _ color: Surroundings) -> PixelBuffer {
    Lookalike.opaque(Size(side, 6 * side)) { color(direction($0, side)) }
  }

  private static func sharp(_ color: Surroundings) -> PixelBuffer { picture(256, color) }

  private static func blurred(_ color: Surroundings) -> PixelBuffer {
    let side = 12
    let lights = (0..<6 * side * side).map { place in
      let way = direction(place, side)
      // The pixels at the corners of a face cover less of what is seen than those in its middle.
      let share = max(abs(way.x), max(abs(way.y), abs(way.z)))
      return (way: way, color: color(way), share: share * share * share)
    }
    return picture(64) { way in
      var sum = SIMD3<Float>(repeating: 0), total: Float = 0
      for light in lights {
        let cosine = (way * light.way).sum()
        guard cosine > 0 else { continue }
        let lobe = cosine * cosine
        let weight = lobe * lobe * lobe * lobe * light.share
        sum += light.color * weight
        total += weight
      }
      return sum / total
    }
  }

  /// The direction of length 1 to the middle of a pixel of a stack of faces.
  private static func direction(_ place: Int, _ side: Int) -> SIMD3<Float> {
    let way = SolidLayout.direction(face: place / (side * side), column: place % side, row: place / side % side, side: side)
    let vector = SIMD3(Float(way.x), Float(way.y), Float(way.z))
    return vector / (vector * vector).sum().squareRoot()
  }

  // MARK: what is there

  private static func forest(_ way: SIMD3<Float>) -> SIMD3<Float> {
    let leaves = SpaceNoise.fractal(way * 9, seed: 201), fine = SpaceNoise.fractal(way * 30, seed: 202)
    let sky = SIMD3<Float>(hex: 0x9CC4E8).mixed(SIMD3(hex: 0xF4F8F0), (way.y - 0.2) * 0.8)
    if way.y < -0.12 + 0.06 * leaves {
      return SIMD3.ramp([SIMD3(hex: 0x241A0E), SIMD3(hex: 0x5A4A26), SIMD3(hex: 0x6E8A38)], 0.6 * fine + 0.4 * leaves) * (1 + 0.5 * way.y)
    }
    let green = SIMD3<Float>.ramp([SIMD3(hex: 0x0E1C0A), SIMD3(hex: 0x2E5420), SIMD3(hex: 0x8AB04A)], 0.5 * leaves + 0.5 * fine)
    let canopy = sky.mixed(green, (leaves + 0.3 * fine - 0.5 * max(0, way.y)).smooth(0.3, 0.42))
    // Trunks are upright: which of them is seen depends on the direction along the ground alone.
    let along = SIMD2(way.x, way.z) / max((way.x * way.x + way.z * way.z).squareRoot(), 0.001)
    let trunks = SpaceNoise.value(SIMD3(along.x * 7, 0.5, along.y * 7), seed: 203)
    let isTrunk = trunks.smooth(0.68, 0.7) * (1 - way.y.smooth(0.35, 0.6))
    return canopy.mixed(SIMD3(hex: 0x2C2014) * (0.6 + 0.8 * fine), isTrunk)
  }

  private static func church(_ way: SIMD3<Float>) -> SIMD3<Float> {
    let room = Room(half: SIMD3(1, 1.7, 3), floor: -0.35)
    let (hit, face) = room.hit(way)
    let stone = SpaceNoise.fractal(hit * 6, seed: 211)
    let warm = SIMD3<Float>.ramp([SIMD3(hex: 0x5A3C20), SIMD3(hex: 0xA87C48), SIMD3(hex: 0xE0C08A)], stone)
    switch face {
    case .floor:
      let isDark = (Int((hit.x * 4).rounded(.down)) + Int((hit.z * 4).rounded(.down))) & 1 == 0
      return warm * (isDark ? 0.35 : 0.6)
    case .ceiling:
      // Coffers, and a round opening to the sky.
      if hit.x * hit.x + hit.z * hit.z < 0.2 { return SIMD3(1, 0.98, 0.92) }
      let (u, v) = ((hit.x * 3).fraction, (hit.z * 3).fraction)
      return warm * (min(min(u, 1 - u), min(v, 1 - v)) > 0.15 ? 0.45 : 0.8)
    case .wall(let along):
      let u = (along * 2).fraction
      let isColumn = u < 0.3, isWindow = hit.y > 0.75 && hit.y < 1.3 && u > 0.45 && u < 0.85
      if isWindow { return SIMD3(1, 0.96, 0.85) }
      let roundness = isColumn ? 0.5 + 0.5 * (1 - abs(u / 0.15 - 1)) : 0.55
      return warm * (roundness + 0.2 * (hit.y + 0.35))
    }
  }

  private static func courtyard(_ way: SIMD3<Float>) -> SIMD3<Float> {
    let room = Room(half: SIMD3(0.8, 1.3, 2.6), floor: -0.3)
    let (hit, face) = room.hit(way)
    let stone = SpaceNoise.fractal(hit * 7, seed: 221)
    switch face {
    case .ceiling:
      let cloud = SpaceNoise.fractal(way * 3, seed: 222)
      return SIMD3(hex: 0x6E9CD0).mixed(SIMD3(hex: 0xFFFFFF), cloud.smooth(0.45, 0.8))
    case .floor: return SIMD3.ramp([SIMD3(hex: 0x5C5650), SIMD3(hex: 0xA09888)], stone) * 0.8
    case .wall(let along):
      let plaster = SIMD3<Float>.ramp([SIMD3(hex: 0x9C8458), SIMD3(hex: 0xD8C69A)], stone)
      let (u, story) = ((along * 3).fraction, (hit.y + 0.3) / 0.5)
      let v = story.fraction
      if story < 1 { return u > 0.2 && u < 0.8 && v < 0.75 ? SIMD3(hex: 0x2A2620) : plaster * 0.7 }
      if u > 0.3 && u < 0.7 && v > 0.2 && v < 0.8 { return SIMD3(hex: 0x3A4048) }
      return plaster * (v > 0.92 ? 0.6 : 0.95)
    }
  }

  /// A box around the eye, which is at the origin.
  private struct Room {
    enum Face { case floor, ceiling, wall(along: Float) }

    /// How far walls and ceiling are away.
    let half: SIMD3<Float>
    let floor: Float

    func hit(_ way: SIMD3<Float>) -> (place: SIMD3<Float>, face: Face) {
      func distance(_ way: Float, _ low: Float, _ high: Float) -> Float { way == 0 ? .infinity : (way > 0 ? high : low) / way }
      let (x, z) = (distance(way.x, -half.x, half.x), distance(way.z, -half.z, half.z)), y = distance(way.y, floor, half.y)
      if y < x && y < z { return (way * y, way.y > 0 ? .ceiling : .floor) }
      let place = way * min(x, z)
      return (place, .wall(along: x < z ? place.z : place.x))
    }
  }
}

extension Float {
  fileprivate var fraction: Float { self - rounded(.down) }
}

/// Noise in space, from 0 to 1.
private enum SpaceNoise {
  static func fractal(_ place: SIMD3<Float>, seed: UInt32) -> Float {
    var sum: Float = 0, weight: Float = 1, total: Float = 0, place = place
    for octave in 0..<4 {
      sum += weight * value(place, seed: seed &* 8 &+ UInt32(octave))
      total += weight
      (place, weight) = (place * 2, weight / 2)
    }
    return min(max((sum / total - 0.5) * 1.6 + 0.5, 0), 1)
  }

  static func value(_ place: SIMD3<Float>, seed: UInt32) -> Float {
    let base = place.rounded(.down), way = place - base
    let share = way * way * (3 - 2 * way)
    let corner = SIMD3<Int32>(Int32(base.x), Int32(base.y), Int32(base.z))
    func at(_ x: Int32, _ y: Int32, _ z: Int32) -> Float {
      let (x, y, z) = (UInt32(bitPattern: corner.x &+ x), UInt32(bitPattern: corner.y &+ y), UInt32(bitPattern: corner.z &+ z))
      return Lookalike.unit(Int(x &* 73_856_093 ^ y &* 19_349_663 ^ z &* 83_492_791), seed)
    }
    func row(_ y: Int32, _ z: Int32) -> Float { at(0, y, z) + (at(1, y, z) - at(0, y, z)) * share.x }
    func plane(_ z: Int32) -> Float { row(0, z) + (row(1, z) - row(0, z)) * share.y }
    return plane(0) + (plane(1) - plane(0)) * share.z
  }
}
