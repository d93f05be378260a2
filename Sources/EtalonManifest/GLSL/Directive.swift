/// A preprocessor directive, from its `#` to its line end.
package struct Directive: Sendable, Hashable {
  /// `define`, `include`; empty for a lone `#`.
  package let name: String
  /// The place of the `#` and of everything up to and including the line end.
  package let range: Range<Int>
  /// The places of what the compiler sees after the name.
  package let operands: [Int]

  /// All directives of a text in their order.
  package static func all(in tokens: [Token]) -> [Directive] {
    var found: [Directive] = []
    var index = 0
    while index < tokens.count {
      guard tokens[index].isInDirective else {
        index += 1
        continue
      }
      var end = index
      while end < tokens.count, tokens[end].isInDirective, tokens[end].kind != .lineEnd { end += 1 }
      let range = index..<Swift.min(end + 1, tokens.count)
      found.append(Directive(range, in: tokens))
      index = range.upperBound
    }
    return found
  }

  private init(_ range: Range<Int>, in tokens: [Token]) {
    let visible = range.filter { tokens[$0].isSignificant }.dropFirst()
    let first = visible.first.map { tokens[$0] }
    name = first?.kind == .identifier ? first?.text ?? "" : ""
    operands = Array(name.isEmpty ? visible : visible.dropFirst())
    self.range = range
  }
}

/// A `#define`: its name, its parameters and what it stands for.
package struct MacroDefinition: Sendable, Hashable {
  package let name: String
  /// Nil for a macro without parentheses.
  package let parameters: [String]?
  package let nameIndex: Int
  /// The places of the tokens it stands for.
  package let body: [Int]

  /// Reads a directive; nil when it is no `#define`.
  package init?(_ directive: Directive, in tokens: [Token]) {
    guard directive.name == "define", let nameIndex = directive.operands.first, tokens[nameIndex].kind == .identifier else { return nil }
    name = tokens[nameIndex].text
    self.nameIndex = nameIndex
    let rest = Array(directive.operands.dropFirst())
    // Only a parenthesis that touches the name opens a parameter list.
    guard let open = rest.first, open == nameIndex + 1, tokens[open].isMark("("),
      let close = rest.first(where: { tokens[$0].isMark(")") })
    else {
      parameters = nil
      body = rest
      return
    }
    parameters = rest.prefix { $0 != close }.filter { tokens[$0].kind == .identifier }.map { tokens[$0].text }
    body = Array(rest.drop { $0 <= close })
  }
}
