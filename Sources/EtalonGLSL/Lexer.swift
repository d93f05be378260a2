package import EtalonDiagnostics

/// Cuts a text into tokens; every byte of it belongs to one of them, except a byte order mark.
package struct Lexer {
  private let source: SourceText?
  private let bytes: [UInt8]
  private var offset = 0
  private var tokens: [Token] = []
  private var isInDirective = false
  /// Whether only white space and comments came before on this line.
  private var isAtLineStart = true

  /// The tokens of an author's text, each with its origin.
  package static func tokens(of source: SourceText) -> [Token] {
    var lexer = Lexer(source: source, bytes: source.bytes)
    return lexer.run()
  }

  /// The tokens of text that Etalon adds.
  package static func tokens(ofAddedText text: String) -> [Token] {
    var lexer = Lexer(source: nil, bytes: Array(text.utf8))
    return lexer.run()
  }

  private init(source: SourceText?, bytes: [UInt8]) {
    self.source = source
    self.bytes = bytes
  }

  private mutating func run() -> [Token] {
    tokens.reserveCapacity(bytes.count / 3)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    while offset < bytes.count { scanToken() }
    if isInDirective { tokens.append(Token(.lineEnd, "\n", isInDirective: true)) }
    return tokens
  }

  private mutating func scanToken() {
    let byte = bytes[offset]
    switch byte {
    case 0x0A, 0x0D: scanLineEnd()
    case 0x20, 0x09, 0x0B, 0x0C: scanBlanks()
    case UInt8(ascii: "\\") where continuationLength(at: offset) > 0: add(.space, count: continuationLength(at: offset), as: "\\\n")
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): scanLineComment()
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): scanBlockComment()
    default: scanSignificant(byte)
    }
  }

  private mutating func scanSignificant(_ byte: UInt8) {
    if byte == UInt8(ascii: "#"), isAtLineStart { isInDirective = true }
    isAtLineStart = false
    if byte.isNameStart {
      add(.identifier, count: length { $0.isNamePart })
    } else if byte.isDigit || (byte == UInt8(ascii: ".") && peek(1).isDigit) {
      scanNumber()
    } else if byte == UInt8(ascii: "\""), isInDirective {
      scanString()
    } else if byte >= 0x80 {
      scanForeignCharacter()
    } else if let count = Punctuators.length(at: offset, in: bytes) {
      add(.punctuator, count: count)
    } else {
      add(.other, count: 1, as: byte < 0x20 || byte == 0x7F ? "\u{FFFD}" : nil)
    }
  }

  // MARK: white space

  private mutating func scanLineEnd() {
    add(.lineEnd, count: bytes[offset] == 0x0D && peek(1) == 0x0A ? 2 : 1, as: "\n")
    isInDirective = false
    isAtLineStart = true
  }

  private mutating func scanBlanks() {
    add(.space, count: length { $0 == 0x20 || $0 == 0x09 || $0 == 0x0B || $0 == 0x0C })
  }

  /// Two or three bytes when a backslash stands right before a line end, else 0.
  private func continuationLength(at index: Int) -> Int {
    guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return 0 }
    if bytes[index + 1] == 0x0A { return 2 }
    guard bytes[index + 1] == 0x0D else { return 0 }
    return index + 2 < bytes.count && bytes[index + 2] == 0x0A ? 3 : 2
  }

  private mutating func scanLineComment() {
    var end = offset
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D {
      end += max(1, continuationLength(at: end))
    }
    addComment(upTo: min(end, bytes.count))
  }

  private mutating func scanBlockComment() {
    var end = offset + 2
    while end < bytes.count, !(bytes[end] == UInt8(ascii: "*") && end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: "/")) { end += 1 }
    addComment(upTo: min(end + 2, bytes.count))
  }

  /// A comment with other bytes than printable ASCII, tabs and line feeds is replaced by its line ends: the compiler may refuse such bytes.
  private mutating func addComment(upTo end: Int) {
    let content = bytes[offset..<end]
    let isPlain = content.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x09 || $0 == 0x0A }
    let lines = content.count { $0 == 0x0A } + (content.contains(0x0A) ? 0 : content.count { $0 == 0x0D })
    let isLineComment = content.dropFirst().first == UInt8(ascii: "/")
    let blank = isLineComment ? "//" + String(repeating: "\\\n", count: lines) : "/*" + String(repeating: "\n", count: lines) + "*/"
    add(.comment, count: end - offset, as: isPlain ? nil : blank)
  }

  // MARK: everything else

  private mutating func scanNumber() {
    var end = offset
    func skip(_ isWanted: (UInt8) -> Bool) { while end < bytes.count, isWanted(bytes[end]) { end += 1 } }
    var isFloat = false
    if bytes[offset] == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x") {
      end += 2
      skip { $0.isHexDigit }
    } else {
      skip { $0.isDigit }
      if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
        isFloat = true
        end += 1
        skip { $0.isDigit }
      }
      if let exponentEnd = exponent(at: end) {
        isFloat = true
        end = exponentEnd
      }
    }
    let suffixStart = end
    skip { "uUfFlL".utf8.contains($0) }
    if bytes[suffixStart..<end].contains(where: { $0 | 0x20 == UInt8(ascii: "f") }) { isFloat = true }
    add(isFloat ? .float : .integer, count: end - offset)
  }

  private func exponent(at index: Int) -> Int? {
    var end = index
    guard end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") else { return nil }
    end += 1
    if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
    guard end < bytes.count, bytes[end].isDigit else { return nil }
    while end < bytes.count, bytes[end].isDigit { end += 1 }
    return end
  }

  private mutating func scanString() {
    var end = offset + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    if end < bytes.count, bytes[end] == UInt8(ascii: "\"") { end += 1 }
    add(.string, count: end - offset)
  }

  /// A character outside ASCII: the many kinds of blanks are white space, everything else is left for the checks.
  private mutating func scanForeignCharacter() {
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let text = String(decoding: bytes[offset..<end], as: UTF8.self)
    let isBlank = text.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    add(isBlank ? .space : .other, count: end - offset, as: isBlank ? " " : nil)
  }

  private func peek(_ distance: Int) -> UInt8 { offset + distance < bytes.count ? bytes[offset + distance] : 0 }

  private func length(_ isWanted: (UInt8) -> Bool) -> Int {
    var end = offset
    while end < bytes.count, isWanted(bytes[end]) { end += 1 }
    return end - offset
  }

  private mutating func add(_ kind: Token.Kind, count: Int, as text: String? = nil) {
    let range = offset..<offset + count
    let origin = source.map { SourceRange($0, range) }
    let text = text ?? String(decoding: bytes[range], as: UTF8.self)
    tokens.append(Token(kind, text, origin: origin, isInDirective: isInDirective))
    offset += count
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
  fileprivate var isNameStart: Bool { (0x61...0x7A).contains(self | 0x20) || self == UInt8(ascii: "_") }
  fileprivate var isNamePart: Bool { isNameStart || isDigit }
}

/// The operators and brackets of GLSL and of its preprocessor.
package enum Punctuators {
  /// The longest first, so that the first match is the right one.
  private static let byLength: [Set<[UInt8]>] = [
    ["<<=", ">>="],
    ["++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "^^", "<<", ">>", "##"],
    ["+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "=", "<", ">", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "#"],
  ].map { Set($0.map { Array($0.utf8) }) }

  /// The length of the operator or bracket at an offset; nil when there is none.
  static func length(at offset: Int, in bytes: [UInt8]) -> Int? {
    for (index, marks) in byLength.enumerated() {
      let length = 3 - index
      guard offset + length <= bytes.count else { continue }
      if marks.contains(Array(bytes[offset..<offset + length])) { return length }
    }
    return nil
  }

  /// The operators that join operands into one expression; each makes the compiler's tree one step deeper.
  package static let joiningOperators: Set<String> = [
    "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "=", "<", ">", "?", ":", ".", "[", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "^^", "<<", ">>", "<<=", ">>=",
  ]
}

// MARK: - what is no GLSL

/// Finds characters that GLSL does not know, such as the typographic quotes into which web pages turn plain ones.
///
/// Branches of `#if` are left to the compiler, because text in a branch that is not compiled may hold any character.
package enum UnknownCharacters {
  private static let mostReported = 20

  package static func diagnostics(in tokens: [Token]) -> [Diagnostic] {
    var conditions = 0
    var found: [Diagnostic] = []
    for index in tokens.indices where found.count < mostReported {
      if tokens[index].isInDirective {
        conditions += change(at: index, tokens)
      } else if conditions == 0, tokens[index].kind == .other {
        found.append(diagnostic(for: tokens[index], tokens, index))
      }
    }
    return found
  }

  /// 1 where a condition begins, -1 where it ends.
  private static func change(at index: Int, _ tokens: [Token]) -> Int {
    guard tokens[index].kind == .identifier, let hash = tokens.previous(before: index), tokens[hash].isMark("#") else { return 0 }
    switch tokens[index].text {
    case "if", "ifdef", "ifndef": return 1
    case "endif": return -1
    default: return 0
    }
  }

  private static func diagnostic(for token: Token, _ tokens: [Token], _ index: Int) -> Diagnostic {
    let shown = token.origin.map { name($0) } ?? scalarName(token.text)
    let lookalikes = ["\u{2212}": "-", "\u{2013}": "-", "\u{D7}": "*", "\u{2018}": "'", "\u{2019}": "'", "\u{FF1B}": ";", "\u{FF0C}": ","]
    let help = lookalikes[token.text].map { ["write '\($0)'"] } ?? []
    return Diagnostic(
      "glsl.unknown-character", "unknown character \(shown)", labels: tokens.labels(at: [index], "not part of GLSL"), help: help)
  }

  /// The first character in a part of a text that GLSL does not know, what to call it and where it is; nil when there is none.
  package static func first(in part: SourceRange) -> (name: String, place: SourceRange)? {
    // With blanks in front, places are those of the whole text.
    let bytes = Array(repeating: UInt8(ascii: " "), count: part.range.lowerBound) + part.source.bytes[part.range]
    let token = Lexer.tokens(of: SourceText(path: part.source.path, bytes: bytes)).first { $0.kind == .other }
    return token?.origin.map { SourceRange(part.source, $0.range) }.map { (name($0), $0) }
  }

  /// What to call the character that an author wrote.
  private static func name(_ place: SourceRange) -> String {
    let bytes = place.source.bytes[place.range]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return bytes.map { "0x" + String($0, radix: 16, uppercase: true) }.joined(separator: " ") + ", which is not UTF-8"
    }
    return scalarName(text)
  }

  private static func scalarName(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      if (0x20..<0x7F).contains(scalar.value) { return "'\(scalar)'" }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      return scalar.properties.isAlphabetic || scalar.properties.isMath ? "'\(scalar)' (\(code))" : code
    }.joined(separator: " ")
  }
}

/// Finds a comment without an end, which makes the rest of its file a part of it.
package enum UnterminatedComment {
  package static func diagnostics(in tokens: [Token]) -> [Diagnostic] {
    tokens.compactMap { token in
      guard token.kind == .comment, let origin = token.origin else { return nil }
      let text = origin.source.bytes[origin.range]
      let isOpen = text.starts(with: Array("/*".utf8)) && (text.count < 4 || Array(text.suffix(2)) != Array("*/".utf8))
      guard isOpen else { return nil }
      let start = origin.range.lowerBound
      return Diagnostic(
        "glsl.unterminated-comment", "a comment has no end", labels: [.init(origin.source, start..<start + 2, "starts here")],
        help: ["write '*/' where it ends"])
    }
  }
}
