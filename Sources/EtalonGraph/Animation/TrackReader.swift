internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads the lines of a track.
struct TrackReader {
  private static let mostRows = 1_000_000
  private static let mostMistakes = 20

  private let source: SourceText
  private var names: [String] = []
  private var timeColumn = 0
  private(set) var countsFrames = false
  private(set) var times: [Rational] = []
  private(set) var columns: [String: [TrackTable.Cell]] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: SourceText) { self.source = source }

  mutating func read() {
    for line in 1...source.lineCount where diagnostics.count < Self.mostMistakes {
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
