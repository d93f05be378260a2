/// Fills empty arguments of macro calls, on which the compiler stumbles, with a macro that stands for nothing.
struct EmptyMacroArguments: Rewrite {
  let name = "empty macro arguments"

  static let nothing = "etalonNothingAtAll"

  func apply(to tokens: inout [Token]) {
    let macros = Dictionary(
      Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }.compactMap { macro in
        macro.parameters.map { (macro.name, $0.count) }
      }, uniquingKeysWith: max)
    guard !macros.isEmpty else { return }
    var places: Set<Int> = []
    for index in tokens.indices where tokens[index].kind == .identifier {
      guard let count = macros[tokens[index].text], count > 0, let open = tokens.next(after: index), tokens[open].isMark("(") else {
        continue
      }
      places.formUnion(emptyArguments(openedAt: open, in: tokens))
    }
    tokens.apply(
      places.sorted().map { ($0..<$0, [Token(.identifier, Self.nothing, isInDirective: tokens[$0].isInDirective)]) })
  }

  /// The places of the commas and of the parenthesis that end an empty argument.
  private func emptyArguments(openedAt open: Int, in tokens: [Token]) -> [Int] {
    guard let close = tokens.closing(of: open) else { return [] }
    var found: [Int] = []
    var depth = 0
    var last = open
    var place = tokens.next(after: open)
    while let current = place, current <= close {
      let isEnd = depth == 0 && (current == close || tokens[current].isMark(","))
      if isEnd, last == open || (tokens[last].isMark(",") && depth == 0) { found.append(current) }
      if tokens[current].isMark("(") { depth += 1 }
      if tokens[current].isMark(")") { depth -= 1 }
      last = current
      place = tokens.next(after: current)
    }
    return found
  }
}
