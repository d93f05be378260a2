import EtalonTypes

/// Pictures that stand in for the photos which ShaderToy's site offers to shaders: surfaces, a street and an animated cat, made of noise and simple shapes.
///
/// They have the sizes of the site's pictures, the same kind of content and roughly the same colors; surfaces repeat at their edges.
///
/// **Concurrency**: a namespace of pure functions.
enum PhotoLookalike {
  /// Makes the picture for a title; nil for a title that is no photo.
  static func picture(titled title: String) -> PixelBuffer? {
    switch title {
    case "Abstract 1": swirls(1024, [0x2B1D12, 0x6E4A22, 0xB08A4A, 0x7E8A5A, 0x38462E], seed: 101)
    case "Abstract 2": strokes(512, [0x1B2A38, 0x38607A, 0x8FA9A8, 0xC9B48C], seed: 102)
    case "Abstract 3": scratches(1024, [0x17181A, 0x3A3C40, 0x6B6E72, 0xA9A9A6], seed: 103)
    case "Lichen": lichen
    case "London": Street().picture(Size(512, 512))
    case "Nyancat": RunningCat.picture
    case "Organic 1": grown(1024, [0x1E2A0C, 0x4F6A1C, 0x93A23A, 0xC8B65A], cells: 24, seed: 105)
    case "Organic 2": grown(1024, [0x1C130B, 0x4A3520, 0x7C6242, 0xA08C68], cells: 12, seed: 106)
    case "Organic 3": strokes(1024, [0x2A2118, 0x6B563A, 0xA88F66, 0xD8C69C], seed: 107)
    case "Organic 4": grown(1024, [0x0F1A10, 0x2F4A28, 0x5E7F45, 0x9DB37A], cells: 32, seed: 108)
    case "Pebbles": pebbles
    case "Rock Tiles": tiles
    case "Rusty Metal": rust
    case "Stars": stars
    case "Wood": wood
    default: nil
    }
  }

  static let titles: Set<String> = [
    "Abstract 1", "Abstract 2", "Abstract 3", "Lichen", "London", "Nyancat", "Organic 1", "Organic 2", "Organic 3", "Organic 4", "Pebbles",
    "Rock Tiles", "Rusty Metal", "Stars", "Wood",
  ]

  private static func noise(_ size: Size, _ seed: UInt32) -> TiledNoise { TiledNoise(size: size, seed: seed) }

  private static func colors(_ codes: [UInt32]) -> [SIMD3<Float>] { codes.map { SIMD3(hex: $0) } }

  // MARK: surfaces

  /// Bands of colors that wind around each other.
  private static func swirls(_ side: Int, _ codes: [UInt32], seed: UInt32) -> PixelBuffer {
    let size = Size(side, side), ramp = colors(codes + codes.prefix(1))
    let wide = noise(size, seed).fractal(3), fine = noise(size, seed + 40).fractal(16, octaves: 5)
    return Lookalike.opaque(size) { place in
      let turn = 2.5 * wide[place] + 0.35 * fine[place]
      return SIMD3.ramp(ramp, turn - turn.rounded(.down)) * (0.75 + 0.5 * fine[place])
    }
  }

  /// Long strokes from left to right.
  private static func strokes(_ side: Int, _ codes: [UInt32], seed: UInt32) -> PixelBuffer {
    let size = Size(side, side), ramp = colors(codes)
    let long = noise(size, seed).fractal((3, 24), octaves: 5), fine = noise(size, seed + 40).fractal((8, 64), octaves: 3)
    return Lookalike.opaque(size) { SIMD3.ramp(ramp, 0.75 * long[$0] + 0.25 * fine[$0]) * (0.8 + 0.35 * fine[$0]) }
  }

  /// Metal with ridges in which light catches.
  private static func scratches(_ side: Int, _ codes: [UInt32], seed: UInt32) -> PixelBuffer {
    let size = Size(side, side), ramp = colors(codes)
    let wide = noise(size, seed).fractal(4), ridges = noise(size, seed + 40).fractal(10, octaves: 5)
    return Lookalike.opaque(size) { place in
      let ridge = 1 - abs(2 * ridges[place] - 1)
      return SIMD3.ramp(ramp, 0.7 * wide[place] + 0.5 * ridge * ridge * ridge)
    }
  }

  /// Leaves, crumbs or moss: cells in the shades of noise, darker between them.
  private static func grown(_ side: Int, _ codes: [UInt32], cells: Int, seed: UInt32) -> PixelBuffer {
    let size = Size(side, side), ramp = colors(codes)
    let wide = noise(size, seed).fractal(4), fine = noise(size, seed + 40).fractal(32, octaves: 5)
    let cells = noise(size, seed).cells(cells)
    return Lookalike.opaque(size) { place in
      let edge = (cells.second[place] - cells.nearest[place]).smooth(0, 0.5)
      let shade = 0.45 * wide[place] + 0.3 * cells.number[place] + 0.25 * fine[place]
      return SIMD3.ramp(ramp, shade) * (0.35 + 0.75 * edge) * (0.75 + 0.5 * fine[place])
    }
  }

  private static var lichen: PixelBuffer {
    let size = Size(1024, 1024), stone = colors([0x3A3632, 0x7A746C, 0xB4AEA2]), growth = colors([0xB8A24A, 0xD9D2B0])
    let wide = noise(size, 104).fractal(5), fine = noise(size, 144).fractal(32, octaves: 5), spots = noise(size, 184).fractal(12)
    return Lookalike.opaque(size) { place in
      let isGrown = (0.6 * wide[place] + 0.4 * spots[place]).smooth(0.52, 0.6)
      let rock = SIMD3.ramp(stone, 0.4 * wide[place] + 0.6 * fine[place])
      return rock.mixed(.ramp(growth, spots[place]) * (0.7 + 0.5 * fine[place]), isGrown)
    }
  }

  /// Round stones of different heights, the higher the brighter.
  private static var pebbles: PixelBuffer {
    let size = Size(512, 512), cells = noise(size, 109).cells(14), fine = noise(size, 149).fractal(32, octaves: 4)
    let bytes = (0..<size.pixelCount).map { place -> UInt8 in
      let dome = (1 - cells.nearest[place] * cells.nearest[place]) * (cells.second[place] - cells.nearest[place]).smooth(0, 0.35)
      let height = dome * (0.55 + 0.35 * cells.number[place]) + 0.1 * fine[place]
      return UInt8((min(max(height, 0), 1) * 255).rounded(.toNearestOrEven))
    }
    return PixelBuffer(size: size, format: .r8, alpha: .opaque, bytes: bytes)
  }

  /// Rows of cut stones, each row half a stone further.
  private static var tiles: PixelBuffer {
    let size = Size(512, 512), ramp = colors([0x4A443C, 0x80776A, 0xA89E8E, 0xC8C0B0]), rows = 8, columns = 4
    let wide = noise(size, 110).fractal(6), fine = noise(size, 150).fractal(32, octaves: 4)
    return Lookalike.opaque(size) { place in
      let (x, y) = (Float(place % 512) / 512, Float(place / 512) / 512 * Float(rows))
      let row = Int(y), across = x * Float(columns) + (row % 2 == 0 ? 0 : 0.5)
      let wobble = 0.06 * (fine[place] - 0.5)
      let (u, v) = (across - across.rounded(.down) + wobble / 2, y - Float(row) + wobble)
      let edge = min(min(u, 1 - u) * 2, min(v, 1 - v))
      let stone = Lookalike.unit(row * columns + Int(across) % columns, 1500)
      let color = SIMD3.ramp(ramp, 0.45 * wide[place] + 0.25 * fine[place] + 0.3 * stone)
      return color.mixed(SIMD3(hex: 0x2C2822), 1 - edge.smooth(0.03, 0.1))
    }
  }

  private static var rust: PixelBuffer {
    let size = Size(512, 512), rusty = colors([0x3C1A0C, 0x7A3A14, 0xB4602A, 0xD08A4C]), metal = colors([0x5A5E60, 0x8E9496])
    let wide = noise(size, 111).fractal(4), fine = noise(size, 151).fractal(24, octaves: 5)
    return Lookalike.opaque(size) { place in
      let isBare = (0.7 * wide[place] + 0.3 * fine[place]).smooth(0.58, 0.66)
      return SIMD3.ramp(rusty, 0.5 * wide[place] + 0.5 * fine[place]).mixed(.ramp(metal, fine[place]), isBare)
    }
  }

  /// Stars of all sizes before faint clouds.
  private static var stars: PixelBuffer {
    let size = Size(512, 512), clouds = noise(size, 112).fractal(3)
    let layers = [(24, UInt32(113), Float(0.09)), (60, 114, 0.14)].map { (cells: noise(size, $0.1).cells($0.0), radius: $0.2) }
    return Lookalike.opaque(size) { place in
      let cloud = clouds[place] * clouds[place]
      var color = SIMD3(hex: 0x05060C) + SIMD3(0.22, 0.12, 0.3) * cloud * cloud
      for layer in layers {
        let brightness = layer.cells.number[place] * layer.cells.number[place]
        let light = 1 - layer.cells.nearest[place].smooth(0, layer.radius * (0.5 + brightness))
        color += SIMD3(0.8 + 0.2 * brightness, 0.88, 1.1 - 0.3 * brightness) * light * light * (0.25 + brightness)
      }
      return color
    }
  }

  /// Boards of which each has its own grain.
  private static var wood: PixelBuffer {
    let size = Size(1024, 1024), ramp = colors([0x2E1A0C, 0x5C381A, 0x8A5A30, 0xB07E4A]), boards = 6
    let grain = noise(size, 115).fractal((48, 2), octaves: 5), wide = noise(size, 155).fractal((6, 2), octaves: 4)
    return Lookalike.opaque(size) { place in
      let x = Float(place % 1024) / 1024 * Float(boards)
      let board = Int(x), tone = Lookalike.unit(board, 1600)
      let rings = 9 * wide[place] + 5 * tone
      let ring = 1 - abs(2 * (rings - rings.rounded(.down)) - 1)
      let gap = min(x - Float(board), Float(board + 1) - x).smooth(0.005, 0.025)
      return SIMD3.ramp(ramp, 0.2 + 0.4 * grain[place] + 0.2 * ring + 0.2 * tone) * (0.25 + 0.75 * gap)
    }
  }
}

// MARK: a street

/// A street between houses under a gray sky, with a red bus, in perspective.
private struct Street {
  private static let houseLength: Float = 1.1

  func picture(_ size: Size) -> PixelBuffer {
    let stone = TiledNoise(size: size, seed: 120).fractal(32, octaves: 4),
      sky = TiledNoise(size: size, seed: 121).fractal((2, 5), octaves: 5)
    return Lookalike.opaque(size) { place in
      let x = (Float(place % size.width) + 0.5) / Float(size.width) * 2 - 1
      let y = 0.9 - (Float(place / size.width) + 0.5) / Float(size.height) * 1.8
      return bus(x, y) ?? color(x, y, stone[place], sky[place])
    }
  }

  private func color(_ x: Float, _ y: Float, _ stone: Float, _ sky: Float) -> SIMD3<Float> {
    let haze = SIMD3<Float>(hex: 0xC6CCD2)
    let wall = abs(x) < 0.02 ? Float.infinity : 1 / abs(x), road = y < 0 ? -0.35 / y : .infinity
    if road < wall, road < 30 {
      let across = x * road
      let isLine = abs(across) < 0.03 && road - road.rounded(.down) < 0.5
      let isPavement = abs(across) > 0.75
      let color = SIMD3<Float>(hex: isLine ? 0xD8D8D0 : isPavement ? 0x8E8A84 : 0x4C4C50) * (0.85 + 0.3 * stone)
      return color.mixed(haze, (road / 25).smooth(0, 1))
    }
    let house = Int(min(wall / Self.houseLength, 60)), side: Int = x < 0 ? 1000 : 0
    let height = y * wall, top = 0.75 + 0.7 * Lookalike.unit(house + side, 1700)
    guard wall < 30, height < top else {
      return SIMD3(hex: 0x8FA4B8).mixed(SIMD3(hex: 0xE2E4E4), min(1, 0.6 * sky + 0.5 * (0.9 - y)))
    }
    let plaster = SIMD3.ramp([SIMD3(hex: 0x6E4A38), SIMD3(hex: 0xB09A7C), SIMD3(hex: 0xD8D2C4)], Lookalike.unit(house + side, 1701))
    let column = wall * 5 / Self.houseLength, row = (height + 0.35) * 5
    let (u, v) = (column - column.rounded(.down), row - row.rounded(.down))
    let isWindow = u > 0.25 && u < 0.75 && v > 0.25 && v < 0.85 && height < top - 0.1
    let isDoor = row < 1 && u > 0.3 && u < 0.8
    let color = isDoor ? SIMD3(hex: 0x2A3A4A) : isWindow ? SIMD3<Float>(hex: 0x3C4854) : plaster * (0.75 + 0.4 * stone)
    return (color * (x < 0 ? 0.8 : 1)).mixed(haze, (wall / 20).smooth(0, 1))
  }

  /// A color of the bus; nil beside it.
  private func bus(_ x: Float, _ y: Float) -> SIMD3<Float>? {
    let (u, v) = ((x - 0.18) / 0.34, (y + 0.36) / 0.5)
    guard u >= 0, u < 1, v >= 0, v < 1 else { return nil }
    if v < 0.1 { return (u > 0.12 && u < 0.3) || (u > 0.7 && u < 0.88) ? SIMD3(hex: 0x18181A) : nil }
    let isWindow = u > 0.08 && u < 0.92 && ((v > 0.3 && v < 0.52) || (v > 0.66 && v < 0.88))
    if isWindow { return abs(u - 0.5) < 0.015 ? SIMD3(hex: 0x8E1410) : SIMD3(hex: 0x303C48).mixed(SIMD3(hex: 0x9AACBA), v - 0.2) }
    return SIMD3(hex: v > 0.54 && v < 0.62 ? 0xE8E0D0 : 0xC4201C)
  }
}

// MARK: a cat

/// A cat that runs, in six pictures of 40×32 pixels beside each other, on nothing.
private enum RunningCat {
  private static let frameWidth = 40
  private static let frameCount = 6

  static var picture: PixelBuffer {
    let size = Size(256, 32)
    var canvas = Sprite(size)
    for frame in 0..<frameCount { draw(frame, into: &canvas) }
    return PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: canvas.bytes)
  }

  private static func draw(_ frame: Int, into canvas: inout Sprite) {
    let line: UInt32 = 0x202020, fur: UInt32 = 0x9A9A9A, pastry: UInt32 = 0xE8B878, icing: UInt32 = 0xF48FC0
    let lift = frame % 3 == 1 ? 1 : 0, stride = [0, 1, 2, 2, 1, 0][frame]
    func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: UInt32) {
      canvas.fill(x + frame * frameWidth, y + lift, width, height, color)
    }
    // The tail, which wags, and four legs.
    fill(2, 15 - stride, 6, 4, line)
    fill(3, 16 - stride, 5, 2, fur)
    for (x, shift) in [(9, stride), (14, 2 - stride), (24, stride), (30, 2 - stride)] {
      fill(x + shift - 1, 24, 4, 5, line)
      fill(x + shift, 24, 2, 4, fur)
    }
    // The body.
    fill(8, 6, 22, 19, line)
    fill(9, 7, 20, 17, pastry)
    fill(11, 9, 16, 13, icing)
    for (x, y) in [(13, 11), (18, 10), (23, 12), (14, 16), (20, 15), (16, 19), (24, 18)] { fill(x, y, 1, 1, 0xD0307A) }
    // The head with two ears, in front of the body.
    fill(22, 10, 16, 13, line)
    fill(23, 8, 4, 4, line)
    fill(33, 8, 4, 4, line)
    fill(24, 9, 2, 3, fur)
    fill(34, 9, 2, 3, fur)
    fill(23, 11, 14, 11, fur)
    for x in [26, 33] {
      fill(x, 14, 2, 2, line)
      fill(x, 14, 1, 1, 0xFFFFFF)
    }
    fill(24, 17, 2, 2, 0xF09090)
    fill(35, 17, 2, 2, 0xF09090)
    fill(28, 18, 5, 1, line)
    fill(30, 17, 1, 1, line)
  }

  private struct Sprite {
    let size: Size
    var bytes: [UInt8]

    init(_ size: Size) {
      self.size = size
      bytes = [UInt8](repeating: 0, count: 4 * size.pixelCount)
    }

    mutating func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: UInt32) {
      for row in max(0, y)..<min(size.height, y + height) {
        for column in max(0, x)..<min(size.width, x + width) {
          let place = 4 * (row * size.width + column)
          for channel in 0..<3 { bytes[place + channel] = UInt8(color >> UInt32(16 - 8 * channel) & 255) }
          bytes[place + 3] = 255
        }
      }
    }
  }
}
