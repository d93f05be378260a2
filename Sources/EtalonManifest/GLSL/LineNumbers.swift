internal import EtalonDiagnostics

/// Gives `__LINE__` the number of the author's line, which is another one in the text that is compiled.
///
/// A macro counts the line where it is used, so the number is a macro of its own, which is defined anew in front of every line that uses such a
/// macro. The parts of a call that spans lines count as the first of them that uses one. `#line` is followed as GLSL 4.50 has it, section 3.3: the
/// line after `#line 7` is number 7.
package struct LineNumbers: Rewrite {
  package let name = "line numbers"

  package init() {}

  private static let predefined = "__LINE__"
  private static let number = "etalon_LINE"

  package func apply(to tokens: inout [Token]) {
    guard tokens.contains(where: { $0.isName(Self.predefined) }) else { return }
    let directives = Directive.all(in: tokens)
    let definitions = directives.filter { $0.name == "define" }
    let macros = counting(directives.compactMap { MacroDefinition($0, in: tokens) }, tokens)
    let isInDefinition = Set(definitions.flatMap(\.range))
    let lines = numbers(of: tokens, directives)
    var edits: [Int: Int] = [:]
    for (index, start) in zip(tokens.indices, starts(of: tokens)) where tokens[index].kind == .identifier {
      if isInDefinition.contains(index) {
        if tokens[index].text == Self.predefined { tokens[index].text = Self.number }
      } else if tokens[index].text == Self.predefined {
        tokens[index] = tokens[index].replaced(by: String(lines[index]), kind: .integer)
      } else if macros.contains(tokens[index].text), edits[start] == nil {
        edits[start] = lines[index]
      }
    }
    tokens.apply(
      edits.sorted { $0.key < $1.key }.map { start, line in
        (start..<start, Lexer.tokens(ofAddedText: "#undef \(Self.number)\n#define \(Self.number) \(line)\n"))
      })
  }

  /// The macros that stand for the number of a line, by themselves or through others.
  private func counting(_ macros: [MacroDefinition], _ tokens: [Token]) -> Set<String> {
    var found: Set<String> = [Self.predefined]
    var isComplete = false
    while !isComplete {
      let more = macros.filter { macro in !found.contains(macro.name) && macro.body.contains { found.contains(tokens[$0].text) } }
      found.formUnion(more.map(\.name))
      isComplete = more.isEmpty
    }
    return found
  }

  /// For every token the place in front of it where a directive can be put: the start of a line outside of parentheses.
  private func starts(of tokens: [Token]) -> [Int] {
    var start = 0
    var depth = 0
    return tokens.indices.map { index in
      let place = start
      if !tokens[index].isInDirective, tokens[index].isMark("(") { depth += 1 }
      if !tokens[index].isInDirective, tokens[index].isMark(")") { depth = max(0, depth - 1) }
      if tokens[index].kind == .lineEnd, depth == 0 { start = index + 1 }
      return place
    }
  }

  /// The number of the line of every token, as the last `#line` of its file counts.
  private func numbers(of tokens: [Token], _ directives: [Directive]) -> [Int] {
    var shifts: [String: Int] = [:]
    var pending = directives.filter { $0.name == "line" }[...]
    return tokens.indices.map { index in
      guard let origin = tokens[index].origin else { return 0 }
      let line = origin.source.position(at: origin.range.lowerBound).line
      if let directive = pending.first, index == directive.range.upperBound - 1 {
        pending.removeFirst()
        let next = directive.operands.first.flatMap { Int(tokens[$0].text) }
        shifts[origin.source.path] = next.map { $0 - line - 1 }
      }
      return line + (shifts[origin.source.path] ?? 0)
    }
  }
}
