internal import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonTypes

/// What the numbers of a parameter are that is a list of them, or a text.
package enum ListShape: Sendable, Hashable {
  /// Points of a curve, x and y of one after the other.
  case curve
  /// So many rows of so many numbers.
  case matrix(rows: ClosedRange<Int>, columns: ClosedRange<Int>)
  /// Characters.
  case text(CharacterRules)

  /// How many points a curve may have.
  package static let pointCounts = 2...32
  /// How many rows and columns a matrix may have.
  package static let sides = 1...15

  /// The GLSL type of a matrix that GLSL has, which is square and of one size.
  package var matrixType: ValueType? {
    guard case .matrix(let rows, let columns) = self, rows == columns, rows.count == 1 else { return nil }
    return [2: .mat2, 3: .mat3, 4: .mat4][rows.lowerBound]
  }

  /// What to type for such a value.
  package var example: String {
    switch self {
    case .curve: "points 'x:y' with commas between them, such as '0:0,0.25:0.2,1:1'"
    case .matrix(let rows, let columns):
      rows.count == 1 && columns.count == 1
        ? "\(rows.lowerBound) rows of \(columns.lowerBound) numbers, such as '\(Self.unit(rows.lowerBound, columns.lowerBound))'"
        : "rows with semicolons between them, such as '0,1,0;1,-4,1;0,1,0'"
    case .text(let rules): "a text of at most \(rules.longest) characters"
    }
  }

  private static func unit(_ rows: Int, _ columns: Int) -> String {
    (0..<rows).map { row in (0..<columns).map { $0 == row ? "1" : "0" }.joined(separator: ",") }.joined(separator: ";")
  }

  /// The text of a value, as a person types it.
  package func text(_ value: Value) -> String {
    if value.text != nil { return ValueConversion.plainText(value) }
    let separator = self == .curve ? ":" : ","
    return value.rows.map { row in row.map { ValueConversion.plainText(Value(.float, [$0])) }.joined(separator: separator) }
      .joined(separator: self == .curve ? "," : ";")
  }

  /// What is wrong with a value, in words for a complaint, a label and a help.
  package func violation(of value: Value) -> (complaint: String, label: String, help: String)? {
    let (rows, columns) = (value.rows.count, value.columns ?? 1)
    switch self {
    case .curve:
      guard Self.pointCounts.contains(rows), columns == 2 else {
        return (
          "has \(rows) point\(rows == 1 ? "" : "s")", "not from 2 to \(Self.pointCounts.upperBound)",
          "give from 2 to \(Self.pointCounts.upperBound) points"
        )
      }
      let places = value.rows.map { Float($0[0]) }
      func words(_ index: Int) -> (String, String) { (Self.number(value.rows[index - 1][0]), Self.number(value.rows[index][0])) }
      if let index = (1..<rows).first(where: { !(places[$0 - 1] < places[$0]) }) {
        let (first, second) = words(index)
        return ("does not go from left to right: \(second) follows \(first)", "not above \(first)", "give points whose x rises")
      }
      // Shaders divide by the distance, and devices may take the smallest numbers for 0.
      let steep = (1..<rows).first { index in
        let width = places[index] - places[index - 1], height = Float(value.rows[index][1]) - Float(value.rows[index - 1][1])
        return width < .leastNormalMagnitude || !(1 / width).isFinite || !(height / width).isFinite
      }
      guard let index = steep else { return nil }
      let (first, second) = words(index)
      return ("is too steep between \(first) and \(second)", "too close to \(first)", "give points whose x lie further apart")
    case .matrix(let allowedRows, let allowedColumns):
      guard allowedRows.contains(rows), allowedColumns.contains(columns) else {
        let wanted = "\(Self.words(allowedRows)) row\(allowedRows == 1...1 ? "" : "s") of \(Self.words(allowedColumns))"
        return ("is a matrix of \(rows) row\(rows == 1 ? "" : "s") of \(columns)", "not \(wanted)", "give \(wanted) numbers")
      }
      return nil
    case .text(let rules): return rules.violation(of: value)
    }
  }

  /// What values of both shapes have in common; nil where there are none.
  package func intersection(_ other: ListShape) -> ListShape? {
    switch (self, other) {
    case (.curve, .curve): return self
    case (.matrix(let rows, let columns), .matrix(let otherRows, let otherColumns)):
      guard rows.overlaps(otherRows), columns.overlaps(otherColumns) else { return nil }
      return .matrix(rows: rows.clamped(to: otherRows), columns: columns.clamped(to: otherColumns))
    case (.text(let rules), .text(let otherRules)): return rules.intersection(otherRules).map(ListShape.text)
    default: return nil
    }
  }

  private static func number(_ number: Double) -> String { ValueConversion.plainText(Value(.float, [number])) }

  private static func words(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}

// MARK: - reading

extension ListShape {
  /// Why a text is no list.
  package struct ReadingError: Error {
    /// The part of the text that it is about.
    let range: Range<Int>
    package let label: String
    package let help: String
    /// What is wrong with a text, in a sentence without the name of its parameter; nil for a list of numbers.
    package var complaint: String?
  }

  /// Reads a value: `0:0,0.25:0.2,1:1`, or rows with semicolons between them.
  package func read(_ text: String) throws(ReadingError) -> Value {
    if case .text(let rules) = self { return try rules.read(text) }
    let bytes = Array(text.utf8)
    let isInPairs = self == .curve && bytes.contains(UInt8(ascii: ":"))
    let (between, within) = isInPairs ? (UInt8(ascii: ","), UInt8(ascii: ":")) : (UInt8(ascii: ";"), UInt8(ascii: ","))
    var rows: [[Double]] = []
    for row in Self.parts(of: bytes.indices, in: bytes, at: between) {
      let parts = Self.parts(of: row, in: bytes, at: within)
      let numbers = try parts.map { part throws(ReadingError) in try number(part, bytes) }
      if self == .curve, numbers.count != 2 {
        throw ReadingError(range: row, label: "not x and y", help: "expected \(example)")
      }
      rows.append(numbers)
      guard numbers.count == rows[0].count else {
        throw ReadingError(
          range: row, label: "\(numbers.count) instead of \(rows[0].count)",
          help: "give all rows as many numbers as the first, \(rows[0].count)")
      }
    }
    return Value(rows: reshaped(rows))
  }

  /// All numbers in one row, which lists of documents have, as the rows of a matrix of one size.
  private func reshaped(_ rows: [[Double]]) -> [[Double]] {
    guard case .matrix(let wanted, let columns) = self, wanted.count == 1, columns.count == 1, rows.count == 1,
      rows[0].count == wanted.lowerBound * columns.lowerBound
    else { return rows }
    return stride(from: 0, to: rows[0].count, by: columns.lowerBound).map { Array(rows[0][$0..<$0 + columns.lowerBound]) }
  }

  private func number(_ range: Range<Int>, _ bytes: [UInt8]) throws(ReadingError) -> Double {
    let text = String(decoding: bytes[range], as: UTF8.self).filter { $0 != " " && $0 != "\t" }
    if let number = ValueText.number(text[...]) { return number }
    throw ReadingError(range: range, label: text.isEmpty ? "a number is missing" : "no number", help: "expected \(example)")
  }

  private static func parts(of range: Range<Int>, in bytes: [UInt8], at mark: UInt8) -> [Range<Int>] {
    bytes[range].split(separator: mark, omittingEmptySubsequences: false).map { $0.startIndex..<$0.endIndex }
  }
}

// MARK: - as shaders read it

/// A part of a list that a uniform holds.
package enum ListPart: Sendable, Hashable {
  /// The number of points, then x, y, slope, and the slope of the line to the next point, of one point after the other.
  case points
  /// The numbers of a matrix, row by row.
  case entries
  /// The numbers of columns and of rows.
  case size
  /// The numbers of a matrix as GLSL has them, column by column.
  case columns
  /// The code points of a text.
  case characters
  /// How many they are.
  case count

  /// The components of a value.
  package func components(of value: Value) -> [Double] {
    switch self {
    case .points: return MonotoneCurve(value.rows.map { ($0[0], $0[1]) }).components
    case .entries, .characters: return value.components
    case .count: return [Double(value.components.count)]
    case .size: return [Double(value.columns ?? 1), Double(value.rows.count)]
    case .columns:
      let rows = value.rows
      return rows[0].indices.flatMap { column in rows.map { $0[column] } }
    }
  }
}

/// A cubic through points that rises and falls only where the points do (Fritsch and Carlson, 1980), with straight lines beyond the ends.
struct MonotoneCurve {
  private let points: [(x: Double, y: Double)]
  private let slopes: [Double]
  /// Those of the lines from each point to the next.
  private let secants: [Double]

  /// - Parameter points: at least two, x rising.
  init(_ points: [(Double, Double)]) {
    self.points = points.map { ($0.0, $0.1) }
    let secants = zip(points, points.dropFirst()).map { ($1.1 - $0.1) / ($1.0 - $0.0) }
    var slopes = points.indices.map { index in
      if index == 0 { return secants[0] }
      if index == secants.count { return secants[index - 1] }
      return secants[index - 1] * secants[index] > 0 ? (secants[index - 1] + secants[index]) / 2 : 0
    }
    for (index, secant) in secants.enumerated() {
      if secant == 0 {
        (slopes[index], slopes[index + 1]) = (0, 0)
        continue
      }
      let (start, end) = (slopes[index] / secant, slopes[index + 1] / secant)
      let length = (start * start + end * end).squareRoot()
      guard length > 3 else { continue }
      (slopes[index], slopes[index + 1]) = (3 * start / length * secant, 3 * end / length * secant)
    }
    (self.secants, self.slopes) = (secants, slopes)
  }

  var components: [Double] {
    [Double(points.count), 0, 0, 0]
      + points.indices.flatMap { [points[$0].x, points[$0].y, slopes[$0], $0 < secants.count ? secants[$0] : slopes[$0]] }
  }
}
