extension String {
  /// The text on one line: spaces stand for line breaks and tabs, and escapes for other characters that a terminal or a page would obey.
  ///
  /// Strangers name files, and build servers take lines for commands that begin in a certain way.
  package var withoutControls: String { replacingControls { $0.isLineSpace ? " " : $0.escape } }

  /// The text with escapes for all characters that a terminal or a page would obey, save for line feeds and tabs.
  ///
  /// An escape such as `\u202E` means the same in JSON, where these characters occur only inside strings.
  package var printable: String { replacingControls { $0 == "\n" || $0 == "\t" ? nil : $0.escape } }

  /// JSON whose strings hold the escapes as plain text, for pages that show what they read.
  package var withControlsShown: String { replacingControls { $0 == "\n" || $0 == "\t" ? nil : "\\" + $0.escape } }

  /// - Parameter replacement: what stands for a character that is a control; nil keeps it.
  private func replacingControls(_ replacement: (Unicode.Scalar) -> String?) -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var out = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isControl, let text = replacement(scalar) { out.append(contentsOf: text.unicodeScalars) } else { out.append(scalar) }
    }
    return String(out)
  }

  /// The columns that the text takes on a terminal.
  package var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }
}

extension Unicode.Scalar {
  /// What stands for the character in one line of text: itself, a space, or an escape.
  var inOneLine: String { !isControl ? String(self) : isLineSpace ? " " : escape }

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
