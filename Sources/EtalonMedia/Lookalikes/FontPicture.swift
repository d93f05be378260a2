package import EtalonTypes

/// A picture of letters that stands in for the font of ShaderToy's site: 1024×1024 pixels in 16 times 16 cells, the character of a cell has its number,
/// counted in rows from the top left.
///
/// Red is how much of a pixel the letter covers. Alpha is the distance from the edge of the letter in cells, negative inside, above 0.5. Green and blue are
/// the direction in which the distance grows, to the right and up, from 0 for -1 to 1 for 1. Letters stand in the middle of their cells and are less than
/// half a cell wide, because shaders set them half a cell apart. ASCII and Latin-1 are there; other cells are empty.
///
/// **Concurrency**: an immutable value.
package struct FontPicture {
  package static let side = 1024
  private static let cellsInRow = 16
  private static let cell = side / cellsInRow
  /// Pixels of a unit of the strokes, of which capitals are 14 high.
  private static let unit: Float = 2.5
  /// The height of the baseline above the lower edge of a cell, in pixels.
  private static let baseline: Float = 15
  private static let halfWidth: Float = 2.2
  /// The widest letter, in pixels.
  private static let widest: Float = 29
  /// How many lines stand for a curve.
  private static let linesOfCurve = 8

  private let strokes: PixelBuffer

  /// - Parameter strokes: the letters of the filter `text`, 8 bits in four channels; nil is returned for another picture.
  package init?(strokes: PixelBuffer) {
    guard strokes.format == .rgba8, strokes.size.width == 64, strokes.size.height >= 4 else { return nil }
    self.strokes = strokes
  }

  /// Draws the font.
  package func picture() -> PixelBuffer {
    var bytes = [UInt8](repeating: 0, count: Self.side * Self.side * 4)
    for code in 0..<Self.cellsInRow * Self.cellsInRow {
      let lines = Self.letter(of: code).map { self.lines(ofLetter: $0) } ?? []
      let corner = (code / Self.cellsInRow * Self.side + code % Self.cellsInRow) * Self.cell
      for row in 0..<Self.cell {
        for column in 0..<Self.cell {
          let pixel = Self.pixel(SIMD2(Float(column) + 0.5, Float(Self.cell - row) - 0.5), lines)
          let place = 4 * (corner + row * Self.side + column)
          for channel in 0..<4 { bytes[place + channel] = pixel[channel] }
        }
      }
    }
    return PixelBuffer(size: Size(Self.side, Self.side), format: .rgba8, alpha: .straight, bytes: bytes)
  }

  private static func letter(of code: Int) -> Int? {
    switch code {
    case 0x20...0x7E: code - 0x20
    case 0xA0...0xFF: code - 0xA0 + 95
    default: nil
    }
  }

  private static func pixel(_ place: SIMD2<Float>, _ lines: [Line]) -> SIMD4<UInt8> {
    var best = SIMD2<Float>(repeating: 2 * Float(cell))
    var square = Float.infinity
    for line in lines {
      let way = line.way(to: place)
      let length = way.x * way.x + way.y * way.y
      if length < square { (square, best) = (length, way) }
    }
    guard square < .infinity else { return SIMD4(0, 128, 128, 255) }
    let length = square.squareRoot()
    let away = length - halfWidth
    let direction = length > 0 ? best / length : SIMD2(repeating: 0)
    let values = SIMD4(0.5 - away, 0.5 + 0.5 * direction.x, 0.5 + 0.5 * direction.y, 0.5 + away / Float(cell))
    return SIMD4<UInt8>(
      (values.clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1)) * 255).rounded(.toNearestOrAwayFromZero))
  }

  // MARK: strokes

  /// A straight line, in pixels from the lower left corner of a cell.
  private struct Line {
    private let start: SIMD2<Float>
    private let along: SIMD2<Float>
    private let inverseSquare: Float

    init(_ start: SIMD2<Float>, _ end: SIMD2<Float>) {
      self.start = start
      along = end - start
      let square = along.x * along.x + along.y * along.y
      inverseSquare = square > 0 ? 1 / square : 0
    }

    /// From the nearest point of the line to a place.
    func way(to place: SIMD2<Float>) -> SIMD2<Float> {
      let way = place - start
      let part = min(max((way.x * along.x + way.y * along.y) * inverseSquare, 0), 1)
      return way - part * along
    }
  }

  /// The strokes of a letter; an empty letter for what the picture does not hold.
  private func lines(ofLetter letter: Int) -> [Line] {
    let head = bytes(letter)
    let first = Int(head.x) * 256 + Int(head.y)
    let curves = (0..<Int(head.z)).map { number in
      let (start, end) = (points(first + 2 * number), points(first + 2 * number + 1))
      return [start.lowHalf, start.highHalf, end.lowHalf, end.highHalf]
    }
    let places = curves.flatMap { $0 }.map(\.x)
    guard let left = places.min(), let right = places.max() else { return [] }
    let across = min(Self.unit, (Self.widest - 2 * Self.halfWidth) / max(right - left, 1))
    func pixel(_ point: SIMD2<Float>) -> SIMD2<Float> {
      SIMD2(Float(Self.cell) / 2 + across * (point.x - (left + right) / 2), Self.baseline + Self.unit * point.y)
    }
    return curves.flatMap { curve in
      let isStraight = curve[0] == curve[1] && curve[2] == curve[3]
      let count = isStraight ? 1 : Self.linesOfCurve
      let points = (0...count).map { Self.point(of: curve, at: Float($0) / Float(count)) }.map(pixel)
      return zip(points, points.dropFirst()).map { Line($0, $1) }
    }
  }

  /// A point of a cubic curve (Bézier).
  private static func point(of curve: [SIMD2<Float>], at part: Float) -> SIMD2<Float> {
    let rest = 1 - part
    let inner = 3 * rest * part * (rest * curve[1] + part * curve[2])
    return rest * rest * rest * curve[0] + inner + part * part * part * curve[3]
  }

  private func points(_ index: Int) -> SIMD4<Float> { SIMD4<Float>(bytes(index)) / 8 - 8 }

  /// A pixel; rows count from the lowest.
  private func bytes(_ index: Int) -> SIMD4<UInt8> {
    let row = strokes.size.height - 1 - index / strokes.size.width
    guard row >= 0 else { return SIMD4(repeating: 0) }
    let place = 4 * (row * strokes.size.width + index % strokes.size.width)
    return SIMD4(strokes.bytes[place], strokes.bytes[place + 1], strokes.bytes[place + 2], strokes.bytes[place + 3])
  }
}
