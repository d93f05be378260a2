internal import EtalonDiagnostics
internal import EtalonManifest

/// Places that compilers name, turned into those that people look for.
extension SourceRange {
  private static let blank = UInt8(ascii: " ")

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// How far in front of its end a call may begin, in bytes.
  private static let longestCall = 8192

  /// The call that ends in the parenthesis of the range, from its name on: compilers give a call the place of its end.
  ///
  /// Of a call over several lines only the name; what ends in something else stays as it is.
  var wholeCall: SourceRange {
    let bytes = source.bytes
    guard range.count == 1, bytes[range.lowerBound] == UInt8(ascii: ")") else { return self }
    var depth = 0
    let begin = stride(from: range.lowerBound, through: max(range.lowerBound - Self.longestCall, 0), by: -1).first { place in
      if bytes[place] == UInt8(ascii: ")") { depth += 1 }
      if bytes[place] == UInt8(ascii: "(") { depth -= 1 }
      return depth == 0
    }
    guard let begin else { return self }
    var end = begin
    while end > 0, bytes[end - 1] == Self.blank { end -= 1 }
    var start = end
    while start > 0, Self.isWord(bytes[start - 1]) { start -= 1 }
    guard start < end else { return self }
    let isOneLine = source.position(at: start).line == source.position(at: range.lowerBound).line
    return SourceRange(source, start..<(isOneLine ? range.upperBound : end))
  }

  /// The variable on the line of the range, where it stands there: `color` for `color.a`.
  ///
  /// What a branch hangs on has the line of what comes before it: such a variable is looked for in the next line that holds code.
  func narrowed(to variable: String?) -> SourceRange {
    guard let name = variable?.prefix(while: { $0 != "." && $0 != "[" && $0 != "(" }), !name.isEmpty else { return self }
    let word = Array(name.utf8), line = source.position(at: range.lowerBound).line
    if let found = place(of: word, inLine: line) { return found }
    guard let next = (line + 1..<line + 1 + Self.mostBlankLines).first(where: { isCode($0) }), beginsBranch(next) else { return self }
    return place(of: word, inLine: next) ?? self
  }

  /// How many lines without code may stand in front of a branch.
  private static let mostBlankLines = 16
  private static let branches = ["if", "while", "for", "switch", "return"]

  private func isCode(_ line: Int) -> Bool {
    guard line <= source.lineCount else { return false }
    let text = source.line(line).drop { $0.isWhitespace || $0 == "{" || $0 == "}" }
    return !text.isEmpty && !text.hasPrefix("//")
  }

  private func beginsBranch(_ line: Int) -> Bool { Self.branches.contains { place(of: Array($0.utf8), inLine: line) != nil } }

  /// A word in a line: the last one in front of the range, else the first behind it.
  private func place(of word: [UInt8], inLine number: Int) -> SourceRange? {
    let bytes = source.bytes, line = source.byteRange(ofLine: number)
    var found: Int?
    for start in line where start + word.count <= line.upperBound && bytes[start..<start + word.count].elementsEqual(word) {
      let isWhole =
        (start == line.lowerBound || !Self.isWord(bytes[start - 1]))
        && (start + word.count == line.upperBound || !Self.isWord(bytes[start + word.count]))
      if isWhole, found == nil || start <= range.lowerBound { found = start }
    }
    return found.map { SourceRange(source, $0..<$0 + word.count) }
  }
}
