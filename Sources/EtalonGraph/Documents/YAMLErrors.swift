internal import EtalonDiagnostics
internal import Yams

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

/// Says in our words, at the place, why the YAML library refused a text.
struct YAMLErrorWords {
  private let source: SourceText

  init(_ source: SourceText) {
    self.source = source
  }

  private func place(of mark: Mark) -> Int {
    var places = YAMLPlaces(source)
    return places.offset(of: mark)
  }

  func diagnostic(of error: any Error) -> Diagnostic {
    switch error as? YamlError {
    case .scanner(let context, let reason, let mark, _), .parser(let context, let reason, let mark, _),
      .composer(let context, let reason, let mark, _):
      return syntax(reason, at: place(of: mark), within: context)
    case .duplicatedKeysInMapping(let keys, let context): return duplicate(keys.first ?? "", first: place(of: context.mark))
    case .reader(_, _, let value, _): return character(UInt32(bitPattern: value))
    default: return Diagnostic("yaml.syntax", "the text cannot be read as YAML: \(error)", labels: [.init(source, 0..<0)])
    }
  }

  /// What the library says, and what to do about it; its sentences are a short list.
  private static let explanations: [(sign: String, id: String, message: String, label: String, help: String)] = [
    (
      "mapping values are not allowed", "yaml.colon", "a second ': ' on one line", "unexpected",
      "put a text with ': ' in quotes, or begin a new line"
    ),
    ("found another document", "yaml.documents", "a file holds one document", "a second one", "put it into a file of its own"),
    (
      "undefined alias", "yaml.alias", "a graph has no aliases", "an alias", "write the value, or put a text that begins with '*' in quotes"
    ),
    (
      "found character that cannot start any token", "yaml.token", "a value cannot begin with this character", "unexpected",
      "put it in quotes"
    ),
    (
      "could not find expected ':'", "yaml.colon-missing", "expected 'key: value'", "no ': ' up to here",
      "write a colon and a blank behind the key"
    ),
    (
      "did not find expected key", "yaml.structure", "expected a key as far to the right as the one before it", "not a key",
      "indent keys of one mapping alike, and put a text with brackets or ': ' in quotes"
    ),
    ("did not find expected '-' indicator", "yaml.structure", "expected '- '", "not an element", "indent the elements of a list alike"),
    (
      "did not find expected ',' or '}'", "yaml.bracket", "expected ',' or '}'", "unexpected",
      "separate values by commas and close the bracket"
    ),
    (
      "did not find expected ',' or ']'", "yaml.bracket", "expected ',' or ']'", "unexpected",
      "separate values by commas and close the bracket"
    ),
    ("did not find expected node content", "yaml.value", "expected a value", "nothing here", "remove the comma, or write a value"),
    ("unexpected end of stream", "yaml.string", "a string has no end", "the text ends here", "close it with a quote"),
    ("found unknown escape character", "yaml.escape", "an unknown escape", "unknown", "write '\\\\' for a backslash, or use single quotes"),
  ]

  private func syntax(_ reason: String, at offset: Int, within context: YamlError.Context?) -> Diagnostic {
    let further = context.map { context in
      let start = place(of: context.mark)
      return start == offset || context.text.hasPrefix("expected a single")
        ? [] : [Diagnostic.Label(source, letter(at: start), "began here")]
    }
    let known = Self.explanations.first { reason.contains($0.sign) }
    if known?.id == "yaml.colon", let diagnostic = indentation(ofColonAt: offset) { return diagnostic }
    return Diagnostic(
      known?.id ?? "yaml.syntax", known?.message ?? "not YAML: \(reason)",
      labels: [.init(source, letter(at: offset), known?.label ?? "unexpected")] + (further ?? []), help: known.map { [$0.help] } ?? [])
  }

  /// A line that belongs to the value above it only because it stands further right; nil where the line has another colon before this one.
  private func indentation(ofColonAt offset: Int) -> Diagnostic? {
    let bytes = source.bytes
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    guard start > 0, bytes[start] == 0x20, let first = bytes[start..<offset].firstIndex(where: { $0 != 0x20 }),
      bytes[first] != UInt8(ascii: "-"), bytes[first..<offset].firstRange(of: Array(": ".utf8)) == nil
    else { return nil }
    return Diagnostic(
      "yaml.indentation", "the line above has a value, and this one stands further right",
      labels: [.init(source, first..<offset, "further right")],
      help: ["begin it in the column of the key above, or put that text in quotes"])
  }

  /// The character at a place; at the end of a line the place itself.
  private func letter(at offset: Int) -> Range<Int> {
    guard offset < source.bytes.count, source.bytes[offset] != 0x0A, source.bytes[offset] != 0x0D else { return offset..<offset }
    let end = source.bytes[(offset + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? source.bytes.count
    return offset..<end
  }

  /// The library says where the key is for the first time.
  private func duplicate(_ key: String, first: Int) -> Diagnostic {
    let length = key.utf8.count
    let quotes =
      first < source.bytes.count && (source.bytes[first] == UInt8(ascii: "\"") || source.bytes[first] == UInt8(ascii: "'")) ? 2 : 0
    let firstRange = first..<min(source.bytes.count, first + length + quotes)
    let again = repetition(of: Array(source.bytes[firstRange]), at: source.position(at: first).column, behind: firstRange.upperBound)
    let labels = again.map { [Diagnostic.Label(source, $0, "again"), .init(source, firstRange, "first")] }
    return Diagnostic(
      "yaml.duplicate-key", "'\(key)' is there twice", labels: labels ?? [.init(source, firstRange, "first of two")],
      help: ["remove one of them, or give it another name"])
  }

  /// The next place of a key: in the same column at the start of a line, or wherever it stands as a word before a colon.
  private func repetition(of key: [UInt8], at column: Int, behind start: Int) -> Range<Int>? {
    let bytes = source.bytes
    var offset = start
    var candidates: [Range<Int>] = []
    while let next = bytes[offset...].firstRange(of: key) {
      offset = next.upperBound
      let colon = bytes[offset...].firstIndex { $0 != 0x20 }
      let before = bytes[next.lowerBound - 1]
      if colon.map({ bytes[$0] == UInt8(ascii: ":") }) ?? false, before <= 0x20 || before == UInt8(ascii: ",") { candidates.append(next) }
    }
    return candidates.first { source.position(at: $0.lowerBound).column == column } ?? candidates.first
  }

  private func character(_ value: UInt32) -> Diagnostic {
    let bytes = Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
    let range = bytes.isEmpty ? nil : source.bytes.firstRange(of: bytes)
    return Diagnostic(
      "yaml.character", "a character that a document cannot have", labels: [.init(source, range ?? 0..<0, "not allowed")],
      help: ["remove it"])
  }
}
