/// Puts a space between the name of a macro and what it stands for, as in `#define EPSILON.001`, which only this compiler insists on.
struct MacroSpaces: Rewrite {
  let name = "macro spaces"

  func apply(to tokens: inout [Token]) {
    let places = Directive.all(in: tokens).compactMap { directive -> Int? in
      guard let macro = MacroDefinition(directive, in: tokens), macro.parameters == nil, let first = macro.body.first,
        first == macro.nameIndex + 1, !tokens[first].isMark("(")
      else { return nil }
      return first
    }
    tokens.apply(places.map { ($0..<$0, [Token(.space, " ", isInDirective: true)]) })
  }
}
