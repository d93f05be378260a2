import EtalonPlan
import EtalonTypes
import Glibc

/// Reads cubes as samplers are documented to, in double precision.
struct CubeReference {
  /// By level, then by face; the first row of a face is that with t = 0.
  private let levels: [[PixelBuffer]]
  let side: Int

  /// A cube from the picture of its faces, one below the other.
  init(_ picture: PixelBuffer) {
    side = picture.size.width
    let bytes = side * picture.bytesPerRow
    let chains = (0..<6).map { face in
      MipmapChain(
        of: PixelBuffer(
          size: Size(picture.size.width, picture.size.width), format: picture.format, alpha: picture.alpha,
          bytes: Array(picture.bytes[face * bytes..<(face + 1) * bytes]))
      ).levels
    }
    levels = (0..<chains[0].count).map { level in chains.map { $0[level] } }
  }

  /// Where the axes of a face point: out of the cube, along its columns, along its rows.
  private static let axes: [(out: SIMD3<Double>, s: SIMD3<Double>, t: SIMD3<Double>)] = [
    ([1, 0, 0], [0, 0, -1], [0, -1, 0]), ([-1, 0, 0], [0, 0, 1], [0, -1, 0]), ([0, 1, 0], [1, 0, 0], [0, 0, 1]),
    ([0, -1, 0], [1, 0, 0], [0, 0, -1]), ([0, 0, 1], [1, 0, 0], [0, -1, 0]), ([0, 0, -1], [-1, 0, 0], [0, -1, 0]),
  ]

  /// The direction to a position on a face, from -1 to 1.
  static func direction(_ face: Int, _ s: Double, _ t: Double) -> SIMD3<Double> { axes[face].out + axes[face].s * s + axes[face].t * t }

  /// The face that a direction leads to, and the position on it from -1 to 1.
  static func position(_ direction: SIMD3<Double>) -> (face: Int, s: Double, t: Double) {
    let sizes = direction.magnitudes
    let axis = sizes.z >= sizes.x && sizes.z >= sizes.y ? 2 : sizes.y >= sizes.x ? 1 : 0
    let face = axis * 2 + (direction[axis] < 0 ? 1 : 0)
    return (face, (direction * axes[face].s).sum() / sizes[axis], (direction * axes[face].t).sum() / sizes[axis])
  }

  private func pixel(_ face: Int, _ x: Int, _ y: Int, level: Int) -> SIMD4<Double> {
    let picture = levels[level][face]
    return SIMD4((0..<4).map { Double(picture.channel(x, picture.size.height - 1 - y, $0)) })
  }

  /// A pixel of a face or one beyond its edge; nil beyond a corner.
  private func pixelBeyond(_ face: Int, _ x: Int, _ y: Int, level: Int) -> SIMD4<Double>? {
    let n = levels[level][face].size.width
    func position(_ i: Int) -> Double { (2 * Double(i) + 1) / Double(n) - 1 }
    let isBeside = !(0..<n).contains(x), isAbove = !(0..<n).contains(y)
    if isBeside && isAbove { return nil }
    if !isBeside && !isAbove { return pixel(face, x, y, level: level) }
    // A little less than the half pixel into the neighbour, whose rows count from the edge.
    let s = isBeside ? (x < 0 ? -1.0 : 1) : position(x), t = isAbove ? (y < 0 ? -1.0 : 1) : position(y)
    let folded = Self.axes[face].out * (1 - 1 / Double(n)) + Self.axes[face].s * s + Self.axes[face].t * t
    let other = Self.position(folded)
    return pixel(other.face, Int((other.s + 1) / 2 * Double(n)), Int((other.t + 1) / 2 * Double(n)), level: level)
  }

  func nearest(_ direction: SIMD3<Double>) -> SIMD4<Double> {
    let at = Self.position(direction)
    return pixel(at.face, min(Int((at.s + 1) / 2 * Double(side)), side - 1), min(Int((at.t + 1) / 2 * Double(side)), side - 1), level: 0)
  }

  func linear(_ direction: SIMD3<Double>, level: Int) -> SIMD4<Double> {
    let at = Self.position(direction), n = Double(levels[level][0].size.width)
    let x = (at.s + 1) / 2 * n - 0.5, y = (at.t + 1) / 2 * n - 0.5
    let left = Int(x.rounded(.down)), below = Int(y.rounded(.down)), across = x - x.rounded(.down), up = y - y.rounded(.down)
    let found = [(0, 0), (1, 0), (0, 1), (1, 1)].map { pixelBeyond(at.face, left + $0.0, below + $0.1, level: level) }
    let there = found.compactMap(\.self), mean = there.reduce(SIMD4<Double>.zero, +) / Double(there.count)
    let p = found.map { $0 ?? mean }
    let lower = p[0] + (p[1] - p[0]) * across, upper = p[2] + (p[3] - p[2]) * across
    return lower + (upper - lower) * up
  }

  func mipmapped(_ direction: SIMD3<Double>, lod: Double) -> SIMD4<Double> {
    let level = min(max(lod, 0), Double(levels.count - 1)), whole = Int(level.rounded(.down))
    let near = linear(direction, level: whole)
    return near + (linear(direction, level: min(whole + 1, levels.count - 1)) - near) * (level - level.rounded(.down))
  }

  /// The level that two steps of the direction ask for: how far they go on the face, by differences.
  func lod(_ direction: SIMD3<Double>, _ steps: [SIMD3<Double>]) -> Double {
    let at = Self.position(direction)
    let lengths = steps.map { step -> Double in
      let moved = direction + step * 1e-6, out = (moved * Self.axes[at.face].out).sum()
      let s = (moved * Self.axes[at.face].s).sum() / out, t = (moved * Self.axes[at.face].t).sum() / out
      return hypot(s - at.s, t - at.t) / 2e-6 * Double(side)
    }
    return log2(lengths.max() ?? 0)
  }
}

extension SIMD3<Double> {
  fileprivate var magnitudes: SIMD3<Double> { SIMD3(x.magnitude, y.magnitude, z.magnitude) }
}
