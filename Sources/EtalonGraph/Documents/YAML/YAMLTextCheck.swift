internal import EtalonDiagnostics

/// Refuses what must not reach the parser: broken characters, anchors, tags, and nesting that costs its stack.
struct YAMLTextCheck {
  private let source: SourceText
  private var diagnostics: [Diagnostic] = []
  /// Brackets of the lines before that are still open.
  private var openBrackets = 0

  init(_ source: SourceText) {
    self.source = source
  }

  /// The text as a string; throws everything that is wrong with it.
  func check() throws(DiagnosticsError) -> String {
    var check = self
    guard source.bytes.count <= YAMLReader.mostBytes else {
      throw DiagnosticsError(
        Diagnostic("limit.bytes", "a document has at most \(YAMLReader.mostBytes) bytes", labels: [.init(source, 0..<0, "too long")]))
    }
    guard let text = String(validating: source.bytes, as: UTF8.self) else {
      throw DiagnosticsError(
        Diagnostic(
          "yaml.encoding", "the text is not UTF-8", labels: [.init(source, firstBrokenByte, "broken here")], help: ["save it as UTF-8"]))
    }
    check.checkCharacters()
    for line in 1...source.lineCount { check.checkLine(source.byteRange(ofLine: line)) }
    guard check.diagnostics.isEmpty else { throw DiagnosticsError(check.diagnostics) }
    return text
  }

  /// The first place where decoding puts a replacement that the text does not have.
  private var firstBrokenByte: Range<Int> {
    var offset = 0
    for scalar in String(decoding: source.bytes, as: UTF8.self).unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      guard source.bytes[offset...].starts(with: bytes) else { return offset..<offset + 1 }
      offset += bytes.count
    }
    return 0..<0
  }

  private mutating func checkCharacters() {
    guard let offset = source.bytes.firstIndex(where: { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D) || $0 == 0x7F }) else {
      return
    }
    report("yaml.character", "a control character", offset..<offset + 1, "not allowed", help: ["remove it"])
  }

  private mutating func checkLine(_ line: Range<Int>) {
    var offset = line.lowerBound
    while offset < line.upperBound, " \t-?".utf8.contains(source.bytes[offset]) {
      if source.bytes[offset] == UInt8(ascii: "\t"), openBrackets == 0, hasContent(offset..<line.upperBound) {
        report("yaml.tab", "a tab cannot indent a line", offset..<offset + 1, "a tab", help: ["indent with blanks"])
        break
      }
      offset += 1
    }
    let dashes = source.bytes[line.lowerBound..<offset].count { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    if offset - line.lowerBound > 8 * YAMLReader.deepestNesting
      || (dashes > YAMLReader.deepestNesting && hasContent(offset..<line.upperBound))
    {
      reportNesting(line.lowerBound..<offset)
    }
    checkTokens(line)
  }

  /// Whether there is more in a part of a line than a comment.
  private func hasContent(_ range: Range<Int>) -> Bool {
    let first = source.bytes[range].first { $0 > 0x20 }
    return first != nil && first != UInt8(ascii: "#")
  }

  /// Looks at the places of a line where a value can begin.
  private mutating func checkTokens(_ line: Range<Int>) {
    var offset = line.lowerBound
    var startsValue = true
    while offset < line.upperBound {
      let byte = source.bytes[offset]
      let next = offset + 1 < line.upperBound ? source.bytes[offset + 1] : 0x20
      if byte == UInt8(ascii: "#"), offset == line.lowerBound || source.bytes[offset - 1] <= 0x20 { return }
      if startsValue, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        guard let end = endOfString(offset, line.upperBound) else {
          return report(
            "yaml.string", "a string has no end on its line", offset..<offset + 1, "starts here",
            help: ["close it with \(Character(Unicode.Scalar(byte)))"])
        }
        offset = end
        startsValue = false
        continue
      }
      if startsValue, isMark(byte, next) { reportMark(byte, offset..<endOfWord(offset, line.upperBound)) }
      count(byte, at: offset)
      let separates = "[{,".utf8.contains(byte) || (":-?".utf8.contains(byte) && next <= 0x20)
      startsValue = separates || (startsValue && byte <= 0x20)
      offset += 1
    }
  }

  private mutating func count(_ byte: UInt8, at offset: Int) {
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
      openBrackets += 1
      if openBrackets == YAMLReader.deepestNesting + 1 { reportNesting(offset..<offset + 1) }
    } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
      openBrackets = max(0, openBrackets - 1)
    }
  }

  /// `&name` and `!tag`; a word has to follow, which tells them from operators of an expression.
  private func isMark(_ byte: UInt8, _ next: UInt8) -> Bool {
    (byte == UInt8(ascii: "&") && next > 0x20 && next != UInt8(ascii: "&"))
      || (byte == UInt8(ascii: "!") && next > 0x20 && next != UInt8(ascii: "(") && next != UInt8(ascii: "="))
  }

  private func endOfWord(_ start: Int, _ end: Int) -> Int {
    source.bytes[start..<end].firstIndex { $0 <= 0x20 || ",]}".utf8.contains($0) } ?? end
  }

  private func endOfString(_ start: Int, _ end: Int) -> Int? { YAMLScalarEnd(source.bytes[..<end]).quoted(start) }

  private mutating func reportMark(_ byte: UInt8, _ range: Range<Int>) {
    let isAnchor = byte == UInt8(ascii: "&")
    report(
      isAnchor ? "yaml.anchor" : "yaml.tag", isAnchor ? "a graph has no anchors" : "a graph has no tags", range,
      isAnchor ? "an anchor" : "a tag",
      help: [
        isAnchor ? "write the value where it is used; text that begins with '&' needs quotes" : "text that begins with '!' needs quotes"
      ])
  }

  private mutating func reportNesting(_ range: Range<Int>) {
    report("yaml.nesting", "the document is nested deeper than \(YAMLReader.deepestNesting) levels", range, "too deep")
  }

  private mutating func report(_ id: String, _ message: String, _ range: Range<Int>, _ label: String, help: [String] = []) {
    guard diagnostics.count < 20 else { return }
    diagnostics.append(Diagnostic(id, message, labels: [.init(source, range, label)], help: help))
  }
}
