internal import EtalonDiagnostics

/// Parses one JSON text; after an error it goes on behind the next comma or bracket.
struct JSONParser {
  private let source: SourceText
  private let end: Int
  private let tolerated: Set<JSONSlip>
  private let limits: JSONLimits
  private(set) var diagnostics: [Diagnostic] = []
  private var offset: Int
  /// The brackets that have to be closed, the outermost first.
  private var closings: [UInt8] = []
  private var valueCount = 0
  /// Whether the text is at its end or too large; then no further diagnostics are added.
  private var hasGivenUp = false
  /// Whether a string without an end was found, which makes the rest of its line a part of it.
  private var hasLostLine = false

  init(_ source: SourceText, _ range: Range<Int>, tolerated: Set<JSONSlip>, limits: JSONLimits) {
    self.source = source
    self.tolerated = tolerated
    self.limits = limits
    offset = range.lowerBound
    end = range.upperBound
  }

  /// The value of the whole text.
  mutating func parseText() -> LocatedJSON? {
    if source.bytes[offset..<end].starts(with: [0xEF, 0xBB, 0xBF]) {
      report(.byteOrderMark, offset..<offset + 3, "before the first bracket")
      offset += 3
    }
    skipBlanks()
    let value = parseValue()
    skipBlanks()
    if value != nil, offset < end, !diagnostics.contains(where: { $0.id == "json.bracket" }) {
      report(.trailingText, offset..<endOfLine(from: offset), "not part of the value")
    }
    return value
  }

  // MARK: objects and arrays

  /// Nil when there is no value here, which is reported.
  private mutating func parseValue() -> LocatedJSON? {
    valueCount += 1
    if valueCount > limits.values {
      giveUp("json.values", "the JSON has more than \(limits.values) values", offset..<offset, "one too many")
      return nil
    }
    switch peek {
    case nil: reportEnd("expected a value")
    case UInt8(ascii: "{"): return parseNested("}") { parser in parser.parseObject() }
    case UInt8(ascii: "["): return parseNested("]") { parser in parser.parseArray() }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return parseString().map { located(.string($0.text), $0.range) }
    case let byte? where byte.isJSONWordPart: return parseWord()
    case let byte?: report("json.value", "expected a value, found '\(shown(byte))'", offset..<offset + 1, "expected a value")
    }
    return nil
  }

  private mutating func parseNested(_ closing: String, _ parse: (inout JSONParser) -> LocatedJSON) -> LocatedJSON? {
    closings += closing.utf8
    defer { closings.removeLast() }
    guard closings.count <= limits.nesting else {
      giveUp("json.nesting", "the JSON is nested deeper than \(limits.nesting) levels", offset..<offset + 1, "one level too many")
      return nil
    }
    return parse(&self)
  }

  private mutating func parseObject() -> LocatedJSON {
    let start = offset
    var members: [LocatedJSON.Member] = []
    var places: [String: SourceRange] = [:]
    parseItems(from: start) { parser in
      guard let member = parser.parseMember() else { return false }
      if let first = places.updateValue(member.keyPlace, forKey: member.key) {
        parser.reportDuplicate(member, first)
      }
      members.append(member)
      return true
    }
    return located(.object(members), start..<offset)
  }

  private mutating func parseArray() -> LocatedJSON {
    let start = offset
    var elements: [LocatedJSON] = []
    parseItems(from: start) { parser in
      guard let element = parser.parseValue() else { return false }
      elements.append(element)
      return true
    }
    return located(.array(elements), start..<offset)
  }

  /// Parses what stands between brackets; `parseItem` says whether it succeeded.
  private mutating func parseItems(from start: Int, _ parseItem: (inout JSONParser) -> Bool) {
    let closing = closings[closings.count - 1]
    offset += 1
    var lastComma: Int?
    while !hasGivenUp {
      skipBlanks()
      guard let byte = peek else { return reportUnclosed(start, closing) }
      if byte == closing {
        if let lastComma { report(.trailingComma, lastComma..<lastComma + 1, "nothing after it") }
        offset += 1
        return
      }
      if byte.closesJSON {
        report(
          "json.bracket", "expected '\(shown(closing))', found '\(shown(byte))'", offset..<offset + 1, "closes another bracket",
          further: [.init(source, start..<start + 1, "opened here")])
        // It closes a bracket further outside: the closing bracket in between is missing.
        if closings.dropLast().contains(byte) { return }
        offset += 1
        skipBlanks()
        if peek == UInt8(ascii: ",") { offset += 1 }
        continue
      }
      if byte == UInt8(ascii: ",") {
        report("json.value", "expected a value, found ','", offset..<offset + 1, "nothing before it", help: ["remove it"])
        offset += 1
        continue
      }
      hasLostLine = false
      if !parseItem(&self), !hasLostLine { skipToSeparator() }
      lastComma = hasLostLine ? nil : parseSeparator()
    }
  }

  /// Takes the comma behind an item and returns its place; when another item follows directly, the comma is missing.
  private mutating func parseSeparator() -> Int? {
    let itemEnd = offset
    skipBlanks()
    guard let byte = peek, !hasGivenUp, !byte.closesJSON else { return nil }
    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
      if byte != UInt8(ascii: ",") { reportSeparator(byte) }
      offset += 1
      return offset - 1
    }
    if byte.startsJSONValue {
      report(.missingComma, itemEnd..<itemEnd, "expected ',' here")
    } else {
      reportSeparator(byte)
      skipToSeparator()
      return parseSeparator()
    }
    return nil
  }

  private mutating func parseMember() -> LocatedJSON.Member? {
    guard let key = parseKey() else { return nil }
    skipBlanks()
    guard let byte = peek else { return nil }
    if byte != UInt8(ascii: ":") {
      report("json.colon", "expected ':' after the key '\(key.text)'", offset..<offset, "expected ':' here")
      if byte != UInt8(ascii: "=") { return nil }
    }
    offset += 1
    skipBlanks()
    guard let value = parseValue() else { return nil }
    return LocatedJSON.Member(key: key.text, keyPlace: SourceRange(source, key.range), value: value)
  }
}

// MARK: - keys and scalars

/// Keys, strings, numbers and words.
extension JSONParser {
  private mutating func parseKey() -> JSONString? {
    guard let byte = peek else { return nil }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return parseString() }
    let range = word(at: offset)
    guard byte.isJSONWordPart, !range.isEmpty else {
      report("json.key", "expected a key in quotes, found '\(shown(byte))'", offset..<offset + 1, "expected a key")
      return nil
    }
    report(.unquotedKey, range, "expected quotes")
    offset = range.upperBound
    return JSONString(text: text(range), range: range)
  }

  private mutating func parseString() -> JSONString? {
    var scanner = JSONStringScanner(bytes: source.bytes, start: offset, end: end, joinsLines: tolerated.contains(.controlCharacter))
    let string = scanner.scan()
    for (slip, range, label) in scanner.slips { report(slip, range, label) }
    offset = scanner.offset
    if string == nil {
      hasLostLine = true
      report("json.unterminated-string", "a string has no end", scanner.openRange, "starts here", help: ["write '\"' where it ends"])
    }
    return string
  }

  /// A number or one of the three words.
  private mutating func parseWord() -> LocatedJSON? {
    let range = word(at: offset)
    offset = range.upperBound
    let text = text(range)
    let words: [String: LocatedJSON.Content] = ["true": .bool(true), "false": .bool(false), "null": .null, "none": .null]
    if let content = words[text.lowercased()] {
      if words[text] == nil || text == "none" { report(.wordCase, range, "another language") }
      return located(content, range)
    }
    switch JSONNumber.form(of: text[...]) {
    case .strict: return located(.number(text), range)
    case .forgivable:
      report(.numberForm, range, "another language")
      return located(.number(text), range)
    case .none:
      let help = text.utf8.first?.startsJSONNumber == true ? [] : ["put it in double quotes if it is a text"]
      report("json.word", "'\(text)' is no JSON value", range, "unknown", help: help)
      return nil
    }
  }
}

// MARK: - moving

/// Ways through the text of the JSON.
extension JSONParser {
  private var peek: UInt8? { offset < end ? source.bytes[offset] : nil }

  private func word(at start: Int) -> Range<Int> {
    var stop = start
    while stop < end, source.bytes[stop].isJSONWordPart { stop += 1 }
    return start..<stop
  }

  private mutating func skipBlanks() {
    while let byte = peek {
      if byte <= 0x20 {
        offset += 1
      } else if byte == UInt8(ascii: "/"), let comment = comment(at: offset) {
        report(.comment, offset..<min(comment, endOfLine(from: offset)), "a comment")
        offset = comment
      } else {
        return
      }
    }
  }

  /// Where the comment at an offset ends; nil when there is no comment.
  private func comment(at start: Int) -> Int? {
    guard start + 1 < end else { return nil }
    if source.bytes[start + 1] == UInt8(ascii: "/") { return endOfLine(from: start) }
    guard source.bytes[start + 1] == UInt8(ascii: "*") else { return nil }
    var stop = start + 2
    while stop + 1 < end, !(source.bytes[stop] == UInt8(ascii: "*") && source.bytes[stop + 1] == UInt8(ascii: "/")) { stop += 1 }
    return min(stop + 2, end)
  }

  /// Goes to the comma or closing bracket behind an error, past whole brackets and strings.
  private mutating func skipToSeparator() {
    var open = 0
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open > 0 else { return }
        open -= 1
      case UInt8(ascii: ",") where open == 0: return
      case UInt8(ascii: "\""):
        var scanner = JSONStringScanner(bytes: source.bytes, start: offset, end: end, joinsLines: false)
        _ = scanner.scan()
        offset = scanner.offset - 1
      default: break
      }
      offset += 1
    }
  }

  private func endOfLine(from start: Int) -> Int {
    source.bytes[start..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end
  }
}

extension UInt8 {
  fileprivate var startsJSONNumber: Bool { (0x30...0x39).contains(self) || "+-.".utf8.contains(self) }
  fileprivate var isJSONWordPart: Bool {
    startsJSONNumber || (0x61...0x7A).contains(self | 0x20) || "_$".utf8.contains(self) || self >= 0x80
  }
  fileprivate var startsJSONValue: Bool { isJSONWordPart || "\"'{[".utf8.contains(self) }
  fileprivate var closesJSON: Bool { self == UInt8(ascii: "}") || self == UInt8(ascii: "]") }
}

// MARK: - reporting

/// What a parser says about errors.
extension JSONParser {
  private func text(_ range: Range<Int>) -> String { String(decoding: source.bytes[range], as: UTF8.self) }

  private func shown(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? String(UnicodeScalar(byte)) : "byte \(byte)"
  }

  private func located(_ content: LocatedJSON.Content, _ range: Range<Int>) -> LocatedJSON {
    LocatedJSON(content, at: SourceRange(source, range))
  }

  private mutating func report(_ diagnostic: Diagnostic) {
    if diagnostics.count < limits.diagnostics, !hasGivenUp { diagnostics.append(diagnostic) }
  }

  private mutating func report(_ slip: JSONSlip, _ range: Range<Int>, _ label: String, further: [Diagnostic.Label] = []) {
    report(
      Diagnostic(
        slip.id, slip.message, severity: tolerated.contains(slip) ? .warning : .error,
        labels: [.init(source, range, label)] + further, help: [slip.help]))
  }

  private mutating func report(
    _ id: String, _ message: String, _ range: Range<Int>, _ label: String, further: [Diagnostic.Label] = [], help: [String] = []
  ) {
    report(Diagnostic(id, message, labels: [.init(source, range, label)] + further, help: help))
  }

  private mutating func reportDuplicate(_ member: LocatedJSON.Member, _ first: SourceRange) {
    report(.duplicateKey, member.keyPlace.range, "again, and this one counts", further: [.init(source, first.range, "first here")])
  }

  private mutating func reportSeparator(_ byte: UInt8) {
    report("json.separator", "expected ',', found '\(shown(byte))'", offset..<offset + 1, "expected ','")
  }

  private mutating func reportUnclosed(_ start: Int, _ closing: UInt8) {
    giveUp(
      "json.unclosed", "a bracket is never closed", start..<start + 1, "opened here", help: ["write '\(shown(closing))' where it ends"])
  }

  private mutating func reportEnd(_ label: String) {
    giveUp("json.end", "expected a value, found the end of the text", end..<end, label)
  }

  private mutating func giveUp(_ id: String, _ message: String, _ range: Range<Int>, _ label: String, help: [String] = []) {
    report(id, message, range, label, help: help)
    hasGivenUp = true
    offset = end
  }
}
