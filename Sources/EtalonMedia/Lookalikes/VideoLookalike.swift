package import EtalonTypes

/// A moving picture that stands in for a video of ShaderToy's site, or for a camera: a person who dances, speaks or boxes, or shapes that turn.
///
/// It repeats after some seconds. A frame is made of its time alone.
///
/// **Concurrency**: an immutable value.
package struct VideoLookalike: Sendable {
  private enum Scene: Sendable { case stage, greenScreen, shapes, old, room }

  package let size: Size
  /// Pictures a second.
  package let rate: Int
  /// After how many pictures it repeats.
  package let frameCount: Int
  /// What tells it from others.
  package let name: String
  private let scene: Scene
  private let backdrop: [SIMD3<Float>]

  /// - Parameter file: the name of the video's file on the site; anything else is a camera.
  package init(for file: String) {
    let known: KeyValuePairs<String, (Scene, Size)> = [
      "e81e818ac76a8983d746784b423178ee": (.stage, Size(512, 396)), "35c87bcb8d7af24c54d41122dadb619d": (.greenScreen, Size(480, 360)),
      "c3a071ecf273428bc72fc72b2dd97267": (.shapes, Size(480, 270)), "3405e48f74815c7baa49133bdc835142": (.old, Size(480, 360)),
    ]
    let match = known.first { file.hasPrefix($0.key) }?.value ?? (.room, Size(640, 480))
    (scene, size) = match
    (rate, frameCount) = (25, 200)
    name = "video \(scene) \(size)"
    backdrop = Self.backdrop(of: scene, size)
  }

  /// The number of the picture that shows at a time, from 0 up to but not including `frameCount`.
  package func frame(at time: Rational) -> Int {
    let number = (time * Rational(rate)).floor % frameCount
    return number < 0 ? number + frameCount : number
  }

  /// Draws a picture.
  package func picture(_ frame: Int) -> PixelBuffer {
    var pixels = backdrop
    let turn = Float(frame) / Float(frameCount)
    switch scene {
    case .stage:
      spotlight(turn, &pixels)
      draw(Self.dancer(turn * 8), &pixels)
    case .greenScreen: draw(Self.boxer(turn * 6), &pixels)
    case .shapes: draw(Self.shapes(turn), &pixels)
    case .old, .room: draw(Self.speaker(turn, isGray: scene == .old), &pixels)
    }
    if scene == .old { age(frame, &pixels) }
    return Lookalike.opaque(size) { pixels[$0] }
  }

  // MARK: what stands still

  private static func backdrop(of scene: Scene, _ size: Size) -> [SIMD3<Float>] {
    let noise = TiledNoise(size: size, seed: 300).fractal(12, octaves: 4)
    return (0..<size.pixelCount).map { place in
      let x = Float(place % size.width) / Float(size.width), y = Float(place / size.width) / Float(size.height)
      switch scene {
      case .stage:
        let floor = SIMD3<Float>(hex: 0x5A3A4A) * (1.3 - y), wall = SIMD3<Float>(hex: 0x20183A).mixed(SIMD3(hex: 0x6A3A7A), y)
        return (y > 0.78 ? floor : wall) * (0.9 + 0.2 * noise[place])
      case .greenScreen: return SIMD3(0.05, 0.64, 0.145) * (1.05 - 0.1 * y)
      case .shapes: return SIMD3(hex: 0xF4F4F0)
      case .old: return SIMD3(repeating: 0.3 + 0.25 * noise[place] + 0.15 * (1 - y))
      case .room:
        let shelf = (y * 5).truncatingRemainder(dividingBy: 1) < 0.06 && x > 0.6
        return shelf ? SIMD3(hex: 0x6A4A2E) : SIMD3(hex: 0xB8B0A2) * (0.75 + 0.2 * noise[place] + 0.15 * x)
      }
    }
  }

  // MARK: what moves

  /// A line with round ends, in units of the height of the picture from its middle, y up.
  private struct Limb {
    let from: SIMD2<Float>
    let to: SIMD2<Float>
    let radius: Float
    let color: SIMD3<Float>

    init(_ from: SIMD2<Float>, _ to: SIMD2<Float>, _ radius: Float, _ color: UInt32) {
      (self.from, self.to, self.radius, self.color) = (from, to, radius, SIMD3(hex: color))
    }
  }

  /// A person who stands, by the places of hands and feet; knees and elbows bend outwards.
  private static func person(
    hip: SIMD2<Float>, lean: Float, hands: (SIMD2<Float>, SIMD2<Float>), feet: (SIMD2<Float>, SIMD2<Float>), shirt: UInt32, trousers: UInt32
  ) -> [Limb] {
    let neck = hip + SIMD2(lean, 0.26), skin: UInt32 = 0xE0A884, hair: UInt32 = 0x4A2E1A
    func bent(_ start: SIMD2<Float>, _ end: SIMD2<Float>, _ out: Float) -> SIMD2<Float> { (start + end) / 2 + SIMD2(out, 0) }
    var limbs: [Limb] = []
    for (foot, out) in [(feet.0, Float(-0.03)), (feet.1, 0.03)] {
      let knee = bent(hip, foot, out)
      limbs += [Limb(hip, knee, 0.045, trousers), Limb(knee, foot, 0.036, trousers), Limb(foot, foot + SIMD2(out, 0), 0.03, 0x202020)]
    }
    limbs.append(Limb(hip + SIMD2(0, 0.02), neck - SIMD2(0, 0.05), 0.075, shirt))
    for (hand, out) in [(hands.0, Float(-0.05)), (hands.1, 0.05)] {
      let shoulder = neck + SIMD2(out * 1.3, -0.03), elbow = bent(shoulder, hand, out)
      limbs += [Limb(shoulder, elbow, 0.03, shirt), Limb(elbow, hand, 0.025, skin), Limb(hand, hand, 0.03, skin)]
    }
    let head = neck + SIMD2(lean * 0.3, 0.085)
    limbs += [
      Limb(neck, head, 0.028, skin), Limb(head + SIMD2(0, 0.02), head + SIMD2(0, 0.02), 0.068, hair), Limb(head, head, 0.058, skin),
    ]
    return limbs
  }

  private static func dancer(_ beat: Float) -> [Limb] {
    let sway = 0.1 * Float.wave(beat / 2), bounce = 0.02 * abs(Float.wave(beat))
    let hip = SIMD2(0.15 * Float.wave(beat / 8) + sway / 2, -0.08 + bounce)
    let (left, right) = (Float.wave(beat / 2 + 0.1), Float.wave(beat / 2 + 0.6))
    return person(
      hip: hip, lean: sway / 2, hands: (hip + SIMD2(-0.2, 0.2 + 0.2 * left), hip + SIMD2(0.2, 0.2 + 0.2 * right)),
      feet: (SIMD2(hip.x / 2 - 0.09, -0.4 + 0.04 * max(0, left)), SIMD2(hip.x / 2 + 0.09, -0.4 + 0.04 * max(0, right))), shirt: 0xD8D0E8,
      trousers: 0x3A4A7A)
  }

  private static func boxer(_ beat: Float) -> [Limb] {
    let jab = max(0, Float.wave(beat)), hook = max(0, Float.wave(beat + 0.5)), kick = max(0, Float.wave(beat / 2 + 0.25) - 0.6) * 2.5
    let hip = SIMD2(0.05 * Float.wave(beat / 3), -0.08)
    return person(
      hip: hip, lean: 0.02 + 0.05 * jab, hands: (hip + SIMD2(0.1 + 0.24 * hook, 0.22), hip + SIMD2(0.14 + 0.3 * jab, 0.26)),
      feet: (SIMD2(-0.12, -0.4), SIMD2(0.1 + 0.24 * kick, -0.4 + 0.42 * kick)), shirt: 0x20242C, trousers: 0x2A2E38)
  }

  /// Head and shoulders, who looks around and speaks.
  private static func speaker(_ turn: Float, isGray: Bool) -> [Limb] {
    let look = 0.05 * Float.wave(turn * 2), nod = 0.02 * Float.wave(turn * 5),
      word = abs(Float.wave(turn * 24)) * max(0, Float.wave(turn * 3))
    let head = SIMD2(look, 0.06 + nod), eye = head + SIMD2(look * 0.6, 0.05)
    let isShut = (turn * 6).truncatingRemainder(dividingBy: 1) < 0.06
    func color(_ gray: UInt32, _ other: UInt32) -> UInt32 { isGray ? gray : other }
    var limbs = [
      Limb(SIMD2(-0.2, -0.5), SIMD2(0.2, -0.5), 0.22, color(0x2E2E2E, 0x34506E)),
      Limb(SIMD2(look * 0.5, -0.3), head, 0.09, color(0xA8A8A8, 0xC88E6A)),
      Limb(head + SIMD2(0, 0.08), head + SIMD2(0, 0.1), 0.21, color(0x1C1C1C, 0x3A2414)),
      Limb(head + SIMD2(0, -0.06), head + SIMD2(0, 0.06), 0.175, color(0xD4D4D4, 0xE2AC88)),
    ]
    for side: Float in [-0.07, 0.07] {
      limbs.append(Limb(eye + SIMD2(side - 0.012, 0), eye + SIMD2(side + 0.012, 0), isShut ? 0.005 : 0.024, isShut ? 0x303030 : 0xF4F4F4))
      if !isShut { limbs.append(Limb(eye + SIMD2(side + look * 0.2, 0), eye + SIMD2(side + look * 0.2, 0), 0.012, 0x20282E)) }
    }
    let nose = head + SIMD2(look * 0.8, -0.02), mouth = head + SIMD2(look * 0.6, -0.11)
    limbs.append(Limb(nose + SIMD2(0, 0.04), nose - SIMD2(0, 0.02), 0.014, color(0xB4B4B4, 0xC88C6C)))
    limbs.append(Limb(mouth - SIMD2(0.045, 0), mouth + SIMD2(0.045, 0), 0.012 + 0.022 * word, color(0x5A5A5A, 0x9C3E3E)))
    return limbs
  }

  private static func shapes(_ turn: Float) -> [Limb] {
    (0..<12).map { number in
      let share = Float(number) / 12, place = share + turn
      let way = SIMD2(Float.wave(place + 0.25), Float.wave(place)) * (0.24 + 0.1 * Float.wave(2 * turn + share))
      let colors: [UInt32] = [0xDB4437, 0xF4B400, 0x0F9D58, 0x4285F4]
      return Limb(
        way, way * (1.15 + 0.2 * Float.wave(3 * turn + 2 * share)), 0.045 + 0.015 * Float.wave(turn + 3 * share), colors[number % 4])
    }
  }

  private func draw(_ limbs: [Limb], _ pixels: inout [SIMD3<Float>]) {
    let height = Float(size.height), middle = SIMD2(Float(size.width), height) / 2
    for limb in limbs {
      // In pixels, y down.
      let from = SIMD2(limb.from.x, -limb.from.y) * height + middle, to = SIMD2(limb.to.x, -limb.to.y) * height + middle
      let radius = limb.radius * height, way = to - from, square = (way * way).sum()
      let (low, high) = (pointwiseMin(from, to) - radius - 1, pointwiseMax(from, to) + radius + 1)
      let columns = max(0, Int(low.x))..<max(0, min(size.width, Int(max(high.x, 0)) + 1))
      let rows = max(0, Int(low.y))..<max(0, min(size.height, Int(max(high.y, 0)) + 1))
      guard columns.lowerBound < columns.upperBound, rows.lowerBound < rows.upperBound else { continue }
      for row in rows {
        for column in columns {
          let place = SIMD2(Float(column) + 0.5, Float(row) + 0.5) - from
          let share = square > 0 ? min(max((place * way).sum() / square, 0), 1) : 0
          let offset = place - way * share
          let distance = (offset * offset).sum().squareRoot()
          let cover = min(max(radius - distance + 0.5, 0), 1)
          guard cover > 0 else { continue }
          // A little light from the upper left makes it round.
          let light = 1 - 0.25 * (offset.x + offset.y) / radius
          let index = row * size.width + column
          pixels[index] = pixels[index].mixed(limb.color * light, cover)
        }
      }
    }
  }

  private func spotlight(_ turn: Float, _ pixels: inout [SIMD3<Float>]) {
    let lights: [(SIMD3<Float>, Float)] = [(SIMD3(0.5, 0.1, 0.3), turn * 4), (SIMD3(0.1, 0.25, 0.55), turn * 3 + 0.4)]
    for row in 0..<size.height {
      let y = Float(row) / Float(size.height)
      for (color, phase) in lights {
        let center = 0.5 + 0.35 * Float.wave(phase) * y
        for column in 0..<size.width {
          let x = Float(column) / Float(size.width)
          let light = 1 - abs(x - center).smooth(0, 0.06 + 0.12 * y)
          pixels[row * size.width + column] += color * light
        }
      }
    }
  }

  /// Grain, a flicker and a scratch.
  private func age(_ frame: Int, _ pixels: inout [SIMD3<Float>]) {
    let flicker = 0.92 + 0.12 * Lookalike.unit(frame, 310), scratch = Int(Lookalike.unit(frame / 3, 311) * Float(size.width))
    for place in pixels.indices {
      let grain = 0.16 * (Lookalike.unit(place, 320 + UInt32(frame)) - 0.5)
      pixels[place] = pixels[place] * flicker + grain + (place % size.width == scratch ? 0.2 : 0)
    }
  }
}
