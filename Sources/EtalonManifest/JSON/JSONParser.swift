internal import EtalonDiagnostics

/// Parses one JSON text; after a mistake it goes on behind the next comma or bracket.
struct JSONParser {
  let source: SourceText
  let end: Int
  let tolerated: Set<JSONSlip>
  let limits: JSONLimits
  var diagnostics: [Diagnostic] = []
  var offset: Int
  /// The brackets that have to be closed, the outermost first.
  var closings: [UInt8] = []
  var valueCount = 0
  /// Whether the text is used up or too large, so that nothing further is worth saying.
  var hasGivenUp = false
  /// Whether a string without an end took the rest of its line with it.
  var hasLostLine = false

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
  mutating func parseValue() -> LocatedJSON? {
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

  mutating func parseNested(_ closing: String, _ parse: (inout JSONParser) -> LocatedJSON) -> LocatedJSON? {
    closings += closing.utf8
    defer { closings.removeLast() }
    guard closings.count <= limits.nesting else {
      giveUp("json.nesting", "the JSON is nested deeper than \(limits.nesting) levels", offset..<offset + 1, "one level too many")
      return nil
    }
    return parse(&self)
  }

  mutating func parseObject() -> LocatedJSON {
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

  mutating func parseArray() -> LocatedJSON {
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
  mutating func parseItems(from start: Int, _ parseItem: (inout JSONParser) -> Bool) {
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
        // When a bracket further outside waits for it, the bracket in between was forgotten.
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

  /// Takes the comma behind an item and returns its place; another item right behind it is a comma that was forgotten.
  mutating func parseSeparator() -> Int? {
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

  mutating func parseMember() -> LocatedJSON.Member? {
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
