internal import EtalonDiagnostics

/// Keys, strings, numbers and words.
extension JSONParser {
  mutating func parseKey() -> JSONString? {
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

  mutating func parseString() -> JSONString? {
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
  mutating func parseWord() -> LocatedJSON? {
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
