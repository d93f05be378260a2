/// Lets a macro be defined a second time, as merged files do, by forgetting the first definition right before.
struct MacroCollisions: Rewrite {
  let name = "collisions"

  func apply(to tokens: inout [Token]) {
    var known: Set<String> = []
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for directive in Directive.all(in: tokens) {
      guard let macro = MacroDefinition(directive, in: tokens) else { continue }
      guard !known.insert(macro.name).inserted else { continue }
      let start = directive.range.lowerBound
      edits.append((start..<start, Lexer.tokens(ofAddedText: "#undef \(macro.name)\n")))
    }
    tokens.apply(edits)
  }
}
