internal import EtalonDiagnostics
internal import EtalonTypes

/// A value that a text gives a uniform in a comment behind it: `// = vec2(0.5)`, `/* = 1.0 */`, or `= 1.0` in front of the semicolon.
struct CommentedDefault {
  /// Nil for a text that is no literal.
  private let value: Value?
  /// What a comment says where that is a list of numbers without a constructor, or a color as `#ff8800`.
  private let list: String?
  let labels: [Diagnostic.Label]

  /// An initialiser of the text itself.
  init(_ places: [Int], in tokens: [Token]) {
    value = LiteralReader.value(of: places, in: tokens)
    list = nil
    labels = tokens.labels(at: places, "no literal")
  }

  /// A comment that begins with `=`; nil for any other comment.
  private init?(comment: Token) {
    guard let origin = comment.origin else { return nil }
    let written = origin.source.bytes[origin.range]
    let end = written.starts(with: Array("/*".utf8)) && written.count >= 4 ? written.endIndex - 2 : written.endIndex
    let body = written[written.startIndex + 2..<end]
    guard let mark = body.firstIndex(where: { $0 > 0x20 }), body[mark] == UInt8(ascii: "=") else { return nil }
    let line = body[(mark + 1)...].prefix { $0 != 0x0A && $0 != 0x0D }
    let text = String(decoding: line, as: UTF8.self)
    let tokens = Lexer.tokens(ofAddedText: text)
    // Authors explain a value behind it: `= 0.3; // the smaller, the darker`.
    let places = tokens.indices.prefix { tokens[$0].kind != .comment && !tokens[$0].isMark(";") }.filter { tokens[$0].isSignificant }
    value = LiteralReader.value(of: Array(places), in: tokens)
    let color = text.drop { $0 == " " }.prefix { $0 != " " && $0 != ";" && $0 != "/" }
    list = color.hasPrefix("#") ? String(color) : places.contains { tokens[$0].isMark(",") } ? places.map { tokens[$0].text }.joined() : nil
    labels = [.init(origin.source, mark..<mark + 1 + text.utf8.count, "no literal")]
  }

  /// The first such comment between two tokens, or behind one of them in its line.
  static func find(after start: Int, before end: Int = .max, in tokens: [Token], stopsAtLineEnd: Bool = false) -> CommentedDefault? {
    for token in tokens[min(start + 1, tokens.count)..<max(start + 1, min(end, tokens.count))] {
      if token.kind == .comment { return CommentedDefault(comment: token) }
      if stopsAtLineEnd, token.kind != .space { return nil }
    }
    return nil
  }

  /// The value as a type: one number fills a vector, and 0 and 1 are truth values.
  func value(as type: ValueType) -> Value? {
    guard let value else { return list.flatMap { ValueText.value($0, as: type) } }
    if let converted = ValueConversion.converted(value, to: type) { return converted }
    if type == .bool { return value.components.count == 1 ? ValueConversion.constructed(.bool, from: value.components) : nil }
    let isSame = type.isFloat || (!value.type.isFloat && value.type != .bool)
    return isSame && value.type != .bool && value.components.count == 1 ? ValueConversion.constructed(type, from: value.components) : nil
  }
}
