internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

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
      throw refusal(
        "a track has no setting '\(unknown.key)'", unknown.keyPlace, "unknown",
        help: NearestName.find(unknown.key, in: known).map { ["did you mean '\($0)'?"] } ?? [],
        notes: ["settings: \(known.joined(separator: ", "))"])
    }
    func member(_ key: String) -> LocatedNode? { members.first { $0.key == key }?.value }
    guard let path = member("track")?.scalar, !path.isEmpty else {
      throw refusal("expected the path of a file", place, "no path")
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
    throw refusal(
      "expected \(Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")), found '\(node.list ?? "…")'",
      node.place,
      "unknown")
  }

  private func track(
    _ path: String, columns: [String], columnPlace: SourceRange, _ place: SourceRange, between: Track.Between? = nil,
    missing: Track.Missing? = nil
  ) throws(AnimatedValue.ReadingError) -> Track {
    let type = parameter.kind.valueType
    if between == .linear, !type.isFloat {
      throw refusal("'\(parameter.name)' has nothing between two rows: its values hold", place, "not linear")
    }
    let table = try tracks.table(path, at: place)
    let names = columns.isEmpty && table.columns.count == 1 ? Array(table.columns.keys) : columns
    let offered = ["columns: \(table.columns.keys.sorted().joined(separator: ", "))"]
    if let unknown = names.first(where: { table.columns[$0] == nil }) {
      throw refusal(
        "'\(path)' has no column '\(unknown)'", columnPlace, "not found",
        help: NearestName.find(unknown, in: table.columns.keys).map { ["did you mean '\($0)'?"] } ?? [], notes: offered)
    }
    guard names.count == type.componentCount else {
      throw refusal(
        "'\(parameter.name)' takes \(type.componentCount) column\(type.componentCount == 1 ? "" : "s"), found \(names.count)",
        columnPlace, names.isEmpty ? "no column" : "\(names.count)",
        help: ["write '@\(path):' and \(type.componentCount == 1 ? "its name" : "their names, with commas")"], notes: offered)
    }
    return Track(
      path: path, columns: names, between: between ?? (type.isFloat ? .linear : .hold), missing: missing ?? .fail, table: table,
      origin: ValueOrigin(place))
  }

  private func refusal(
    _ message: String, _ place: SourceRange, _ label: String, help: [String] = [], notes: [String] = []
  ) -> AnimatedValue.ReadingError {
    .diagnostics(mistake("value.track", message, place, label, help: help, notes: notes))
  }
}
