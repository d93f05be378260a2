import Foundation

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
    let source = Self.withoutPasswords(label.source.line(line))
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

  /// The same with `*` for the names and passwords in front of the hosts of addresses.
  private static func withoutPasswords(_ line: String) -> String {
    guard line.contains("://") else { return line }
    var scalars = Array(line.unicodeScalars)
    var index = 0
    while index + 3 < scalars.count {
      defer { index += 1 }
      guard scalars[index] == ":", scalars[index + 1] == "/", scalars[index + 2] == "/" else { continue }
      let start = index + 3
      let end = scalars[start...].firstIndex { "/?# \t'\"".unicodeScalars.contains($0) } ?? scalars.count
      guard let at = scalars[start..<end].lastIndex(of: "@") else { continue }
      for place in start..<at { scalars[place] = "*" }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
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

// MARK: JSON

/// Writes diagnostics as versioned JSON for programs; keys are sorted, so equal diagnostics give equal bytes.
///
/// `{"version": 1, "diagnostics": [{"id", "severity", "message", "help": [], "notes": [], "labels": [{"path", "message",
/// "start": {"line", "column", "byte"}, "end": {…}}]}]}`. Lines and columns start at 1, columns count Unicode scalars, bytes start at 0.
public struct DiagnosticJSON: Sendable {
  private struct Document: Encodable {
    let version: Int
    let diagnostics: [Entry]
  }
  private struct Entry: Encodable {
    let id: String
    let severity: Diagnostic.Severity
    let message: String
    let labels: [Place]
    let help: [String]
    let notes: [String]
  }
  private struct Place: Encodable {
    let path: String
    let message: String
    let start: Position
    let end: Position
  }
  private struct Position: Encodable {
    let line: Int
    let column: Int
    let byte: Int
  }

  /// Makes a writer.
  public init() {}

  /// One line of JSON with all diagnostics, ending in a newline.
  public func text(_ diagnostics: [Diagnostic]) -> String {
    let entries = diagnostics.map { diagnostic in
      Entry(
        id: diagnostic.id, severity: diagnostic.severity, message: diagnostic.message, labels: diagnostic.labels.map(place),
        help: diagnostic.help, notes: diagnostic.notes)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Document(version: 1, diagnostics: entries)) else {
      preconditionFailure("strings and integers always encode")
    }
    return String(decoding: data, as: UTF8.self).printable + "\n"
  }

  private func place(_ label: Diagnostic.Label) -> Place {
    Place(
      path: label.source.path, message: label.message, start: position(label.source, label.range.lowerBound),
      end: position(label.source, label.range.upperBound))
  }

  private func position(_ source: SourceText, _ offset: Int) -> Position {
    let (line, column) = source.position(at: offset)
    return Position(line: line, column: column, byte: offset)
  }
}

// MARK: What terminals show

extension String {
  /// The text on one line: spaces stand for line breaks and tabs, and escapes for other characters that a terminal or a page would obey.
  ///
  /// Names of files may be of unknown origin, and build servers obey lines of output that begin in a certain way.
  package var withoutControls: String { replacingControls { $0.isLineSpace ? " " : $0.escape } }

  /// The text with escapes for all characters that a terminal or a page would obey, save for line feeds and tabs.
  ///
  /// An escape such as `\u202E` means the same in JSON, where these characters occur only inside strings.
  package var printable: String { replacingControls { $0 == "\n" || $0 == "\t" ? nil : $0.escape } }

  /// JSON whose strings hold the escapes as plain text, for pages that show what they read.
  package var withControlsShown: String { replacingControls { $0 == "\n" || $0 == "\t" ? nil : "\\" + $0.escape } }

  /// - Parameter replacement: what stands for a character that is a control; nil keeps it.
  private func replacingControls(_ replacement: (Unicode.Scalar) -> String?) -> String {
    guard !isPrintableASCII, unicodeScalars.contains(where: \.isControl) else { return self }
    var out = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isControl, let text = replacement(scalar) { out.append(contentsOf: text.unicodeScalars) } else { out.append(scalar) }
    }
    return String(out)
  }

  /// The columns that the text takes on a terminal.
  package var columnCount: Int { isPrintableASCII ? utf8.count : unicodeScalars.reduce(0) { $0 + $1.columnCount } }

  /// What nearly all texts are, which need no looking up.
  private var isPrintableASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}

extension Unicode.Scalar {
  /// What stands for the character in one line of text: itself, a space, or an escape.
  fileprivate var inOneLine: String { !isControl ? String(self) : isLineSpace ? " " : escape }

  /// Whether a terminal or a page obeys the character instead of showing it: it moves the cursor, ends the line, turns the direction of the text
  /// around, or shows nothing.
  ///
  /// Joiners stay, because scripts and emoji need them.
  fileprivate var isControl: Bool {
    if (0x20..<0x7F).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return !(0x200C...0x200D).contains(value)
    case .unassigned: return properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }

  /// Tabs, and whatever ends a line of text.
  fileprivate var isLineSpace: Bool { (0x09...0x0D).contains(value) }

  /// `\u202E`; two of them for characters beyond the 16 bits, as in JSON.
  fileprivate var escape: String {
    Unicode.UTF16.encode(self).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? "\u{FFFD}"
  }

  /// The columns that the character takes on a terminal: none for marks over others, two for wide ones.
  var columnCount: Int {
    if (0x20..<0x7F).contains(value) { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
    }
  }

  /// The blocks whose characters are wide by Unicode's report 11; emoji are told by their property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF,
    0x1AFF0...0x1B2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
