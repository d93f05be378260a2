package import EtalonDiagnostics
internal import EtalonManifest
package import EtalonTypes

/// Values from columns of a table.
package struct Track: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file as it is written.
  package let path: String
  /// One for each component.
  package let columns: [String]
  /// What happens between two rows.
  package let between: Between
  /// What happens in gaps, before the first row and behind the last one.
  package let missing: Missing
  package let table: TrackTable
  package let origin: ValueOrigin

  package enum Between: String, Sendable, Hashable, CaseIterable {
    case linear, hold
  }

  package enum Missing: String, Sendable, Hashable, CaseIterable {
    /// An error.
    case fail
    /// The nearest row before, or the first row, counts.
    case hold
  }

  /// Every column is there, as many as the value has components.
  package init(
    path: String, columns: [String], between: Between, missing: Missing, table: TrackTable, origin: ValueOrigin = ValueOrigin(nil)
  ) {
    precondition(columns.allSatisfy { table.columns[$0] != nil }, "a track of a column that is not there")
    self.path = path
    self.columns = columns
    self.between = between
    self.missing = missing
    self.table = table
    self.origin = origin
  }

  package var description: String { "{track: \"\(path)\", \(settings)}" }

  /// What pixels depend on: what the file holds, not what it is called.
  var recipeText: String { "{track: \(table.digest), \(settings)}" }

  private var settings: String {
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return "column: \(columns.count > 1 ? "[\(names)]" : names), between: \(between.rawValue), missing: \(missing.rawValue)"
  }

  package static func == (a: Track, b: Track) -> Bool { a.recipeText == b.recipeText }

  package func hash(into hasher: inout Hasher) { hasher.combine(recipeText) }
}

/// The rows of a CSV file: a column `time` (seconds) or `frame` (numbers, as `--frames` counts), and named columns of numbers.
///
/// ```
/// frame, x, y
/// 1001,  0.25, 0.5
/// 1002,  0.26, 0.5
/// 1003,  ,             an empty cell is a gap
/// ```
/// Blank lines and lines that begin with `#` say nothing; rows come in the order of their times.
package struct TrackTable: Sendable {
  /// One number of a column, with its place; nil is a gap.
  package struct Cell: Sendable {
    package let number: Double?
    package let range: Range<Int>
  }

  /// When the rows are.
  package enum Times: Sendable {
    case seconds([Rational])
    case frames([Rational])
  }

  package let source: SourceText
  package let digest: ContentHash
  package let times: Times
  /// The cells of every column, one for each row.
  package let columns: [String: [Cell]]

  /// Reads a table; everything that is wrong with it is reported together.
  package init(_ source: SourceText) throws(DiagnosticsError) {
    var reader = TrackReader(source)
    reader.read()
    guard reader.diagnostics.isEmpty else { throw DiagnosticsError(reader.diagnostics) }
    self.source = source
    digest = ContentHash(of: source.bytes)
    times = reader.countsFrames ? .frames(reader.times) : .seconds(reader.times)
    columns = reader.columns
  }

  package var rowCount: Int {
    switch times {
    case .seconds(let times), .frames(let times): times.count
    }
  }
}

/// Hands out the tables that values mention, by the paths that they were written with.
package protocol TrackFiles: Sendable {
  /// The table of a file; what is wrong with the file is told in its own text, what is wrong with the path at its place.
  ///
  /// - Parameter base: where a relative path starts, with a slash at its end; nil for where those of the graph do.
  func table(_ path: String, from base: String?, at place: SourceRange) throws(AnimatedValue.ReadingError) -> TrackTable
}

// MARK: evaluating

/// The columns of a track on a clock, ready to be evaluated.
struct TrackCurve: Sendable {
  private let track: Track
  private let times: [Double]

  init(_ track: Track, clock: ShotClock) {
    self.track = track
    times =
      switch track.table.times {
      case .seconds(let times): times.map(\.double)
      case .frames(let numbers): numbers.map { (clock.start + ($0 - Rational(clock.first)) / clock.rate.framesPerSecond).double }
      }
  }

  /// The components at a time; a gap, or a time outside of the rows, is an error unless the track holds there.
  func components(at time: Double, of reading: ClockReading) throws(DiagnosticsError) -> [Double] {
    var components: [Double] = []
    for column in track.columns {
      let cells = track.table.columns[column] ?? []
      components.append(try number(in: cells, column, at: time, reading))
    }
    return components
  }

  private func number(
    in cells: [TrackTable.Cell], _ column: String, at time: Double, _ reading: ClockReading
  ) throws(DiagnosticsError) -> Double {
    let row = lastRow(notAfter: time)
    guard let row, row < times.count - 1 || times[row] == time || track.missing == .hold else {
      if track.missing == .hold { return try held(cells, column, at: 0, reading) }
      throw outside(reading)
    }
    if times[row] == time || row == times.count - 1 || track.between == .hold { return try held(cells, column, at: row, reading) }
    guard let from = cells[row].number, let to = cells[row + 1].number else {
      return try held(cells, column, at: cells[row].number == nil ? row : row + 1, reading)
    }
    let part = (time - times[row]) / (times[row + 1] - times[row])
    return from + (to - from) * part
  }

  /// The number of a row; a gap takes the nearest number before it, or else behind it, where the track holds.
  private func held(_ cells: [TrackTable.Cell], _ column: String, at row: Int, _ reading: ClockReading) throws(DiagnosticsError) -> Double {
    if let number = cells[row].number { return number }
    let nearest = cells[..<row].last { $0.number != nil } ?? cells[row...].first { $0.number != nil }
    guard track.missing == .hold, let number = nearest?.number else { throw gap(cells[row], column, reading) }
    return number
  }

  private func lastRow(notAfter time: Double) -> Int? {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  private func gap(_ cell: TrackTable.Cell, _ column: String, _ reading: ClockReading) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "track.gap", "\(reading.words) the track has no number in the column '\(column)'",
        labels: [.init(track.table.source, cell.range, "empty")] + track.origin.labels("read here"),
        help: ["fill the gap, or write 'missing: hold' to keep the number before it"]))
  }

  private func outside(_ reading: ClockReading) -> DiagnosticsError {
    let span =
      switch track.table.times {
      case .seconds(let times): "from \(ClockReading.short(times[0].double)) s to \(ClockReading.short(times[times.count - 1].double)) s"
      case .frames(let numbers): "from frame \(numbers[0]) to frame \(numbers[numbers.count - 1])"
      }
    return DiagnosticsError(
      Diagnostic(
        "track.outside", "\(reading.words) the track has no row", labels: track.origin.labels("used here"),
        help: ["write 'missing: hold' to keep the first and the last row, or render other frames"], notes: ["the track is \(span)"]))
  }
}

// MARK: reading

/// Reads the lines of a track.
private struct TrackReader {
  private static let mostRows = 1_000_000
  private static let mostDiagnostics = 20

  private let source: SourceText
  private var names: [String] = []
  private var timeColumn = 0
  private(set) var countsFrames = false
  private(set) var times: [Rational] = []
  private(set) var columns: [String: [TrackTable.Cell]] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: SourceText) { self.source = source }

  mutating func read() {
    for line in 1...source.lineCount where diagnostics.count < Self.mostDiagnostics {
      let range = source.byteRange(ofLine: line)
      guard let first = source.bytes[range].first(where: { $0 > 0x20 }), first != UInt8(ascii: "#") else { continue }
      if names.isEmpty {
        readHead(SourceField.fields(of: range, in: source, dropsQuotes: true), range)
        guard diagnostics.isEmpty else { return }
      } else {
        readRow(SourceField.fields(of: range, in: source, dropsQuotes: true), range)
      }
    }
    if diagnostics.isEmpty, times.isEmpty {
      report("expected a line with the names of the columns, and rows below it", 0..<min(1, source.bytes.count), "no rows")
    }
  }

  private mutating func readHead(_ fields: [SourceField], _ line: Range<Int>) {
    names = fields.map(\.text)
    guard let column = names.firstIndex(where: { ["time", "frame"].contains($0.lowercased()) }) else {
      return report("expected a column 'time' or 'frame'", line, "has neither", help: ["name the columns in the first line: frame, x, y"])
    }
    timeColumn = column
    countsFrames = names[column].lowercased() == "frame"
    for (index, field) in fields.enumerated() where index != column {
      if field.text.isEmpty { report("a column without a name", line, "'' is no name") }
      if columns.updateValue([], forKey: field.text) != nil { report("two columns are called '\(field.text)'", field.range, "again") }
    }
  }

  private mutating func readRow(_ fields: [SourceField], _ line: Range<Int>) {
    guard fields.count == names.count else {
      return report("expected \(names.count) fields, found \(fields.count)", line, fields.count > names.count ? "too many" : "too few")
    }
    guard times.count < Self.mostRows else { return report("a track has at most \(Self.mostRows) rows", line, "one too many") }
    let field = fields[timeColumn]
    guard let time = Rational(field.text) else {
      return report("expected \(countsFrames ? "the number of a frame" : "seconds"), found '\(field.text)'", field.range, "no number")
    }
    if let last = times.last, time <= last {
      return report("the rows are not in the order of their times", field.range, time == last ? "twice" : "after \(last)")
    }
    times.append(time)
    for (index, field) in fields.enumerated() where index != timeColumn {
      let cell = cell(field)
      columns[names[index]]?.append(cell)
    }
  }

  private mutating func cell(_ field: SourceField) -> TrackTable.Cell {
    if field.text.isEmpty { return TrackTable.Cell(number: nil, range: field.range) }
    guard let number = Double(field.text), number.magnitude <= Double(Float.greatestFiniteMagnitude) else {
      report("expected a number, found '\(field.text)'", field.range, "no number", help: ["leave the field empty where there is no value"])
      return TrackTable.Cell(number: nil, range: field.range)
    }
    return TrackTable.Cell(number: number, range: field.range)
  }

  private mutating func report(_ message: String, _ range: Range<Int>, _ label: String, help: [String] = []) {
    diagnostics.append(Diagnostic("track.form", message, labels: [.init(source, range, label)], help: help))
  }
}

/// Tracks as values.
extension AnimatedValueReader {
  /// `path.csv:x,y`: the columns may be left out where there is only one.
  func track(_ text: String, _ place: SourceRange) throws(AnimatedValue.ReadingError) -> Track {
    let path = text.lastIndex(of: ":").map { String(text[..<$0]) } ?? text
    let columns = text.lastIndex(of: ":").map { text[text.index(after: $0)...].split(separator: ",").map(Self.trimmed) } ?? []
    return try track(path, columns: columns, columnPlace: place, place)
  }

  /// `{track: path.csv, column: x, between: linear, missing: hold}`.
  func track(_ members: [LocatedNode.Member], _ place: SourceRange) throws(AnimatedValue.ReadingError) -> Track {
    let known = ["track", "column", "between", "missing"]
    if let unknown = members.first(where: { !known.contains($0.key) }) {
      throw readingError(
        "a track has no setting '\(unknown.key)'", unknown.keyPlace, "unknown",
        help: NearestName.find(unknown.key, in: known).map { ["did you mean '\($0)'?"] } ?? [],
        notes: ["settings: \(known.joined(separator: ", "))"])
    }
    func member(_ key: String) -> LocatedNode? { members.first { $0.key == key }?.value }
    guard let path = member("track")?.scalar, !path.isEmpty else {
      throw readingError("expected the path of a file", place, "no path")
    }
    let column = member("column")
    let columns = column?.list.map { $0.split(separator: ",").map(Self.trimmed) } ?? []
    return try track(
      path, columns: columns, columnPlace: column?.place ?? place, place, between: try word(member("between")),
      missing: try word(member("missing")))
  }

  private static func trimmed(_ text: Substring) -> String { String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }

  private func word<Word: RawRepresentable & CaseIterable>(_ node: LocatedNode?) throws(AnimatedValue.ReadingError) -> Word?
  where Word.RawValue == String {
    guard let node else { return nil }
    if let word = node.scalar.flatMap(Word.init) { return word }
    throw readingError(
      "expected \(Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")), found '\(node.list ?? "…")'",
      node.place,
      "unknown")
  }

  private func track(
    _ path: String, columns: [String], columnPlace: SourceRange, _ place: SourceRange, between: Track.Between? = nil,
    missing: Track.Missing? = nil
  ) throws(AnimatedValue.ReadingError) -> Track {
    let type = parameter.kind.valueType
    guard parameter.list == nil else {
      throw readingError("a track cannot give a \(parameter.kind)", place, "a track", help: ["give keyframes: '{0s: \"…\", 1s: \"…\"}'"])
    }
    if between == .linear, !type.isFloat {
      throw readingError("'\(parameter.name)' has nothing between two rows: its values hold", place, "not linear")
    }
    let table = try tracks.table(path, from: nil, at: place)
    let names = columns.isEmpty && table.columns.count == 1 ? Array(table.columns.keys) : columns
    let offered = ["columns: \(table.columns.keys.sorted().joined(separator: ", "))"]
    if let unknown = names.first(where: { table.columns[$0] == nil }) {
      throw readingError(
        "'\(path)' has no column '\(unknown)'", columnPlace, "not found",
        help: NearestName.find(unknown, in: table.columns.keys).map { ["did you mean '\($0)'?"] } ?? [], notes: offered)
    }
    guard names.count == type.componentCount else {
      throw readingError(
        "'\(parameter.name)' takes \(type.componentCount) column\(type.componentCount == 1 ? "" : "s"), found \(names.count)",
        columnPlace, names.isEmpty ? "no column" : "\(names.count)",
        help: ["write '@\(path):' and \(type.componentCount == 1 ? "its name" : "their names, with commas")"], notes: offered)
    }
    return Track(
      path: path, columns: names, between: between ?? (type.isFloat ? .linear : .hold), missing: missing ?? .fail, table: table,
      origin: ValueOrigin(place))
  }

  private func readingError(
    _ message: String, _ place: SourceRange, _ label: String, help: [String] = [], notes: [String] = []
  ) -> AnimatedValue.ReadingError {
    .diagnostics(error("value.track", message, place, label, help: help, notes: notes))
  }
}

/// A field of a line of comma-separated values, without the blanks around it.
struct SourceField {
  let text: String
  /// UTF-8 byte offsets into the source.
  let range: Range<Int>

  /// The fields of a line.
  ///
  /// - Parameter dropsQuotes: whether quotes around a field are no part of it either.
  static func fields(of line: Range<Int>, in source: SourceText, dropsQuotes: Bool = false) -> [SourceField] {
    func isAround(_ byte: UInt8) -> Bool { byte <= 0x20 || dropsQuotes && byte == UInt8(ascii: "\"") }
    return source.bytes[line].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part in
      let start = part.firstIndex { !isAround($0) } ?? part.endIndex
      let end = max(start, (part.lastIndex { !isAround($0) } ?? start - 1) + 1)
      return SourceField(text: String(decoding: source.bytes[start..<end], as: UTF8.self), range: start..<end)
    }
  }
}
