internal import EtalonDiagnostics
internal import EtalonManifest

/// The tokens of a shader's text, with those among them that can be changed without changing what the shader asks its host for.
struct ShaderTokens: Sendable {
  let tokens: [Token]
  let scope: FileScope
  /// The places of the tokens that may be changed, in the order of the text.
  let changeable: [Int]

  /// Words that begin a declaration of what others give or take.
  private static let interfaceWords: Set<String> = [
    "uniform", "in", "out", "inout", "varying", "attribute", "buffer", "layout", "precision",
  ]

  init(_ source: SourceText) {
    let tokens = Lexer.tokens(of: source)
    let scope = FileScope(tokens)
    self.tokens = tokens
    self.scope = scope
    let bodies = scope.functions.compactMap(\.body)
    let constants = scope.declarations.filter { !Self.isInterface($0, tokens) }
    let outside = Set(constants.flatMap(\.tokens) + Self.definitions(tokens))
    changeable = tokens.indices.filter { index in
      guard tokens[index].isSignificant else { return false }
      return tokens[index].isInDirective ? outside.contains(index) : outside.contains(index) || bodies.contains { $0.contains(index) }
    }
  }

  /// The byte range of a token in its text.
  func range(_ index: Int) -> Range<Int> {
    guard let origin = tokens[index].origin else { preconditionFailure("a token of an author without a place") }
    return origin.range
  }

  func change(_ kind: MutationKind, _ index: Int, to replacement: String) -> TextChange {
    TextChange(kind: kind, range: range(index), replacement: replacement)
  }

  /// The author's words from one token to another.
  func text(_ first: Int, _ last: Int) -> String { tokens[first...last].map(\.text).joined() }

  /// Whether an operator at this place stands between two operands, and not before its only one.
  func isBetweenOperands(_ index: Int) -> Bool {
    guard let before = tokens.previous(before: index) else { return false }
    let token = tokens[before]
    switch token.kind {
    case .identifier: return token.text != "return"
    case .integer, .float: return true
    case .punctuator: return token.text == ")" || token.text == "]"
    case .string, .space, .comment, .lineEnd, .other: return false
    }
  }

  private static func isInterface(_ declaration: FileScope.Declaration, _ tokens: [Token]) -> Bool {
    declaration.tokens.contains { tokens[$0].kind == .identifier && interfaceWords.contains(tokens[$0].text) }
  }

  /// What stands behind the names of `#define NAME`.
  private static func definitions(_ tokens: [Token]) -> [Int] {
    tokens.indices.filter { tokens[$0].isInDirective && tokens[$0].isName("define") }.flatMap { word -> [Int] in
      guard let name = tokens.next(after: word) else { return [] }
      var places: [Int] = []
      var place = Self.takesArguments(name, tokens) ? tokens.closing(of: name + 1) : name
      while let current = place, let next = tokens.next(after: current) {
        places.append(next)
        place = next
      }
      return places
    }
  }

  private static func takesArguments(_ name: Int, _ tokens: [Token]) -> Bool { name + 1 < tokens.count && tokens[name + 1].isMark("(") }
}
