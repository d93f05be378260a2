package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonTypes

/// Writes GLSL expressions over some names as one compute kernel: invocation (`i`, `n`) stores the value of expression `i` for the `n`th set of
/// values that the names have.
///
/// In expressions of floats, whole numbers and names of whole numbers are floats, so that `1/2` and `frame/24` mean what a person means.
package struct ExpressionProgram: Sendable {
  /// An expression with the type of the value that is wanted.
  package struct Item: Sendable, Hashable {
    package let text: ExpressionText
    package let type: ValueType

    package init(_ text: ExpressionText, as type: ValueType) {
      self.text = text
      self.type = type
    }
  }

  /// How many sets of values a run takes: as many as a workgroup has rows, so that one set costs no less.
  package static let setsPerRun = 16

  private let items: [Item]
  private let names: [String: ValueType]

  /// - Parameter names: what the expressions may mention, with the types of the values.
  package init(_ items: [Item], names: [String: ValueType]) {
    self.items = items
    self.names = names
  }

  /// The kernel, for the store variant of packed floats; what cannot be an expression is reported together.
  package func pass() throws(DiagnosticsError) -> PassSource {
    var functions: [Token] = []
    var mentioned: Set<String> = []
    var diagnostics: [Diagnostic] = []
    for (index, item) in items.enumerated() {
      let expression = ExpressionTokens(item.text)
      diagnostics += expression.diagnostics(as: item.type)
      functions += function(index, item, expression, &mentioned)
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    let uniforms = mentioned.sorted().compactMap { name in
      names[name].map {
        Uniform(name: ExpressionTokens.member(name), type: $0, arrayLength: Self.setsPerRun, meaning: .parameter(name))
      }
    }
    return PassSource(
      name: "expressions", source: GeneratedSource(Lexer.tokens(ofAddedText: head(uniforms)) + functions + Lexer.tokens(ofAddedText: main)),
      uniforms: uniforms, textures: [], hints: NameHints(offered: names.keys.sorted()))
  }

  private func function(_ index: Int, _ item: Item, _ expression: ExpressionTokens, _ mentioned: inout Set<String>) -> [Token] {
    let type = item.type.rawValue
    // Whole numbers and truth values are converted, as people expect of `frame / 2.5`; anything else has to fit.
    let opening = item.type.isFloat ? "return (" : "return \(type)("
    return Lexer.tokens(ofAddedText: "\(type) etalonExpression\(index)() {\n  \(opening)")
      + expression.translated(names, readsNumbersAsFloats: item.type.isFloat, mentioned: &mentioned)
      + Lexer.tokens(ofAddedText: ");\n}\n")
  }

  private func head(_ uniforms: [Uniform]) -> String {
    let members = uniforms.map { "  \($0.type.rawValue) \($0.name)[\(Self.setsPerRun)];\n" }.joined()
    let block = uniforms.isEmpty ? "" : "layout(set = 0, binding = 0, std140) uniform EtalonUniforms {\n\(members)};\n"
    return "#version 450\nlayout(local_size_x = 256) in;\n" + PixelMapping.region + block + Self.output + PixelMapping.rows
  }

  /// The store takes words, not floats: a whole number may have the bits of a not-a-number, which a float need not keep.
  private static let output =
    "layout(set = 0, binding = \(PixelStore.binding), std430) writeonly buffer EtalonOutput { uvec4 etalonOutput[]; };\n"

  private var main: String {
    // The region is as wide as there are expressions, and so are the rows of the output.
    let cases = items.enumerated().map { index, item in
      "  case \(index): words = \(Self.widened("etalonExpression\(index)()", item.type)); break;\n"
    }
    return
      "void main() {\n  uvec4 words = uvec4(0u);\n  switch (etalonPixel.x) {\n\(cases.joined())  }\n"
      + "  if (etalonPixel.x < etalonEnd.x && etalonPixel.y < etalonEnd.y) etalonOutput[etalonPixel.y * etalonEnd.x + etalonPixel.x] = words;\n}\n"
  }

  /// Four words with the bits of a value.
  private static func widened(_ call: String, _ type: ValueType) -> String {
    let words =
      switch type {
      case .bool, .int, .uint: "uint(\(call))"
      case .ivec2, .ivec3, .ivec4: "uvec\(type.componentCount)(\(call))"
      default: "floatBitsToUint(\(call))"
      }
    return "uvec4(\(words)\(String(repeating: ", 0u", count: 4 - type.componentCount)))"
  }
}

// MARK: - tokens

/// The tokens of one expression, each at its place in the author's text.
private struct ExpressionTokens {
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

  /// What is wrong with a text that is not one expression of a type.
  func diagnostics(as type: ValueType) -> [Diagnostic] {
    let visible = tokens.indices.filter { tokens[$0].isSignificant }
    guard !visible.isEmpty else { return [diagnostic("an empty expression", visible, "expected a number or a formula")] }
    if let place = visible.first(where: { tokens[$0].isInDirective || ["\"", "#"].contains(tokens[$0].text) || tokens[$0].kind == .other })
    {
      return [diagnostic("'\(tokens[place].text)' cannot be part of an expression", [place], "unexpected")]
    }
    var open: [Int] = []
    for place in visible where tokens[place].kind == .punctuator {
      switch tokens[place].text {
      case ";", "{", "}": return [diagnostic("'\(tokens[place].text)' cannot be part of an expression", [place], "only one expression")]
      case "(", "[": open.append(place)
      case ")", "]":
        guard let last = open.popLast(), tokens[last].text == (tokens[place].text == ")" ? "(" : "[") else {
          return [diagnostic("a bracket that was never opened", [place], "closes nothing")]
        }
      case "," where open.isEmpty:
        return [diagnostic("two expressions where one is expected", [place], "expected one value", help: severalHelp(type, visible))]
      case "=", "+=", "-=", "*=", "/=", "++", "--":
        return [diagnostic("an expression cannot change anything", [place], "an assignment")]
      default: break
      }
    }
    return open.last.map { [diagnostic("a bracket that is never closed", [$0], "opened here")] } ?? []
  }

  /// What to write for several numbers: the constructor of a vector, or a number with a point.
  private func severalHelp(_ type: ValueType, _ visible: [Int]) -> [String] {
    guard type.componentCount == 1 else { return ["write '\(type.rawValue)(…)' around the numbers"] }
    let words = visible.map { tokens[$0] }
    guard words.count == 3, words[0].kind == .integer, words[2].kind == .integer else { return ["write one expression"] }
    return ["write '(\(words[0].text).\(words[2].text))' for a number with a fraction"]
  }

  private func diagnostic(_ message: String, _ places: [Int], _ label: String, help: [String] = []) -> Diagnostic {
    let labels = tokens.labels(at: places, label)
    let whole = expression.place.map { [$0.label(label)] } ?? []
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
  /// Those of some names that the expression mentions.
  package func names(among known: Set<String>) -> Set<String> {
    var mentioned: Set<String> = []
    let types = Dictionary(uniqueKeysWithValues: known.map { ($0, ValueType.float) })
    _ = ExpressionTokens(self).translated(types, readsNumbersAsFloats: false, mentioned: &mentioned)
    return mentioned
  }

  /// The text of the expression with other words in the place of some names.
  package func replacing(_ replacements: [String: String]) -> String { ExpressionTokens(self).text(replacing: replacements) }
}

// MARK: - divisors

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
