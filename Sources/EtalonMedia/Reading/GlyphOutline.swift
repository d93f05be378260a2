internal import CFreeType
import Glibc

/// The contours of one glyph: lines and curves between places of whole steps.
struct GlyphOutline {
  typealias Place = SIMD2<Int32>

  /// A line, or a cubic curve that turns in neither direction, so that a horizontal line meets it once.
  struct Part {
    var start: Place
    /// Those of a line are its ends.
    var controls: (Place, Place)
    var end: Place
    let isCurve: Bool
    var sides = Sides.edge
  }

  /// What a part has on its sides: an edge has the glyph on one and the outside on the other, others the same on both.
  ///
  /// Where contours overlap, parts lie inside; where they cancel each other out, or go there and back, outside.
  enum Sides: UInt16 {
    case edge, inside, outside
  }

  /// The parts of one contour after the other; where one begins elsewhere than the one before ends, a contour begins.
  private(set) var parts: [Part] = []
  /// Whether a point lies beyond the numbers that a texture has.
  private(set) var isTooFar = false
  private let steps: Float
  private var low = Place(repeating: .max)
  private var high = Place(repeating: .min)

  private typealias Point = SIMD2<Float>

  /// - Parameters:
  ///   - segments: lines and curves in font units.
  ///   - steps: how many steps a font unit has.
  ///   - budget: how many pairs of parts may be looked at for overlaps.
  init(_ segments: UnsafeBufferPointer<cfreetype_segment>, steps: Float, budget: inout Int) {
    self.steps = steps
    for index in segments.indices { unsafe add(segments[index]) }
    if !isTooFar { parts = GlyphOverlaps.marked(parts, &budget) }
  }

  /// Four numbers for each texel.
  var words: [UInt16] {
    var words: [UInt16] = []
    words.reserveCapacity(4 * (parts.count + 8))
    var end: Place?
    for part in parts {
      if end != part.start { words += Self.words(part.start) + [0, 0] }
      words += Self.words(part.end) + [(part.isCurve ? 2 : 1) + 2 * part.sides.rawValue, 0]
      if part.isCurve { words += Self.words(part.controls.0) + Self.words(part.controls.1) }
      end = part.end
    }
    return words
  }

  /// Left, bottom, right and top; all of an empty outline at its origin.
  var box: [UInt16] { low.x > high.x ? [32768, 32768, 32768, 32768] : Self.words(low) + Self.words(high) }

  private static func words(_ place: Place) -> [UInt16] { [UInt16(place.x + 32768), UInt16(place.y + 32768)] }

  // MARK: reading

  private mutating func add(_ segment: cfreetype_segment) {
    let a = Point(segment.x.0, segment.y.0) * steps, b = Point(segment.x.1, segment.y.1) * steps
    let c = Point(segment.x.2, segment.y.2) * steps, d = Point(segment.x.3, segment.y.3) * steps
    switch segment.point_count {
    case 2: addLine(a, b)
    // The same curve as a cubic one.
    case 3: addCurve(a, a + (b - a) * (2 / 3), c + (b - c) * (2 / 3), c)
    default: addCurve(a, b, c, d)
    }
  }

  private mutating func addLine(_ a: Point, _ b: Point) {
    let (start, end) = (place(a), place(b))
    if start != end { parts.append(Part(start: start, controls: (start, end), end: end, isCurve: false)) }
  }

  /// Adds a curve in pieces that turn in neither direction: the nearest point of such a piece is easily found.
  private mutating func addCurve(_ a: Point, _ b: Point, _ c: Point, _ d: Point) {
    guard !Self.isMonotone(a.x, b.x, c.x, d.x) || !Self.isMonotone(a.y, b.y, c.y, d.y) else { return addPiece(a, b, c, d) }
    var (start, control1, control2) = (a, b, c)
    var before: Float = 0
    let turns = Self.turns(a.x, b.x, c.x, d.x).map { ($0, false) } + Self.turns(a.y, b.y, c.y, d.y).map { ($0, true) }
    for (turn, isInHeight) in turns.sorted(by: { $0.0 < $1.0 }) {
      let part = before < 1 ? (turn - before) / (1 - before) : 1
      let (left, control, right) = (mix(start, control1, part), mix(control1, control2, part), mix(control2, d, part))
      var (inner1, inner2) = (mix(left, control, part), mix(control, right, part))
      let middle = mix(inner1, inner2, part)
      if isInHeight { (inner1.y, inner2.y) = (middle.y, middle.y) } else { (inner1.x, inner2.x) = (middle.x, middle.x) }
      addPiece(start, left, inner1, middle)
      (start, control1, control2) = (middle, inner2, right)
      before = turn
    }
    addPiece(start, control1, control2, d)
  }

  private mutating func addPiece(_ a: Point, _ b: Point, _ c: Point, _ d: Point) {
    // What lies on a line encloses nothing beyond it, even where it turns back, and the nearest point of such a curve is hard to find.
    guard !Self.isStraight(a, b, c, d) else { return addLine(a, d) }
    let part = Part(start: place(a), controls: (place(b), place(c)), end: place(d), isCurve: true)
    if part.start != part.end || part.controls.0 != part.end || part.controls.1 != part.end { parts.append(part) }
  }

  private static func isStraight(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    let way = d - a
    let most = 0.25 * (way.x * way.x + way.y * way.y).squareRoot()
    return abs(way.x * (b.y - a.y) - way.y * (b.x - a.x)) < most && abs(way.x * (c.y - a.y) - way.y * (c.x - a.x)) < most
  }

  private func mix(_ a: Point, _ b: Point, _ part: Float) -> Point { a + (b - a) * part }

  private static func isMonotone(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Bool {
    a <= b && b <= c && c <= d || a >= b && b >= c && c >= d
  }

  /// Where a cubic polynomial turns between its ends.
  private static func turns(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> [Float] {
    let (constant, slope, square) = (b - a, 2 * (a - 2 * b + c), d - a + 3 * (b - c))
    var roots: [Float] = []
    if square.magnitude < 1e-3 {
      if slope.magnitude > 1e-6 { roots = [-constant / slope] }
    } else {
      let inner = slope * slope - 4 * square * constant
      guard inner > 0 else { return [] }
      // Without taking one number from another of almost its size.
      let large = -0.5 * (slope + (slope < 0 ? -1 : 1) * inner.squareRoot())
      roots = [large / square] + (large == 0 ? [] : [constant / large])
    }
    return roots.filter { $0 > 1e-4 && $0 < 1 - 1e-4 }.sorted()
  }

  private mutating func place(_ point: Point) -> Place {
    guard point.x.magnitude <= 32767, point.y.magnitude <= 32767 else {
      isTooFar = true
      return Place(0, 0)
    }
    let place = Place(rounding: point)
    low = Place(min(low.x, place.x), min(low.y, place.y))
    high = Place(max(high.x, place.x), max(high.y, place.y))
    return place
  }
}

extension GlyphOutline.Place {
  /// The nearest place; halves go away from 0.
  init(rounding point: SIMD2<Float>) { self.init(Int32(point.x.rounded()), Int32(point.y.rounded())) }
}
