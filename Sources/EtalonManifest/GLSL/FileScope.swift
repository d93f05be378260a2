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
      if before == 0, tokens[index].isMark("{"), isFunctionHead(tokens) { bodyStart = index }
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

  /// The function whose body a place is in.
  package func function(containing place: Int) -> Function? {
    let bodies = functions.filter { $0.body != nil }
    var low = 0
    var high = bodies.count
    while low < high {
      let middle = (low + high) / 2
      if bodies[middle].body?.upperBound ?? 0 < place { low = middle + 1 } else { high = middle }
    }
    return low < bodies.count && bodies[low].body?.contains(place) == true ? bodies[low] : nil
  }

  /// Whether the tokens since the last declaration read like `type name(…)`.
  private func isFunctionHead(_ tokens: [Token]) -> Bool {
    guard let last = statement.last, tokens[last].isMark(")"), statement.count <= Self.longestHead else { return false }
    return headName(tokens) != nil
  }

  /// The position in `statement` of the name before the first parenthesis.
  private func headName(_ tokens: [Token]) -> Int? {
    guard let open = statement.firstIndex(where: { tokens[$0].isMark("(") }), open >= 2 else { return nil }
    guard tokens[statement[open - 1]].kind == .identifier, !statement[..<open].contains(where: { tokens[$0].isMark("=") }) else {
      return nil
    }
    let isLayout = tokens[statement[open - 1]].text == "layout"
    return isLayout ? nil : open - 1
  }

  private mutating func endStatement(at end: Int, _ tokens: [Token]) {
    if let last = statement.last, tokens[last].isMark(")"), headName(tokens) != nil {
      addFunction(body: nil, tokens)
    } else if !statement.isEmpty {
      declarations.append(Declaration(tokens: statement, end: end))
      statement = []
    }
  }

  private mutating func addFunction(body: ClosedRange<Int>?, _ tokens: [Token]) {
    defer { statement = [] }
    guard let name = headName(tokens) else { return }
    let nameIndex = statement[name]
    let parameters = (tokens.arguments(openedAt: statement[name + 1]) ?? []).filter { parameter in
      !(parameter.isEmpty || (parameter.count == 1 && tokens[parameter[0]].isName("void")))
    }
    functions.append(
      Function(
        name: tokens[nameIndex].text, nameIndex: nameIndex, returnType: Array(statement[..<name]), parameters: parameters, body: body))
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
