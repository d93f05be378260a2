internal import EtalonManifest

/// Conditions that are turned into their opposite: of `if`, and of `?`.
struct BranchRule: MutationRule {
  let kind = MutationKind.branch

  /// What a condition of `?` cannot reach beyond.
  private static let borders: Set<String> = ["=", "+=", "-=", "*=", "/=", "(", "[", "{", "}", ",", ";", "?", ":"]

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.changeable.compactMap { index in
      let token = text.tokens[index]
      if token.isName("if"), !token.isInDirective { return statement(text, index) }
      return token.isMark("?") ? expression(text, before: index) : nil
    }
  }

  private func statement(_ text: ShaderTokens, _ index: Int) -> TextChange? {
    guard let open = text.tokens.next(after: index), text.tokens[open].isMark("("), let close = text.tokens.closing(of: open) else {
      return nil
    }
    return negated(text, open + 1, close - 1)
  }

  private func expression(_ text: ShaderTokens, before mark: Int) -> TextChange? {
    var depth = 0
    var first: Int?
    var place = text.tokens.previous(before: mark)
    while let current = place {
      let token = text.tokens[current]
      if token.isMark(")") || token.isMark("]") { depth += 1 }
      if depth == 0, token.isName("return") || token.kind == .punctuator && Self.borders.contains(token.text) { break }
      if token.isMark("(") || token.isMark("[") { depth -= 1 }
      first = current
      place = text.tokens.previous(before: current)
    }
    guard let first, let last = text.tokens.previous(before: mark) else { return nil }
    return negated(text, first, last)
  }

  private func negated(_ text: ShaderTokens, _ first: Int, _ last: Int) -> TextChange? {
    guard first <= last else { return nil }
    return TextChange(
      kind: kind, range: text.range(first).lowerBound..<text.range(last).upperBound, replacement: "!(\(text.text(first, last)))")
  }
}
