internal import EtalonManifest

/// Functions in the place of their neighbors, and `mix` and its like with their arguments the other way round.
struct FunctionRule: MutationRule {
  let kind = MutationKind.function

  private static let neighbors: [String: [String]] = [
    "min": ["max"], "max": ["min"], "sin": ["cos"], "cos": ["sin"], "floor": ["ceil", "round"], "ceil": ["floor"], "round": ["floor"],
    "fract": ["floor"], "exp": ["exp2"], "exp2": ["exp"], "log": ["log2"], "log2": ["log"], "sqrt": ["inversesqrt"],
    "inversesqrt": ["sqrt"], "any": ["all"], "all": ["any"], "lessThan": ["lessThanEqual"], "greaterThan": ["greaterThanEqual"],
    "lessThanEqual": ["lessThan"], "greaterThanEqual": ["greaterThan"], "abs": [""], "normalize": [""], "tan": ["sin"], "asin": ["acos"],
    "acos": ["asin"], "length": ["-length"], "distance": ["-distance"],
  ]

  /// Functions of which the first two arguments can be mistaken for each other.
  private static let exchanged: Set<String> = ["mix", "smoothstep", "step", "pow", "atan", "mod", "cross"]

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.changeable.flatMap { index -> [TextChange] in
      let token = text.tokens[index]
      guard token.kind == .identifier, text.tokens.isCalled(at: index) else { return [] }
      if let other = Self.neighbors[token.text] { return other.map { text.change(kind, index, to: $0) } }
      return Self.exchanged.contains(token.text) ? exchange(text, index).map { [$0] } ?? [] : []
    }
  }

  /// The call with its first two arguments the other way round.
  private func exchange(_ text: ShaderTokens, _ name: Int) -> TextChange? {
    guard let open = text.tokens.next(after: name), let arguments = text.tokens.arguments(openedAt: open), arguments.count >= 2,
      let first = arguments[0].first, let firstEnd = arguments[0].last, let second = arguments[1].first, let secondEnd = arguments[1].last
    else { return nil }
    let words = (text.text(first, firstEnd), text.text(second, secondEnd))
    guard words.0 != words.1 else { return nil }
    let between = text.text(firstEnd + 1, second - 1)
    return TextChange(
      kind: kind, range: text.range(first).lowerBound..<text.range(secondEnd).upperBound, replacement: words.1 + between + words.0)
  }
}
