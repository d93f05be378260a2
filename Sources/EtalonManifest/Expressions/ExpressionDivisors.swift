internal import EtalonDiagnostics

extension ExpressionText {
  /// What the expression divides by: the operands behind `/` and `%`, each at its place, in the order of the text.
  package var divisors: [ExpressionText] {
    let tokens = Lexer.tokens(of: SourceText(path: "<expression>", text: text))
    let bytes = Array(text.utf8)
    return tokens.indices.filter { tokens[$0].isMark("/") || tokens[$0].isMark("%") }.compactMap { sign in
      guard let operand = Self.operand(behind: sign, in: tokens) else { return nil }
      return ExpressionText(String(decoding: bytes[operand], as: UTF8.self), place: self.place(of: operand))
    }
  }

  /// Signs, a number, a name, a call or parentheses, and what is selected of it, as UTF-8 offsets; nil where there is no operand.
  private static func operand(behind sign: Int, in tokens: [Token]) -> Range<Int>? {
    guard let first = tokens.next(after: sign) else { return nil }
    var last = first
    while tokens[last].isMark("-") || tokens[last].isMark("+"), let next = tokens.next(after: last) { last = next }
    if tokens[last].isMark("("), let closing = tokens.closing(of: last) { last = closing }
    while let next = tokens.next(after: last) {
      if tokens[next].isMark("("), tokens[last].kind == .identifier, let closing = tokens.closing(of: next) {
        last = closing
      } else if tokens[next].isMark("["), let closing = tokens.closing(of: next) {
        last = closing
      } else if tokens[next].isMark("."), let member = tokens.next(after: next) {
        last = member
      } else {
        break
      }
    }
    guard let start = tokens[first].origin?.range.lowerBound, let end = tokens[last].origin?.range.upperBound else { return nil }
    return start..<end
  }

  /// A part of the text in the author's file; the place of all of it where that was written otherwise.
  private func place(of part: Range<Int>) -> SourceRange? {
    guard let place, place.source.bytes[place.range].elementsEqual(text.utf8) else { return place }
    return SourceRange(place.source, place.range.lowerBound + part.lowerBound..<place.range.lowerBound + part.upperBound)
  }
}
