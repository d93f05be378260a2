/// Recognises expressions of three components, as far as names tell without parsing GLSL; in doubt the answer is no.
package struct SolidExpressions {
  private let tokens: [Token]
  private let types: DeclaredTypes

  /// Functions whose result has the type of their first argument.
  private static let sameType: Set<String> = ["normalize", "reflect", "refract", "abs", "fract", "floor", "sin", "cos", "mod", "mix"]
  /// Marks after which operands no longer have to fit each other.
  private static let separators: Set<String> = ["?", ",", "==", "!=", "<", ">", "<=", ">="]

  package init(_ tokens: [Token]) {
    self.tokens = tokens
    types = DeclaredTypes(tokens)
  }

  /// Longer expressions are not looked at.
  private static let longest = 256

  /// Whether visible tokens form an expression of three components: one such operand is enough, because the others have to fit.
  package func contains(_ expression: [Int]) -> Bool {
    guard expression.count <= Self.longest,
      !expression.contains(where: { Self.separators.contains(tokens[$0].text) && isOutside($0, of: expression) })
    else { return false }
    var position = 0
    while position < expression.count {
      let (isSolid, end) = operand(at: position, in: expression)
      if isSolid { return true }
      position = end + 1
    }
    return false
  }

  /// Whether no bracket of the expression is around the place.
  private func isOutside(_ place: Int, of expression: [Int]) -> Bool {
    var brackets = BracketDepth()
    for index in expression.prefix(while: { $0 != place }) { brackets.follow(tokens[index]) }
    return brackets.depth == 0
  }

  /// Whether the operand that starts at a position has three components, and where it ends.
  private func operand(at position: Int, in expression: [Int]) -> (isSolid: Bool, end: Int) {
    let token = tokens[expression[position]]
    let isGroup = token.isMark("(")
    guard token.kind == .identifier || isGroup else { return (false, position) }
    let isCall = !isGroup && position + 1 < expression.count && tokens[expression[position + 1]].isMark("(")
    let open = isGroup ? position : position + 1
    var end = position
    if isGroup || isCall {
      guard let close = tokens.closing(of: expression[open]), let last = expression.firstIndex(of: close) else {
        return (false, expression.count)
      }
      end = last
    }
    let suffix = suffix(after: end, in: expression)
    if let text = suffix.text { return (Self.isSwizzleOfThree(text), suffix.end) }
    let inner = open < end ? Array(expression[(open + 1)..<end]) : []
    if isGroup { return (contains(inner), suffix.end) }
    if isCall, Self.sameType.contains(token.text) { return (contains(firstArgument(inner)), suffix.end) }
    let isSolid = types.type(of: token.text, at: expression[position]) == "vec3"
    return (isSolid || (isCall && token.text == "vec3"), suffix.end)
  }

  private func firstArgument(_ arguments: [Int]) -> [Int] {
    Array(arguments.prefix { !(tokens[$0].isMark(",") && isOutside($0, of: arguments)) })
  }

  /// `.xyz` or `[0]` after an operand, and where it ends; the last of several members counts.
  private func suffix(after end: Int, in expression: [Int]) -> (text: String?, end: Int) {
    guard end + 1 < expression.count else { return (nil, end) }
    let mark = tokens[expression[end + 1]]
    if mark.isMark("."), end + 2 < expression.count {
      let further = suffix(after: end + 2, in: expression)
      return (further.text ?? tokens[expression[end + 2]].text, further.end)
    }
    guard mark.isMark("["), let close = tokens.closing(of: expression[end + 1]), let last = expression.firstIndex(of: close) else {
      return (nil, end)
    }
    let further = suffix(after: last, in: expression)
    return (further.text ?? "", further.end)
  }

  private static func isSwizzleOfThree(_ text: String) -> Bool {
    text.count == 3 && ["xyzw", "rgba", "stpq"].contains { set in text.allSatisfy(set.contains) }
  }
}

/// The types that names are declared with, as far as that shows without parsing GLSL.
private struct DeclaredTypes {
  private struct Declaration {
    let place: Int
    let type: String
    /// The brace that ends the block around it; nil outside of blocks, where parameters are too.
    var end: Int?
  }

  private static let types: Set<String> = [
    "float", "int", "uint", "bool", "vec2", "vec3", "vec4", "ivec2", "ivec3", "ivec4", "uvec2", "uvec3", "uvec4", "bvec2", "bvec3", "bvec4",
    "mat2", "mat3", "mat4",
  ]
  /// Tokens of one declaration; the names of a longer one are not looked for.
  private static let longest = 4096

  private let scope: FileScope
  private let tokens: [Token]
  private let macros: Set<String>
  private let macroParameters: Set<String>
  private var declarations: [String: [Declaration]] = [:]

  init(_ tokens: [Token]) {
    self.tokens = tokens
    scope = FileScope(tokens)
    let definitions = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }
    macros = Set(definitions.map(\.name))
    macroParameters = Set(definitions.flatMap { $0.parameters ?? [] })
    var blocks: [[(name: String, number: Int)]] = []
    for index in tokens.indices where !tokens[index].isInDirective {
      if Self.types.contains(tokens[index].text) {
        let added = add(declarationAt: index)
        if !blocks.isEmpty { blocks[blocks.count - 1] += added }
      } else if tokens[index].isMark("{") {
        blocks.append([])
      } else if tokens[index].isMark("}"), let ended = blocks.popLast() {
        for (name, number) in ended { declarations[name]?[number].end = index }
      }
    }
  }

  /// The one type of a name at a place; nil when there are several, or none.
  ///
  /// In the function around the place the last declaration in front of it counts whose block is still open; only without one, those outside.
  func type(of name: String, at place: Int) -> String? {
    guard !macros.contains(name), !(tokens[place].isInDirective && macroParameters.contains(name)), let all = declarations[name] else {
      return nil
    }
    if let function = scope.function(containing: place) {
      let own = all.last { declaration in
        declaration.place < place && declaration.end ?? .max > place
          && scope.function(containing: declaration.place, withHead: true) == function
      }
      if let own { return own.type }
    }
    let types = Set(all.filter { scope.function(containing: $0.place, withHead: true) == nil }.map(\.type))
    return types.count == 1 ? types.first : nil
  }

  /// Adds the names of `vec3 a, b = f(a), c[2]` or of one parameter, and tells which.
  private mutating func add(declarationAt type: Int) -> [(name: String, number: Int)] {
    var added: [(name: String, number: Int)] = []
    var place = tokens.next(after: type)
    var depth = 0
    var expectsName = true
    while let current = place, current - type < Self.longest {
      let token = tokens[current]
      if expectsName {
        guard token.kind == .identifier, !Self.types.contains(token.text), !["in", "out", "inout", "const"].contains(token.text) else {
          return added
        }
        added.append((token.text, declarations[token.text]?.count ?? 0))
        declarations[token.text, default: []].append(Declaration(place: current, type: tokens[type].text))
        expectsName = false
      } else if token.kind == .punctuator {
        if ["(", "[", "{"].contains(token.text) { depth += 1 }
        if [")", "]", "}"].contains(token.text) { depth -= 1 }
        if depth < 0 || (depth == 0 && token.text == ";") { return added }
        expectsName = depth == 0 && token.text == ","
      }
      place = tokens.next(after: current)
    }
    return added
  }
}
