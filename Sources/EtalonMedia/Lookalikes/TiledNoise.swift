import EtalonTypes

/// Noise that repeats at the edges of a picture: numbers from 0 to 1 for its pixels, row by row.
///
/// It is made of additions, multiplications and comparisons alone, in a fixed order: the same bits on every machine.
struct TiledNoise {
  let size: Size
  let seed: UInt32

  /// Smooth noise of several octaves, each twice as fine as the one before and half as strong.
  ///
  /// - Parameter cells: how many of the largest spots lie side by side and above each other.
  func fractal(_ cells: (x: Int, y: Int), octaves: Int = 6) -> [Float] {
    var sum = [Float](repeating: 0, count: size.pixelCount)
    var weight: Float = 1, total: Float = 0
    var (columns, rows) = cells
    for octave in 0..<octaves where columns <= size.width && rows <= size.height {
      add(columns, rows, weight, UInt32(octave), to: &sum)
      total += weight
      (columns, rows, weight) = (2 * columns, 2 * rows, weight / 2)
    }
    // Sums of octaves crowd around the middle; this spreads them over the range.
    return sum.map { min(max(($0 / total - 0.5) * 1.8 + 0.5, 0), 1) }
  }

  func fractal(_ cells: Int, octaves: Int = 6) -> [Float] { fractal((cells, cells), octaves: octaves) }

  private func add(_ columns: Int, _ rows: Int, _ weight: Float, _ octave: UInt32, to sum: inout [Float]) {
    let lattice = (0..<columns * rows).map { Lookalike.unit($0, seed &* 16 &+ octave) }
    let across = Self.steps(size.width, columns)
    for (y, down) in Self.steps(size.height, rows).enumerated() {
      let (upper, lower) = (down.first * columns, down.second * columns)
      for (x, step) in across.enumerated() {
        let above = lattice[upper + step.first] + (lattice[upper + step.second] - lattice[upper + step.first]) * step.share
        let below = lattice[lower + step.first] + (lattice[lower + step.second] - lattice[lower + step.first]) * step.share
        sum[y * size.width + x] += weight * (above + (below - above) * down.share)
      }
    }
  }

  /// Between which points of the lattice each pixel of a side lies, and how far it is on the way from the first to the second.
  private static func steps(_ length: Int, _ count: Int) -> [(first: Int, second: Int, share: Float)] {
    (0..<length).map { pixel in
      let place = Float(pixel) * Float(count) / Float(length)
      let first = Int(place)
      let share = place - Float(first)
      return (first % count, (first + 1) % count, share * share * (3 - 2 * share))
    }
  }

  /// Cells around scattered points: how far each pixel is from the nearest point and from the second one, in cells, and a number of the nearest.
  func cells(_ count: Int) -> (nearest: [Float], second: [Float], number: [Float]) {
    let points = (0..<count * count).map { SIMD2(Lookalike.unit($0, seed &* 16 &+ 14), Lookalike.unit($0, seed &* 16 &+ 15)) }
    var nearest: [Float] = [], second: [Float] = [], number: [Float] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = SIMD2(Float(x) / Float(size.width), Float(y) / Float(size.height)) * Float(count)
        let cell = SIMD2(Int(place.x), Int(place.y))
        var best = (square: Float.infinity, number: 0), next = Float.infinity
        for row in -1...1 {
          for column in -1...1 {
            let neighbor = (cell.y + row + count) % count * count + (cell.x + column + count) % count
            let way = SIMD2(Float(cell.x + column), Float(cell.y + row)) + points[neighbor] - place
            let square = (way * way).sum()
            if square < best.square { (next, best) = (best.square, (square, neighbor)) } else { next = min(next, square) }
          }
        }
        nearest.append(best.square.squareRoot())
        second.append(next.squareRoot())
        number.append(Lookalike.unit(best.number, seed &* 16 &+ 13))
      }
    }
    return (nearest, second, number)
  }
}

extension SIMD3<Float> {
  /// A color of hexadecimal digits, such as 0xFF8000.
  init(hex: UInt32) {
    self.init(Float(hex >> 16 & 255), Float(hex >> 8 & 255), Float(hex & 255))
    self /= 255
  }

  /// The color at a place from 0 to 1 among colors at equal distances.
  static func ramp(_ colors: [SIMD3<Float>], _ place: Float) -> SIMD3<Float> {
    let position = Swift.min(Swift.max(place, 0), 1) * Float(colors.count - 1)
    let index = Swift.min(Int(position), colors.count - 2)
    return colors[index].mixed(colors[index + 1], position - Float(index))
  }

  func mixed(_ other: SIMD3<Float>, _ share: Float) -> SIMD3<Float> { self + (other - self) * share }

  /// The three bytes of a color from 0 to 1.
  var bytes: SIMD3<UInt8> {
    let scaled = (self.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1)) * 255).rounded(.toNearestOrEven)
    return SIMD3<UInt8>(UInt8(scaled.x), UInt8(scaled.y), UInt8(scaled.z))
  }
}

extension Float {
  /// From 0 at one edge to 1 at the other, level at both.
  func smooth(_ from: Float, _ to: Float) -> Float {
    let share = Swift.min(Swift.max((self - from) / (to - from), 0), 1)
    return share * share * (3 - 2 * share)
  }

  /// A wave of the period 1 between -1 and 1, which begins at 0 and rises, close to a sine.
  static func wave(_ turns: Float) -> Float {
    let turn = turns - turns.rounded(.down)
    let half = turn < 0.5 ? turn : turn - 0.5
    let arch = 16 * half * (0.5 - half)
    return turn < 0.5 ? arch : -arch
  }
}
