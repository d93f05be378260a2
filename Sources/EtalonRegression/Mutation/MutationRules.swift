internal import EtalonDiagnostics
internal import EtalonGLSL

/// What kind of small defect a change to a shader stands for.
package enum MutationKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Another number.
  case constant
  /// Another operator.
  case `operator`
  /// Other components, or the same in another order.
  case swizzle
  /// A function in the place of its neighbor, or its arguments the other way round.
  case function
  /// A condition that holds when it should not.
  case branch
  /// Another interpolation, or another rule for what lies beyond the edge.
  case sampling
  /// Another default of a parameter.
  case `default`
  /// A pass that does nothing.
  case pass
}

/// Bytes of a text that are replaced by others.
struct TextChange: Sendable, Hashable {
  let kind: MutationKind
  let range: Range<Int>
  let replacement: String

  /// The bytes of a text with the change.
  func applied(to bytes: [UInt8]) -> [UInt8] { bytes[..<range.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...] }
}

/// A rule that finds places in a shader where a small defect is possible.
protocol MutationRule: Sendable {
  var kind: MutationKind { get }

  /// The changes that the rule has for a text.
  func changes(of text: ShaderTokens) -> [TextChange]
}

/// The tokens of a shader's text, with those among them that can be changed without changing the interface of the shader.
struct ShaderTokens: Sendable {
  let tokens: [Token]
  fileprivate let scope: FileScope
  /// The places of the tokens that may be changed, in the order of the text.
  fileprivate let changeable: [Int]

  /// Words in declarations of an interface, which the host or another function uses.
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
  fileprivate func isBetweenOperands(_ index: Int) -> Bool {
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

// MARK: - rules

/// Numbers that are a tenth larger, one more, of the other sign, or 0 instead of 1.
struct ConstantRule: MutationRule {
  let kind = MutationKind.constant

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.changeable.flatMap { index -> [TextChange] in
      let token = text.tokens[index]
      switch token.kind {
      case .float: return Self.others(float: token.text).map { text.change(kind, index, to: $0) }
      case .integer: return Self.others(integer: token.text).map { text.change(kind, index, to: $0) }
      case .identifier, .punctuator, .string, .space, .comment, .lineEnd, .other: return []
      }
    }
  }

  private static func others(float text: String) -> [String] {
    let digits = text.prefix { !"fFlL".contains($0) }
    guard let value = Double(digits.hasSuffix(".") ? digits + "0" : digits.hasPrefix(".") ? "0" + digits : String(digits)) else {
      return []
    }
    if value == 0 { return ["1.0"] }
    let others = [value * 1.1, value + 1] + (value == 1 ? [0] : [])
    return others.map(written) + ["(-\(text))"]
  }

  private static func others(integer text: String) -> [String] {
    let suffix = text.hasSuffix("u") || text.hasSuffix("U") ? String(text.suffix(1)) : ""
    let digits = text.dropLast(suffix.count)
    let value = digits.lowercased().hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
    guard let value, value < UInt64(UInt32.max) else { return [] }
    let others = [value + 1] + (value == 1 ? [0] : [])
    return others.map { "\($0)\(suffix)" } + (suffix.isEmpty && value != 0 ? ["(-\(text))"] : [])
  }

  /// A number as GLSL has it, with at most seven digits.
  private static func written(_ value: Double) -> String {
    let text = "\(Float(value))"
    return text.contains(".") || text.contains("e") ? text : "\(text).0"
  }
}

/// Operators in the place of those that they are confused with.
struct OperatorRule: MutationRule {
  let kind = MutationKind.operator

  private static let others = [
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
    "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "^=": "|=",
  ]

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.changeable.compactMap { index in
      let token = text.tokens[index]
      guard token.kind == .punctuator, let other = Self.others[token.text] else { return nil }
      if text.isBetweenOperands(index) { return text.change(kind, index, to: other) }
      return token.text == "-" ? text.change(kind, index, to: "+") : nil
    }
  }
}

/// Components of vectors in another order, or others.
struct SwizzleRule: MutationRule {
  let kind = MutationKind.swizzle

  private static let families = ["xyzw", "rgba", "stpq"].map(Array.init)

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.changeable.flatMap { index -> [TextChange] in
      guard text.tokens[index].kind == .identifier, !text.tokens.isCalled(at: index), let dot = text.tokens.previous(before: index),
        text.tokens[dot].isMark(".")
      else { return [] }
      return Self.others(Array(text.tokens[index].text)).map { text.change(kind, index, to: $0) }
    }
  }

  private static func others(_ components: [Character]) -> [String] {
    guard components.count <= 4, let family = families.first(where: { family in components.allSatisfy(family.contains) }) else { return [] }
    var others: [[Character]] = []
    if components.count == 1, let place = family.firstIndex(of: components[0]) {
      others.append([family[place == 0 ? 1 : place - 1]])
    }
    if components.count > 1 {
      others.append([components[1], components[0]] + components[2...])
      others.append(Array(components.dropFirst()) + [components[0]])
    }
    var known: Set<[Character]> = [components]
    return others.filter { known.insert($0).inserted }.map { String($0) }
  }
}

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

  /// Functions of which the first two arguments can be confused.
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

/// Conditions that are turned into their opposite: of `if`, and of `?`.
struct BranchRule: MutationRule {
  let kind = MutationKind.branch

  /// The tokens before which a condition of `?` begins.
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

/// The functions of passes, which return at once.
struct PassRule: MutationRule {
  let kind = MutationKind.pass
  /// The names of the functions.
  let functions: Set<String>

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.scope.functions.compactMap { function in
      guard functions.contains(function.name), let body = function.body else { return nil }
      let type = function.returnType.map { text.tokens[$0].text }.last
      // What is written into an output parameter begins as zero.
      let replacement = type == "void" ? "{ return;" : type.map { "{ return \($0)(0.0);" }
      return replacement.map { text.change(kind, body.lowerBound, to: $0) }
    }
  }
}
