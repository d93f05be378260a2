/// The text of a JSON string and its place with the quotes.
struct JSONString {
  let text: String
  let range: Range<Int>
}

/// Scans one string of a JSON text and resolves its escapes.
struct JSONStringScanner {
  private let bytes: [UInt8]
  private let start: Int
  private let end: Int
  /// Whether strings may go on in the next line.
  private let joinsLines: Bool
  /// Behind what was scanned: the closing quote, or the line in which it is missing.
  private(set) var offset: Int
  private(set) var slips: [(slip: JSONSlip, range: Range<Int>, label: String)] = []
  private var content: [UInt8] = []

  init(bytes: [UInt8], start: Int, end: Int, joinsLines: Bool) {
    self.bytes = bytes
    self.start = start
    self.end = end
    self.joinsLines = joinsLines
    offset = start
  }

  /// What is shown of a string without an end.
  var openRange: Range<Int> { start..<max(start + 1, min(offset, lineEnd)) }

  /// The string; nil when it has no end.
  mutating func scan() -> JSONString? {
    let quote = bytes[start]
    guard let close = closing(quote) else {
      offset = lineEnd
      return nil
    }
    if quote != UInt8(ascii: "\"") { slips.append((.singleQuotes, start..<start + 1, "a single quote")) }
    offset = start + 1
    while offset < close { scanCharacter() }
    offset = close + 1
    let text = String(decoding: content, as: UTF8.self)
    if !slips.contains(where: { $0.slip == .escape }), String(validating: content, as: UTF8.self) == nil {
      slips.append((.notUTF8, start..<min(close + 1, lineEnd), "another encoding"))
    }
    return JSONString(text: text, range: start..<close + 1)
  }

  private var lineEnd: Int { bytes[start..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end }

  /// Where the closing quote is; a quote in a later line counts only when JSON follows it.
  private func closing(_ quote: UInt8) -> Int? {
    var index = start + 1
    var crossesLine = false
    while index < end, bytes[index] != quote {
      if bytes[index] == 0x0A || bytes[index] == 0x0D { crossesLine = true }
      if crossesLine, !joinsLines { return nil }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < end else { return nil }
    if crossesLine {
      let next = bytes[(index + 1)..<end].first { $0 > 0x20 }
      guard next.map({ ",:]}".utf8.contains($0) }) ?? true else { return nil }
    }
    return index
  }

  private mutating func scanCharacter() {
    let byte = bytes[offset]
    if byte == UInt8(ascii: "\\") { return scanEscape() }
    if byte < 0x20, !slips.contains(where: { $0.slip == .controlCharacter }) {
      slips.append((.controlCharacter, offset..<offset + 1, "in a string"))
    }
    content.append(byte)
    offset += 1
  }

  private mutating func scanEscape() {
    let simple: [UInt8: UInt8] = [
      UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
      UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]
    let letter = bytes[offset + 1]
    if let byte = letter == bytes[start] ? letter : simple[letter] {
      content.append(byte)
      offset += 2
    } else if letter == UInt8(ascii: "u"), let unit = codeUnit(at: offset) {
      scanCodeUnit(unit)
    } else {
      slips.append((.escape, offset..<offset + 2, "unknown escape"))
      content.append(bytes[offset])
      offset += 1
    }
  }

  /// `\u00e9`, or two of them for a character beyond the first 65,536.
  private mutating func scanCodeUnit(_ unit: UInt16) {
    if let scalar = Unicode.Scalar(unit) {
      content.append(contentsOf: Array(String(scalar).utf8))
      offset += 6
    } else if let low = codeUnit(at: offset + 6), UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(low) {
      content.append(contentsOf: Array(String(decoding: [unit, low], as: UTF16.self).utf8))
      offset += 12
    } else {
      slips.append((.escape, offset..<offset + 6, "half of a character"))
      content.append(contentsOf: Array("\u{FFFD}".utf8))
      offset += 6
    }
  }

  private func codeUnit(at place: Int) -> UInt16? {
    guard place + 6 <= end, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else { return nil }
    let digits = String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self)
    return digits.utf8.first == UInt8(ascii: "+") || digits.utf8.first == UInt8(ascii: "-") ? nil : UInt16(digits, radix: 16)
  }
}

// MARK: - numbers

/// The numbers of JSON, and those that other languages write.
package enum JSONNumber {
  package enum Form {
    case strict, forgivable, none
  }

  /// Whether a text is a number.
  package static func form(of text: Substring) -> Form {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    guard let (whole, fraction, exponent) = parts(digits), !(whole.isEmpty && (fraction ?? "").isEmpty) else { return .none }
    if exponent.map({ !isExponent($0) }) ?? false { return .none }
    let isStrict = !text.hasPrefix("+") && !whole.isEmpty && fraction != "" && (whole == "0" || !whole.hasPrefix("0"))
    return isStrict ? .strict : .forgivable
  }

  /// The value of a text that is a number in either form.
  package static func value(_ text: String) -> Double? {
    guard form(of: text[...]) != .none else { return nil }
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard let (whole, fraction, exponent) = parts(digits) else { return nil }
    let normal = "\(whole.isEmpty ? "0" : whole).\((fraction ?? "").isEmpty ? "0" : fraction ?? "0")e\(exponent ?? "0")"
    return Double(normal).map { isNegative ? -$0 : $0 }
  }

  /// The digits before the point, after it and after the `e`; nil when there is anything else.
  private static func parts(_ text: Substring) -> (whole: Substring, fraction: Substring?, exponent: Substring?)? {
    let whole = text.prefix(while: isDigit)
    var rest = text.dropFirst(whole.count)
    var fraction: Substring?
    if rest.hasPrefix(".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest.dropFirst(1 + (fraction?.count ?? 0))
    }
    if rest.isEmpty { return (whole, fraction, nil) }
    return rest.hasPrefix("e") || rest.hasPrefix("E") ? (whole, fraction, rest.dropFirst()) : nil
  }

  private static func isExponent(_ text: Substring) -> Bool {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    return !digits.isEmpty && digits.allSatisfy(isDigit)
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}

extension String {
  /// The text in quotes, on one line, as JSON has it, and YAML in double quotes.
  package var quotedAsJSON: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
