import Foundation

/// A TrueType font with letters from 'A' on that tests draw.
struct TestFont {
  typealias Point = (x: Int, y: Int)

  /// The contours of each letter; a contour is a polygon, or a closed quadratic curve with points on it and beside it in turn.
  var letters: [[Contour]] = []
  var unitsOfEm = 1000

  struct Contour {
    var points: [Point]
    var isCurved = false

    static func box(_ left: Int, _ bottom: Int, _ right: Int, _ top: Int) -> Contour {
      Contour(points: [(left, bottom), (left, top), (right, top), (right, bottom)])
    }

    /// A circle of sixteen curves, which are nowhere farther from it than 0.0001 of its radius.
    static func circle(_ x: Int, _ y: Int, radius: Int) -> Contour {
      let points = (0..<32).map { index in
        let angle = -Double(index) * Double.pi / 16
        let length = Double(radius) / (index % 2 == 0 ? 1 : cos(Double.pi / 16))
        return Point(x + Int((length * cos(angle)).rounded()), y + Int((length * sin(angle)).rounded()))
      }
      return Contour(points: points, isCurved: true)
    }

    var reversed: Contour { Contour(points: points.reversed(), isCurved: isCurved) }
  }

  /// Writes the font, and calls a function with its path.
  func with<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(filePath: folder.file("font.ttf")))
    return try body(folder.file("font.ttf"))
  }

  // MARK: bytes

  private var bytes: [UInt8] {
    var outlines: [UInt8] = []
    // Glyph 0, for characters that the font lacks, is empty.
    var places = [0, 0]
    for letter in letters {
      outlines += Self.outline(letter)
      places.append(outlines.count)
    }
    let tables: [(String, [UInt8])] = [
      ("cmap", map), ("glyf", outlines), ("head", head), ("hhea", lines),
      ("hmtx", Self.two(1000, 0) + letters.flatMap { Self.two(1000, $0.flatMap(\.points).map(\.x).min() ?? 0) }),
      ("loca", places.flatMap(Self.four)), ("maxp", maximums),
    ]
    var result = Self.four(0x10000) + Self.two(tables.count, 64, 2, 16 * tables.count - 64)
    var place = result.count + 16 * tables.count
    for (name, table) in tables {
      result += Array(name.utf8) + Self.four(0) + Self.four(place) + Self.four(table.count)
      place += (table.count + 3) / 4 * 4
    }
    for (_, table) in tables { result += table + [UInt8](repeating: 0, count: (4 - table.count % 4) % 4) }
    return result
  }

  private static func outline(_ contours: [Contour]) -> [UInt8] {
    let points = contours.flatMap(\.points)
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    var ends: [Int] = []
    for contour in contours { ends.append((ends.last ?? -1) + contour.points.count) }
    func steps(_ numbers: [Int]) -> [UInt8] { zip(numbers, [0] + numbers).flatMap { two($0 - $1) } }
    let flags = contours.flatMap { contour in
      contour.points.indices.map { UInt8(contour.isCurved && $0 % 2 == 1 ? 0 : 1) }
    }
    let box = two(xs.min() ?? 0, ys.min() ?? 0, xs.max() ?? 0, ys.max() ?? 0)
    let outline = two(contours.count) + box + ends.flatMap { two($0) } + two(0) + flags + steps(xs) + steps(ys)
    return outline + [UInt8](repeating: 0, count: (4 - outline.count % 4) % 4)
  }

  private var head: [UInt8] {
    let start = Self.four(0x10000) + Self.four(0) + Self.four(0) + Self.four(0x5F0F_3CF5) + Self.two(0, unitsOfEm)
    return start + [UInt8](repeating: 0, count: 16) + Self.two(0, -200, 1000, 800) + Self.two(0, 8, 2, 1, 0)
  }

  private var lines: [UInt8] {
    Self.four(0x10000) + Self.two(800, -200, 0, 1000) + [UInt8](repeating: 0, count: 20) + Self.two(0, letters.count + 1)
  }

  private var maximums: [UInt8] {
    Self.four(0x10000) + Self.two(letters.count + 1, 4096, 64, 0, 0, 2) + [UInt8](repeating: 0, count: 16)
  }

  /// A character map of format 4 with one range.
  private var map: [UInt8] {
    let head = Self.two(0, 1, 3, 1) + Self.four(12) + Self.two(4, 32, 0, 4, 4, 1, 0)
    return head + Self.two(0x40 + letters.count, 0xFFFF, 0, 0x41, 0xFFFF, -0x40, 1, 0, 0)
  }

  private static func two(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  private static func four(_ number: Int) -> [UInt8] { two(number >> 16, number) }
}
