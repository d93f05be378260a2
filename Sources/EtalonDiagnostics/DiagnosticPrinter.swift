/// Writes diagnostics as text for a person: `path:line:column`, the source line, a caret, help and notes.
///
/// ```
/// plasma.glsl:4:9: error: undeclared identifier 'colr' [glsl.undeclared-identifier]
///  4 |   vec3 c = colr;
///    |            ^^^^ not declared
///    = help: did you mean 'color'?
/// ```
public struct DiagnosticPrinter: Sendable {
  /// Longer source lines are cut around the place, to this many characters.
  private static let widestLine = 160

  /// Makes a printer.
  public init() {}

  /// The text of several diagnostics, one after the other, ending in a newline unless there are none.
  public func text(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { text($0) }.joined()
  }

  /// The text of one diagnostic, ending in a newline.
  public func text(_ diagnostic: Diagnostic) -> String {
    var out = ""
    if let first = diagnostic.labels.first {
      let (line, column) = first.source.position(at: first.range.lowerBound)
      out += "\(first.source.path.withoutControls):\(line):\(column): "
    }
    out += "\(diagnostic.severity.rawValue): \(diagnostic.message.withoutControls) [\(diagnostic.id)]\n"
    let gutter = gutterWidth(diagnostic)
    for (index, label) in diagnostic.labels.enumerated() {
      out += excerpt(label, gutter: gutter, namesPlace: index > 0)
    }
    let indent = String(repeating: " ", count: diagnostic.labels.isEmpty ? 2 : gutter + 2)
    for help in diagnostic.help { out += "\(indent)= help: \(help.withoutControls)\n" }
    for note in diagnostic.notes { out += "\(indent)= note: \(note.withoutControls)\n" }
    return out
  }

  private func gutterWidth(_ diagnostic: Diagnostic) -> Int {
    diagnostic.labels.map { "\($0.source.position(at: $0.range.lowerBound).line)".count }.max() ?? 0
  }

  private func excerpt(_ label: Diagnostic.Label, gutter: Int, namesPlace: Bool) -> String {
    let (line, column) = label.source.position(at: label.range.lowerBound)
    let number = "\(line)"
    let pad = String(repeating: " ", count: gutter - number.count)
    let blank = String(repeating: " ", count: gutter)
    let source = label.source.line(line)
    let lineRange = label.source.byteRange(ofLine: line)
    let marked = label.range.clamped(to: lineRange.lowerBound..<max(lineRange.upperBound, lineRange.lowerBound))
    let width = max(1, String(decoding: label.source.bytes[marked], as: UTF8.self).unicodeScalars.count)
    let shown = window(Array(source.unicodeScalars), column: column, width: width)
    var out = namesPlace ? " \(blank) --> \(label.source.path.withoutControls):\(line):\(column)\n" : ""
    out += " \(pad)\(number) | \(shown.text)\n"
    let caret = shown.lead + String(repeating: "^", count: shown.width)
    out += " \(blank) | \(caret)\(label.message.isEmpty ? "" : " \(label.message.withoutControls)")\n"
    return out
  }

  /// The part of a line that is shown, what stands before the carets in the line below, and how many carets there are.
  ///
  /// Columns are those of a terminal: escapes of control characters are as long as they are, and wide characters take two.
  private func window(_ scalars: [Unicode.Scalar], column: Int, width: Int) -> (text: String, lead: String, width: Int) {
    var start = 0
    var end = scalars.count
    if scalars.count > Self.widestLine {
      start = max(0, min(column - 1 - Self.widestLine / 3, scalars.count - Self.widestLine))
      end = min(scalars.count, start + Self.widestLine)
    }
    let shown = scalars.map(\.inOneLine)
    let first = max(start, min(column - 1, end)), last = max(first, min(first + width, end))
    let lead = shown[start..<first].reduce(0) { $0 + $1.columnCount } + max(0, column - 1 - first) + (start > 0 ? 1 : 0)
    let marked = shown[first..<last].reduce(0) { $0 + $1.columnCount }
    let text = (start > 0 ? "…" : "") + shown[start..<end].joined() + (end < scalars.count ? "…" : "")
    return (text, String(repeating: " ", count: lead), max(1, marked))
  }
}
