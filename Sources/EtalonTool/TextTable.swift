import EtalonDiagnostics

/// Rows of text in columns that line up.
struct TextTable {
  private var rows: [[String]] = []

  /// Adds a row; later columns may be missing.
  mutating func add(_ row: [String]) { rows.append(row) }

  /// One line for each row, indented; nothing stands behind the last word of a line, and columns that are empty everywhere are left out.
  func lines(indent: Int = 2) -> [String] {
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { column < $0.count ? $0[column].columnCount : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.indices.filter { widths[$0] > 0 }.map { row[$0].padded(to: widths[$0]) }
      let line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension String {
  /// The text with blanks behind it.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columnCount)) }

  /// The text on one line, without characters that move the cursor of a terminal: strangers wrote it.
  var onOneLine: String {
    withoutControls.split(separator: " ").joined(separator: " ")
  }
}
