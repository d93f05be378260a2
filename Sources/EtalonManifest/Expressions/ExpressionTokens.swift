internal import EtalonDiagnostics
internal import EtalonTypes

/// The tokens of one expression, each at its place in the author's text.
struct ExpressionTokens {
  private let expression: ExpressionText
  private let tokens: [Token]

  init(_ expression: ExpressionText) {
    self.expression = expression
    tokens = Self.tokens(of: expression)
  }

  /// The name under which a kernel has the value of a name, whatever GLSL makes of the name itself.
  static func member(_ name: String) -> String { "etalonValue_" + name }

  /// Tokens of a text that stands unchanged in the author's file lie there; those of any other lie where the whole text was written.
  private static func tokens(of expression: ExpressionText) -> [Token] {
    let tokens = Lexer.tokens(of: SourceText(path: "<expression>", text: expression.text))
    guard let place = expression.place else { return tokens }
    let written = place.source.bytes[place.range]
    let isVerbatim = written.elementsEqual(expression.text.utf8)
    return tokens.map { token in
      guard isVerbatim, let range = token.origin?.range else { return Token(token.kind, token.text, origin: place) }
      let shifted = range.lowerBound + place.range.lowerBound..<range.upperBound + place.range.lowerBound
      return Token(token.kind, token.text, origin: SourceRange(place.source, shifted))
    }
  }

  /// What makes the text something else than one expression of a type.
  func mistakes(as type: ValueType) -> [Diagnostic] {
    let visible = tokens.indices.filter { tokens[$0].isSignificant }
    guard !visible.isEmpty else { return [mistake("an empty expression", visible, "expected a number or a formula")] }
    if let place = visible.first(where: { tokens[$0].isInDirective || ["\"", "#"].contains(tokens[$0].text) || tokens[$0].kind == .other })
    {
      return [mistake("'\(tokens[place].text)' cannot be part of an expression", [place], "unexpected")]
    }
    var open: [Int] = []
    for place in visible where tokens[place].kind == .punctuator {
      switch tokens[place].text {
      case ";", "{", "}": return [mistake("'\(tokens[place].text)' cannot be part of an expression", [place], "only one expression")]
      case "(", "[": open.append(place)
      case ")", "]":
        guard let last = open.popLast(), tokens[last].text == (tokens[place].text == ")" ? "(" : "[") else {
          return [mistake("a bracket that was never opened", [place], "closes nothing")]
        }
      case "," where open.isEmpty:
        return [mistake("two expressions where one is expected", [place], "expected one value", help: severalHelp(type, visible))]
      case "=", "+=", "-=", "*=", "/=", "++", "--":
        return [mistake("an expression cannot change anything", [place], "an assignment")]
      default: break
      }
    }
    return open.last.map { [mistake("a bracket that is never closed", [$0], "opened here")] } ?? []
  }

  /// What to write for several numbers: the constructor of a vector, or a number with a point.
  private func severalHelp(_ type: ValueType, _ visible: [Int]) -> [String] {
    guard type.componentCount == 1 else { return ["write '\(type.rawValue)(…)' around the numbers"] }
    let words = visible.map { tokens[$0] }
    guard words.count == 3, words[0].kind == .integer, words[2].kind == .integer else { return ["write one expression"] }
    return ["write '(\(words[0].text).\(words[2].text))' for a number with a fraction"]
  }

  private func mistake(_ message: String, _ places: [Int], _ label: String, help: [String] = []) -> Diagnostic {
    let labels = tokens.labels(at: places, label)
    let whole = expression.place.map { [Diagnostic.Label($0.source, $0.range, label)] } ?? []
    return Diagnostic(
      "expression.form", message, labels: labels.isEmpty ? whole : labels, help: help,
      notes: labels.isEmpty && whole.isEmpty ? ["in '\(expression.text)'"] : [])
  }

  /// The tokens as the kernel has them, with the names that they mention.
  func translated(_ names: [String: ValueType], readsNumbersAsFloats: Bool, mentioned: inout Set<String>) -> [Token] {
    var bracketDepth = 0
    return tokens.indices.map { index in
      let token = tokens[index]
      if token.isMark("[") { bracketDepth += 1 }
      if token.isMark("]") { bracketDepth -= 1 }
      if token.kind == .integer, readsNumbersAsFloats, bracketDepth == 0, token.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        return token.replaced(by: token.text + ".0", kind: .float)
      }
      guard token.kind == .identifier, let type = names[token.text], !tokens.isCalled(at: index), !isMember(index) else { return token }
      mentioned.insert(token.text)
      let member = Self.member(token.text) + "[etalonPixel.y]"
      return token.replaced(by: readsNumbersAsFloats ? Self.asFloat(member, type) : member)
    }
  }

  /// The text with other words in the place of some names.
  func text(replacing replacements: [String: String]) -> String {
    tokens.indices.map { index in
      let token = tokens[index]
      guard token.kind == .identifier, let other = replacements[token.text], !tokens.isCalled(at: index), !isMember(index) else {
        return token.text
      }
      return other
    }.joined()
  }

  private func isMember(_ index: Int) -> Bool { tokens.previous(before: index).map { tokens[$0].isMark(".") } ?? false }

  private static func asFloat(_ member: String, _ type: ValueType) -> String {
    switch type {
    case .int, .uint: "float(\(member))"
    case .ivec2, .ivec3, .ivec4: "vec\(type.componentCount)(\(member))"
    default: member
    }
  }
}

extension ExpressionText {
  /// The names of some that the expression mentions.
  package func names(among known: Set<String>) -> Set<String> {
    var mentioned: Set<String> = []
    let types = Dictionary(uniqueKeysWithValues: known.map { ($0, ValueType.float) })
    _ = ExpressionTokens(self).translated(types, readsNumbersAsFloats: false, mentioned: &mentioned)
    return mentioned
  }

  /// The text of the expression with other words in the place of some names.
  package func replacing(_ replacements: [String: String]) -> String { ExpressionTokens(self).text(replacing: replacements) }
}
