internal import EtalonDiagnostics
internal import EtalonManifest

/// The names that a text declares and where, for `did you mean` and for pointing at an earlier declaration.
///
/// It goes by the look of the tokens, because there is no syntax tree of a text that does not compile.
struct NameListing {
  struct Declaration {
    let name: String
    let token: Int
    /// The function that it is inside of, by the index of the body's opening brace; nil at file scope.
    let function: Int?
    let isFunction: Bool
  }

  let declarations: [Declaration]
  /// Names that the pass gets from outside.
  let outside: [String]
  /// For names that other players use, the name here.
  let elsewhere: [String: String]
  /// The functions of the dialect.
  private let given: [String: NameHints.Function]
  private let tokens: TokenListing

  /// Words that can stand in front of a name without declaring it.
  private static let notTypes: Set<String> = ["return", "else", "case", "do", "in", "out", "inout", "const", "if", "while", "for"]

  init(_ tokens: TokenListing, pass: PassSource) {
    self.tokens = tokens
    outside = pass.uniforms.map(\.name) + pass.textures.map(\.name) + pass.hints.offered
    elsewhere = pass.hints.here
    given = pass.hints.functions
    var declarations: [Declaration] = []
    for (index, function) in Self.functions(tokens) {
      let isDeclared = Self.declares(tokens, index)
      guard isDeclared, tokens.tokens[index].origin != nil else { continue }
      let isFunction = function == nil && tokens.text(index + 1) == "("
      declarations.append(Declaration(name: tokens.tokens[index].text, token: index, function: function, isFunction: isFunction))
    }
    self.declarations = declarations
  }

  /// Every name token with the function that it is in; parameters belong to the function whose body follows.
  private static func functions(_ tokens: TokenListing) -> [(index: Int, function: Int?)] {
    var out: [(Int, Int?)] = []
    var body: (start: Int, end: Int)?
    for (index, token) in tokens.tokens.enumerated() {
      if let current = body, index > current.end { body = nil }
      if body == nil, token.text == "(", let close = tokens.partner(of: index), tokens.text(close + 1) == "{" {
        body = (close + 1, tokens.partner(of: close + 1) ?? tokens.tokens.count)
      }
      if token.isName { out.append((index, body?.start)) }
    }
    return out
  }

  /// Whether the token looks like the name in a declaration: behind a type, or behind the comma of one.
  private static func declares(_ tokens: TokenListing, _ index: Int) -> Bool {
    guard index > 0 else { return false }
    let before = tokens.tokens[index - 1]
    if before.isName { return !notTypes.contains(before.text) && !BuiltIns.qualifiers.contains(before.text) }
    if before.text == "]" { return tokens.partner(of: index - 1).map { $0 > 0 && BuiltIns.isType(tokens.tokens[$0 - 1].text) } ?? false }
    guard before.text == ",", let next = tokens.text(index + 1), ["=", ",", ";", "["].contains(next) else { return false }
    let start = tokens.startOfStatement(index)
    return tokens.tokens[start].isName && tokens.text(start + 1).map { _ in tokens.tokens[start + 1].isName } ?? false
  }

  /// The function around a token: its opening brace.
  func function(around token: Int) -> Int? {
    declarations.last { $0.token <= token && $0.function != nil }.flatMap { last in
      guard let open = last.function, token <= tokens.partner(of: open) ?? tokens.tokens.count else { return nil }
      return open
    }
  }

  /// The values that the author can refer to at a token.
  func visible(at token: Int) -> [String] {
    let here = function(around: token)
    let declared = declarations.filter { ($0.function == nil || $0.function == here) && $0.token < token && !$0.isFunction }.map(\.name)
    return declared + outside
  }

  /// The latest declaration of a name in front of a token, in the same function or at file scope.
  func earlier(_ name: String, before token: Int) -> Declaration? {
    let here = function(around: token)
    return declarations.last { $0.name == name && $0.token < token && ($0.function == here || $0.function == nil) }
  }

  /// The author's functions of a name, in their order.
  func functions(named name: String) -> [Declaration] { declarations.filter { $0.isFunction && $0.name == name } }

  /// The forms of a function that the dialect or the language gives, each as the list of its parameters; empty for a name that is none.
  func forms(of name: String) -> [[String]] { given[name]?.forms ?? BuiltIns.forms(of: name) }

  /// A function that the dialect gives.
  func given(_ name: String) -> NameHints.Function? { given[name] }

  /// Whether a function's body stands behind its head.
  func isDefinition(_ function: Declaration) -> Bool {
    guard let close = tokens.partner(of: function.token + 1) else { return false }
    return tokens.text(close + 1) == "{"
  }

  /// A declaration that is out of reach: in another function or further down.
  func outOfReach(_ name: String) -> Declaration? { declarations.first { $0.name == name } }
}
