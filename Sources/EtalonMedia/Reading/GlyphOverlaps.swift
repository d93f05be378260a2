import Glibc

/// Finds the parts of a glyph's outline that are no edges of the glyph, where contours overlap.
///
/// A place is inside where the contours wind around it (nonzero). Parts are divided where they meet others, so that each has the same on either side from one
/// end to the other, and is asked for what that is.
struct GlyphOverlaps {
  typealias Part = GlyphOutline.Part
  typealias Place = GlyphOutline.Place

  /// Nearer than this, in steps, things meet: places are rounded to whole steps.
  fileprivate static let slack: Float = 0.75
  /// How far from a part its sides are looked at, in steps: wider than what rounding opens between parts that meet, and less than what keeps others apart.
  private static let distanceAmongMeetings: Float = 2
  private static let distanceWithoutMeetings: Float = 0.5
  /// How many pairs of parts of all the glyphs of a font may be looked at; glyphs for which nothing is left stay as they are.
  static let usualBudget = 200_000_000

  private struct Meeting {
    let part: Int
    /// From 0 to 1 along the part.
    let along: Float
    let place: Place
  }

  private let parts: [Part]
  private var meetings: [Meeting] = []
  private var budget: Int

  /// The parts, divided where they meet, with what is on their sides.
  ///
  /// - Parameter budget: how many pairs of parts may be looked at; what was used is taken from it.
  static func marked(_ parts: [Part], _ budget: inout Int) -> [Part] {
    var overlaps = GlyphOverlaps(parts, budget)
    let isFound = overlaps.findMeetings()
    budget = max(overlaps.budget, 0)
    guard isFound else { return parts }
    let divided = overlaps.divided()
    // Each takes two texels at most, and an outline 65535.
    guard divided.parts.count == parts.count || divided.parts.count < 30_000 else { return parts }
    return overlaps.meetings.isEmpty ? sided(divided.parts, contours: divided.contours) : sided(divided.parts, &budget)
  }

  private init(_ parts: [Part], _ budget: Int) { (self.parts, self.budget) = (parts, budget) }

  // MARK: meetings

  /// Looks at all pairs whose boxes touch, from the lowest parts on; false where the budget is used up.
  private mutating func findMeetings() -> Bool {
    let boxes = parts.map { PartBox($0) }
    let order = parts.indices.sorted { boxes[$0].low.y < boxes[$1].low.y }
    var open: [Int] = []
    for index in order {
      open.removeAll { boxes[$0].high.y < boxes[index].low.y }
      budget -= open.count + 1
      guard budget > 0 else { return false }
      for other in open where boxes[other].low.x <= boxes[index].high.x && boxes[index].low.x <= boxes[other].high.x {
        let shared = boxes[other].shared(with: boxes[index])
        meet(min(index, other), max(index, other), isThin: min(shared.x, shared.y) <= 0)
      }
      open.append(index)
    }
    return true
  }

  /// - Parameter isThin: whether the boxes have nothing but a line or a point in common.
  private mutating func meet(_ first: Int, _ second: Int, isThin: Bool) {
    let (one, two) = (parts[first], parts[second])
    // Where one part follows the other they meet in any case.
    let (isNext, isBefore) = (one.end == two.start, one.start == two.end)
    if (isNext || isBefore) && (isThin || !one.isCurve && !two.isCurve) { return }
    var search = MeetingSearch()
    search.look(.init(one), .init(two), depth: 0)
    // Meetings take room and time as well.
    budget -= search.lookCount + 100 * search.found.count
    for found in search.found {
      let place = Place(rounding: found.place)
      if isNext && Self.isNear(place, one.end) || isBefore && Self.isNear(place, one.start) { continue }
      meetings.append(Meeting(part: first, along: found.first, place: place))
      meetings.append(Meeting(part: second, along: found.second, place: place))
    }
  }

  private static func isNear(_ one: Place, _ two: Place) -> Bool {
    let way = one &- two
    return abs(way.x) <= 1 && abs(way.y) <= 1
  }

  // MARK: dividing

  /// The parts up to and from where they meet, and the first of each contour.
  private func divided() -> (parts: [Part], contours: [Int]) {
    var result: [Part] = []
    result.reserveCapacity(parts.count + meetings.count)
    var waiting = meetings.sorted { ($0.part, $0.along) < ($1.part, $1.along) }[...]
    var contours: [Int] = []
    for (index, part) in parts.enumerated() {
      if result.last?.end != part.start { contours.append(result.count) }
      var rest = part
      var before: Float = 0
      while let meeting = waiting.first, meeting.part == index {
        waiting.removeFirst()
        guard !Self.isNear(meeting.place, rest.start), !Self.isNear(meeting.place, part.end) else { continue }
        let (done, remaining) = rest.divided(at: before < 1 ? (meeting.along - before) / (1 - before) : 1, meeting.place)
        result.append(done)
        rest = remaining
        before = meeting.along
      }
      result.append(rest)
    }
    return (result, contours)
  }

  /// Marks contours that meet nothing: each has the same on its sides all along.
  private static func sided(_ parts: [Part], contours: [Int]) -> [Part] {
    guard contours.count > 1 else { return parts }
    let windings = Windings(parts)
    var result = parts
    for (number, first) in contours.enumerated() {
      let sides = windings.sides(of: parts[first], distanceWithoutMeetings)
      for index in first..<(number + 1 < contours.count ? contours[number + 1] : parts.count) { result[index].sides = sides }
    }
    return result
  }

  private static func sided(_ parts: [Part], _ budget: inout Int) -> [Part] {
    let pairs = 2 * parts.count * parts.count / Windings.rowCount
    guard pairs <= budget else { return parts }
    budget -= pairs
    let windings = Windings(parts, hasRows: true)
    return parts.map { part in
      var part = part
      part.sides = windings.sides(of: part, distanceAmongMeetings)
      // Where it is thinner than that the glyph is between both places.
      if part.sides == .outside { part.sides = windings.sides(of: part, distanceWithoutMeetings) }
      return part
    }
  }
}

// MARK: - geometry

/// Left, bottom, right and top of a part and its control points.
private struct PartBox {
  let low: SIMD2<Int32>
  let high: SIMD2<Int32>

  init(_ part: GlyphOutline.Part) {
    let (a, b, c, d) = (part.start, part.controls.0, part.controls.1, part.end)
    low = SIMD2(min(a.x, b.x, c.x, d.x), min(a.y, b.y, c.y, d.y))
    high = SIMD2(max(a.x, b.x, c.x, d.x), max(a.y, b.y, c.y, d.y))
  }

  /// Width and height of what both have in common.
  func shared(with other: PartBox) -> SIMD2<Int32> {
    SIMD2(min(high.x, other.high.x) - max(low.x, other.low.x), min(high.y, other.high.y) - max(low.y, other.low.y))
  }
}

extension GlyphOutline.Part {
  fileprivate func point(at along: Float) -> SIMD2<Float> {
    guard isCurve else { return SIMD2(start) + along * SIMD2<Float>(end &- start) }
    return MeetingSearch.Piece(self).halves(at: along).0.d
  }

  /// The point half way, and the direction from it to the left, one step long.
  fileprivate var middle: (SIMD2<Float>, SIMD2<Float>) {
    let way = isCurve ? SIMD2<Float>(end &- start) + SIMD2<Float>(controls.1 &- controls.0) : SIMD2<Float>(end &- start)
    let length = (way.x * way.x + way.y * way.y).squareRoot()
    return (point(at: 0.5), length > 0 ? SIMD2(-way.y, way.x) / length : SIMD2(0, 1))
  }

  /// The part up to a place and the one behind it.
  fileprivate func divided(at along: Float, _ place: SIMD2<Int32>) -> (Self, Self) {
    // Both have to go up or down as the part does.
    let middle = SIMD2(place.x, min(max(place.y, min(start.y, end.y)), max(start.y, end.y)))
    var (first, second) = (self, self)
    (first.end, second.start) = (middle, middle)
    if isCurve {
      let (left, right) = MeetingSearch.Piece(self).halves(at: along)
      first.controls = (GlyphOutline.Place(rounding: left.b), GlyphOutline.Place(rounding: left.c))
      second.controls = (GlyphOutline.Place(rounding: right.b), GlyphOutline.Place(rounding: right.c))
    } else {
      (first.controls, second.controls) = ((start, middle), (middle, end))
    }
    return (first, second)
  }
}

/// Looks for where two parts meet, by halves until they are straight.
private struct MeetingSearch {
  typealias Point = SIMD2<Float>

  /// Between two numbers from 0 to 1 along a part, as a cubic curve.
  struct Piece {
    let a, b, c, d: Point
    let range: (Float, Float)
    private let low: Point
    private let high: Point
    /// Whether it lies within half a step of a line that is run through evenly.
    let isStraight: Bool

    init(_ part: GlyphOutline.Part) {
      let (start, end) = (Point(part.start), Point(part.end))
      guard part.isCurve else {
        self.init(start, start + (end - start) / 3, end + (start - end) / 3, end, (0, 1))
        return
      }
      self.init(start, Point(part.controls.0), Point(part.controls.1), end, (0, 1))
    }

    private init(_ a: Point, _ b: Point, _ c: Point, _ d: Point, _ range: (Float, Float)) {
      (self.a, self.b, self.c, self.d, self.range) = (a, b, c, d, range)
      low = Point(min(a.x, b.x, c.x, d.x), min(a.y, b.y, c.y, d.y))
      high = Point(max(a.x, b.x, c.x, d.x), max(a.y, b.y, c.y, d.y))
      let (one, two) = (b - (a + (d - a) / 3), c - (d + (a - d) / 3))
      isStraight = max(abs(one.x), abs(one.y), abs(two.x), abs(two.y)) <= 0.5
    }

    func halves(at part: Float = 0.5) -> (Piece, Piece) {
      let (left, control, right) = (a + (b - a) * part, b + (c - b) * part, c + (d - c) * part)
      let (inner1, inner2) = (left + (control - left) * part, control + (right - control) * part)
      let middle = inner1 + (inner2 - inner1) * part
      let place = range.0 + (range.1 - range.0) * part
      return (Piece(a, left, inner1, middle, (range.0, place)), Piece(middle, inner2, right, d, (place, range.1)))
    }

    /// Whether the boxes of both are near each other.
    func isNear(_ other: Piece) -> Bool {
      let slack = GlyphOverlaps.slack
      return low.x - other.high.x <= slack && other.low.x - high.x <= slack && low.y - other.high.y <= slack
        && other.low.y - high.y <= slack
    }
  }

  /// How many pairs of pieces were looked at.
  private(set) var lookCount = 0
  /// Places along both parts, and the place where that is.
  private(set) var found: [(first: Float, second: Float, place: Point)] = []

  mutating func look(_ one: Piece, _ two: Piece, depth: Int) {
    lookCount += 1
    guard one.isNear(two) else { return }
    // 32767 steps are halved 15 times.
    switch (one.isStraight || depth > 16, two.isStraight || depth > 16) {
    case (true, true): cross(one, two)
    case (true, false):
      let (first, second) = two.halves()
      look(one, first, depth: depth + 1)
      look(one, second, depth: depth + 1)
    case (false, true):
      let (first, second) = one.halves()
      look(first, two, depth: depth + 1)
      look(second, two, depth: depth + 1)
    case (false, false):
      let (halves1, halves2) = (one.halves(), two.halves())
      look(halves1.0, halves2.0, depth: depth + 1)
      look(halves1.1, halves2.0, depth: depth + 1)
      look(halves1.0, halves2.1, depth: depth + 1)
      look(halves1.1, halves2.1, depth: depth + 1)
    }
  }

  private mutating func cross(_ one: Piece, _ two: Piece) {
    let (way1, way2) = (one.d - one.a, two.d - two.a)
    let (length1, length2) = (length(way1), length(way2))
    let turn = way1.x * way2.y - way1.y * way2.x
    if abs(turn) <= 0.02 * length1 * length2 && (lies(two, along: one) || lies(one, along: two)) {
      lieTogether(one, two)
      // Nearly parallel ones may cross all the same; what rounding does to the same line is no crossing.
      let (start, end) = (distance(of: two.a, from: one), distance(of: two.d, from: one))
      guard start * end <= 0, max(abs(start), abs(end)) > 0.01 else { return }
    }
    guard turn != 0 else { return }
    let between = two.a - one.a
    let (part1, part2) = ((between.x * way2.y - between.y * way2.x) / turn, (between.x * way1.y - between.y * way1.x) / turn)
    let (slack1, slack2) = (GlyphOverlaps.slack / length1, GlyphOverlaps.slack / length2)
    guard part1 >= -slack1, part1 <= 1 + slack1, part2 >= -slack2, part2 <= 1 + slack2 else { return }
    let (inside1, inside2) = (min(max(part1, 0), 1), min(max(part2, 0), 1))
    add(one, inside1, two, inside2, 0.5 * (one.a + inside1 * way1 + two.a + inside2 * way2))
  }

  /// Whether both ends of a piece lie on the line through another.
  private func lies(_ piece: Piece, along line: Piece) -> Bool {
    abs(distance(of: piece.a, from: line)) <= GlyphOverlaps.slack && abs(distance(of: piece.d, from: line)) <= GlyphOverlaps.slack
  }

  /// How far a point is from the line through a piece, to the left of it above 0.
  private func distance(of point: Point, from line: Piece) -> Float {
    let (way, from) = (line.d - line.a, point - line.a)
    let length = length(way)
    return length > 0 ? (way.x * from.y - way.y * from.x) / length : 0
  }

  /// Of two that lie on each other each meets the other where a part begins or ends.
  private mutating func lieTogether(_ one: Piece, _ two: Piece) {
    for (point, isEnd, part2) in [(two.a, two.range.0 == 0, Float(0)), (two.d, two.range.1 == 1, 1)] where isEnd {
      if let part1 = place(of: point, on: one) { add(one, part1, two, part2, point) }
    }
    for (point, isEnd, part1) in [(one.a, one.range.0 == 0, Float(0)), (one.d, one.range.1 == 1, 1)] where isEnd {
      if let part2 = place(of: point, on: two) { add(one, part1, two, part2, point) }
    }
  }

  private func place(of point: Point, on line: Piece) -> Float? {
    let (way, from) = (line.d - line.a, point - line.a)
    let length = length(way)
    guard length > 0 else { return nil }
    let part = (way.x * from.x + way.y * from.y) / (length * length)
    let slack = GlyphOverlaps.slack / length
    return part >= -slack && part <= 1 + slack ? min(max(part, 0), 1) : nil
  }

  private mutating func add(_ one: Piece, _ part1: Float, _ two: Piece, _ part2: Float, _ place: Point) {
    // Pieces that follow each other find the same place.
    if let last = found.last, length(last.place - place) <= GlyphOverlaps.slack { return }
    found.append(
      (one.range.0 + part1 * (one.range.1 - one.range.0), two.range.0 + part2 * (two.range.1 - two.range.0), place))
  }

  private func length(_ way: Point) -> Float { (way.x * way.x + way.y * way.y).squareRoot() }
}

/// How often contours wind around points.
private struct Windings {
  /// In how many rows from the lowest point to the highest one the parts are kept.
  static let rowCount = 32

  private let parts: [GlyphOutline.Part]
  /// The parts that reach into each row; none where all are looked at.
  private var rows: [[Int]] = []
  private var low: Float = 0
  private var rowHeight: Float = 1

  /// - Parameter hasRows: whether so much is asked that it pays to sort the parts first.
  init(_ parts: [GlyphOutline.Part], hasRows: Bool = false) {
    self.parts = parts
    guard hasRows else { return }
    let ends = parts.flatMap { [$0.start.y, $0.end.y] }
    low = Float(ends.min() ?? 0)
    rowHeight = max((Float(ends.max() ?? 0) - low) / Float(Self.rowCount), 1)
    rows = Array(repeating: [], count: Self.rowCount)
    for (index, part) in parts.enumerated() where part.start.y != part.end.y {
      for row in row(Float(min(part.start.y, part.end.y)))...row(Float(max(part.start.y, part.end.y))) { rows[row].append(index) }
    }
  }

  private func row(_ height: Float) -> Int { min(max(Int((height - low) / rowHeight), 0), Self.rowCount - 1) }

  /// What lies beside the middle of a part.
  func sides(of part: GlyphOutline.Part, _ distance: Float) -> GlyphOutline.Sides {
    let (middle, across) = part.middle
    switch (around(middle + distance * across) != 0, around(middle - distance * across) != 0) {
    case (true, true): return .inside
    case (false, false): return .outside
    default: return .edge
    }
  }

  /// Counts the parts that go up to the right of a point, less those that go down.
  private func around(_ point: SIMD2<Float>) -> Int {
    var winding = 0
    func count(_ part: GlyphOutline.Part) {
      guard (Float(part.start.y) <= point.y) != (Float(part.end.y) <= point.y) else { return }
      let goesUp = part.end.y > part.start.y
      if Self.isBefore(point, part, goesUp) { winding += goesUp ? 1 : -1 }
    }
    if rows.isEmpty { for part in parts { count(part) } } else { for index in rows[row(point.y)] { count(parts[index]) } }
    return winding
  }

  private static func isBefore(_ point: SIMD2<Float>, _ part: GlyphOutline.Part, _ goesUp: Bool) -> Bool {
    let box = PartBox(part)
    guard point.x >= Float(box.low.x) else { return true }
    guard point.x < Float(box.high.x) else { return false }
    guard part.isCurve else {
      let (low, high) = goesUp ? (part.start, part.end) : (part.end, part.start)
      let (rise, from) = (SIMD2<Float>(high &- low), point - SIMD2<Float>(low))
      return rise.x * from.y > rise.y * from.x
    }
    var piece = MeetingSearch.Piece(part)
    for _ in 0..<18 {
      let (first, second) = piece.halves()
      piece = (first.d.y <= point.y) == goesUp ? second : first
    }
    return point.x < piece.a.x
  }
}
