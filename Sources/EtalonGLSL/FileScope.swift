/// What a text declares outside of functions, found by brackets alone, without parsing GLSL.
package struct FileScope: Sendable {
  /// A function with its places in the token list.
  package struct Function: Sendable, Hashable {
    package let name: String
    package let nameIndex: Int
    /// The tokens of the return type, with its qualifiers.
    package let returnType: [Int]
    /// The visible tokens of each parameter; none for `f()` and `f(void)`.
    package let parameters: [[Int]]
    /// From `{` to `}`; nil for a prototype.
    package let body: ClosedRange<Int>?
  }

  /// A declaration that is no function: its visible tokens, without the `;`.
  package struct Declaration: Sendable, Hashable {
    package let tokens: [Int]
    /// The place of the `;`.
    package let end: Int
  }

  /// Tokens in the head of a function; what is longer is none.
  private static let longestHead = 4096

  package private(set) var functions: [Function] = []
  /// The functions that have a body, in the order of the text.
  private var bodies: [Function] = []
  package private(set) var declarations: [Declaration] = []
  /// The visible tokens of the declaration being read.
  private var statement: [Int] = []

  package init(_ tokens: [Token]) {
    var brackets = BracketDepth()
    var bodyStart: Int?
    for index in tokens.indices {
      if tokens[index].isInDirective {
        brackets.follow(directiveToken: index, in: tokens)
        continue
      }
      guard tokens[index].isSignificant else { continue }
      let before = brackets.depth
      brackets.follow(tokens[index])
      if before == 0, tokens[index].isMark("{"), head(tokens) != nil { bodyStart = index }
      if bodyStart == nil, !(before == 0 && tokens[index].isMark(";")) { statement.append(index) }
      guard brackets.depth == 0 else { continue }
      if let start = bodyStart, tokens[index].isMark("}") {
        addFunction(body: start...index, tokens)
        bodyStart = nil
      } else if bodyStart == nil, tokens[index].isMark(";") {
        endStatement(at: index, tokens)
      }
    }
  }

  /// The function whose body a place is in, or whose head if asked for.
  package func function(containing place: Int, withHead: Bool = false) -> Function? {
    var low = 0
    var high = bodies.count
    while low < high {
      let middle = (low + high) / 2
      if bodies[middle].body?.upperBound ?? 0 < place { low = middle + 1 } else { high = middle }
    }
    guard low < bodies.count, let body = bodies[low].body else { return nil }
    let start = withHead ? bodies[low].nameIndex + 1 : body.lowerBound
    return place >= start ? bodies[low] : nil
  }

  /// The head of a function at the end of `statement`: positions in it.
  private struct Head {
    let returnType: Range<Int>
    let name: Int
    let open: Int
  }

  /// Reads `type name(…)` at the end of the tokens since the last declaration; macro calls without `;` may stand before it.
  private func head(_ tokens: [Token]) -> Head? {
    guard let open = openingOfLastParenthesis(tokens), open >= 2 else { return nil }
    let name = open - 1
    guard tokens[statement[name]].kind == .identifier, tokens[statement[name]].text != "layout" else { return nil }
    let start = statement[..<name].lastIndex { tokens[$0].isMark(")") || tokens[$0].isMark("}") }.map { $0 + 1 } ?? 0
    let returnType = start..<name
    guard !returnType.isEmpty, returnType.count <= Self.longestHead else { return nil }
    let isType = returnType.allSatisfy { position in
      let token = tokens[statement[position]]
      return token.kind == .identifier || token.kind == .integer || token.isMark("[") || token.isMark("]")
    }
    return isType ? Head(returnType: returnType, name: name, open: open) : nil
  }

  /// The position of the parenthesis that the last token closes.
  private func openingOfLastParenthesis(_ tokens: [Token]) -> Int? {
    guard let last = statement.last, tokens[last].isMark(")") else { return nil }
    var depth = 0
    for position in statement.indices.suffix(Self.longestHead).reversed() where tokens[statement[position]].kind == .punctuator {
      switch tokens[statement[position]].text {
      case ")", "]", "}": depth += 1
      case "(", "[", "{": depth -= 1
      default: break
      }
      if depth == 0 { return position }
    }
    return nil
  }

  private mutating func endStatement(at end: Int, _ tokens: [Token]) {
    if head(tokens) != nil {
      addFunction(body: nil, tokens)
    } else if !statement.isEmpty {
      declarations.append(Declaration(tokens: statement, end: end))
      statement = []
    }
  }

  private mutating func addFunction(body: ClosedRange<Int>?, _ tokens: [Token]) {
    defer { statement = [] }
    guard let head = head(tokens) else { return }
    let nameIndex = statement[head.name]
    let parameters = (tokens.arguments(openedAt: statement[head.open]) ?? []).filter { parameter in
      !(parameter.isEmpty || (parameter.count == 1 && tokens[parameter[0]].isName("void")))
    }
    let function = Function(
      name: tokens[nameIndex].text, nameIndex: nameIndex, returnType: Array(statement[head.returnType]), parameters: parameters, body: body)
    functions.append(function)
    if body != nil { bodies.append(function) }
  }
}

/// How deep in brackets a place is, with the branches of `#if` counted one at a time.
package struct BracketDepth: Sendable {
  package private(set) var depth = 0
  private var depthsAtIf: [Int] = []

  package init() {}

  package mutating func follow(_ token: Token) {
    guard token.kind == .punctuator else { return }
    switch token.text {
    case "(", "[", "{": depth += 1
    case ")", "]", "}": depth = max(0, depth - 1)
    default: break
    }
  }

  /// Both branches of a condition start at the depth of the condition.
  package mutating func follow(directiveToken index: Int, in tokens: [Token]) {
    guard tokens[index].kind == .identifier, let hash = tokens.previous(before: index), tokens[hash].isMark("#") else { return }
    switch tokens[index].text {
    case "if", "ifdef", "ifndef": depthsAtIf.append(depth)
    case "else", "elif": depth = depthsAtIf.last ?? depth
    case "endif": _ = depthsAtIf.popLast()
    default: break
    }
  }
}

// MARK: - declarators

/// What follows the type in a declaration: `a, b[3], c = vec2(1.0, 2.0)`.
package struct DeclaratorList {
  package struct Declarator {
    package let name: Int
    /// From `[` to `]`; empty when the name is no array.
    package let array: [Int]
    /// The visible tokens after `=`.
    package let initializer: [Int]
  }

  package private(set) var declarators: [Declarator] = []

  /// Reads the visible tokens between the type and the `;`.
  package init(_ places: some Sequence<Int>, in tokens: [Token]) {
    for part in Self.parts(places, tokens) {
      guard let name = part.first, tokens[name].kind == .identifier else { continue }
      let assignment = part.firstIndex { tokens[$0].isMark("=") }
      let array = part[1..<(assignment ?? part.count)]
      let initializer = assignment.map { part[($0 + 1)...] } ?? []
      declarators.append(Declarator(name: name, array: Array(array), initializer: Array(initializer)))
    }
  }

  /// Splits at the commas outside of brackets.
  private static func parts(_ places: some Sequence<Int>, _ tokens: [Token]) -> [[Int]] {
    var parts: [[Int]] = [[]]
    var brackets = BracketDepth()
    for place in places {
      brackets.follow(tokens[place])
      if brackets.depth == 0, tokens[place].isMark(",") { parts.append([]) } else { parts[parts.count - 1].append(place) }
    }
    return parts
  }
}

// MARK: - signatures

/// The types of a function of an author's text.
package struct FunctionSignature: Hashable {
  package struct Parameter: Hashable {
    /// `in`, `out` or `inout`.
    let direction: String
    package let type: String
    /// Whether it is declared `const`, which a prototype has to repeat.
    let isConstant: Bool
  }

  package let name: String
  package let result: String
  package let parameters: [Parameter]

  package init(_ function: FileScope.Function, in tokens: [Token]) {
    name = function.name
    let qualifiers: Set<String> = ["highp", "mediump", "lowp", "precise"]
    result = function.returnType.map { tokens[$0].text }.filter { !qualifiers.contains($0) }.joined(separator: " ")
    parameters = function.parameters.map { places in
      let words = places.map { tokens[$0].text }.filter { !qualifiers.contains($0) }
      let directions = ["in", "out", "inout"]
      return Parameter(
        direction: words.first(where: directions.contains) ?? "in",
        type: words.first { !directions.contains($0) && $0 != "const" } ?? "", isConstant: words.contains("const"))
    }
  }

  /// Whether the function returns a type and takes values of some types.
  package func takes(_ types: [String], returns result: String) -> Bool {
    self.result == result && parameters.map(\.type) == types && parameters.allSatisfy { $0.direction == "in" }
  }

  /// A declaration that a call may stand behind: `vec4 transition(const vec2);`.
  package var prototype: String {
    let list = parameters.map { parameter in
      let direction = parameter.direction == "in" ? "" : parameter.direction + " "
      return (parameter.isConstant ? "const " : "") + direction + parameter.type
    }
    return "\(result) \(name)(\(list.joined(separator: ", ")));"
  }
}
