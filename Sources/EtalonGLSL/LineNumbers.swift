internal import EtalonDiagnostics

/// Gives `__LINE__` the number of the author's line, which is another one in the text that is compiled.
///
/// A macro counts the line where it is used. So the number is a macro of its own there, which is defined anew in front of what uses such a macro: in front
/// of the whole call where that is one of a macro, because no directive may stand between its arguments. Conditions get what such a macro stands for.
/// `#line` is followed as GLSL 4.50 has it, section 3.3: the line after `#line 7` is number 7.
package struct LineNumbers: Rewrite {
  package let name = "line numbers"

  package init() {}

  private static let predefined = "__LINE__"
  private static let number = "etalon_LINE"
  /// Directives that ask for the name of a macro, or paste it.
  private static let naming: Set<String> = ["define", "undef", "ifdef", "ifndef"]

  package func apply(to tokens: inout [Token]) {
    guard tokens.contains(where: { $0.isName(Self.predefined) }) else { return }
    let directives = Directive.all(in: tokens)
    let macros = directives.compactMap { MacroDefinition($0, in: tokens) }
    let counting = counting(macros, tokens)
    let lines = AuthorLines(tokens, directives)
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for directive in directives {
      guard !Self.naming.contains(directive.name) else { continue }
      for place in directive.operands where !isAskedFor(place, tokens) {
        guard let expansion = expansion(of: place, of: macros, tokens, counting, lines.number(of: place, tokens)) else { continue }
        edits.append((place..<place + 1, expansion))
      }
    }
    edits += definitions(tokens, Set(macros.map(\.name)), counting, lines)
    for index in tokens.indices where !tokens[index].isInDirective && tokens[index].isName(Self.predefined) {
      tokens[index] = tokens[index].replaced(by: String(lines.number(of: index, tokens)), kind: .integer)
    }
    for place in macros.flatMap(\.body) where tokens[place].isName(Self.predefined) && !isPasted(place, tokens) {
      tokens[place].text = Self.number
    }
    tokens.apply(edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// The definitions of the number in front of what uses it.
  private func definitions(
    _ tokens: [Token], _ macros: Set<String>, _ counting: Set<String>, _ lines: AuthorLines
  ) -> [(range: Range<Int>, tokens: [Token])] {
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    var end = 0
    // The line whose number is defined; nil where a branch may have been left out meanwhile.
    var defined: Int?
    for (index, token) in tokens.enumerated() where index >= end {
      if token.isInDirective { defined = nil }
      guard !token.isInDirective, token.kind == .identifier, macros.contains(token.text) else { continue }
      end = (tokens.next(after: index).flatMap { tokens[$0].isMark("(") ? tokens.closing(of: $0) : nil } ?? index) + 1
      guard tokens[index..<end].contains(where: { $0.kind == .identifier && counting.contains($0.text) }) else { continue }
      let line = lines.number(of: index, tokens)
      guard line != defined else { continue }
      defined = line
      let isFirst = index == 0 || tokens[index - 1].kind == .lineEnd
      let text = (isFirst ? "" : "\n") + "#undef \(Self.number)\n#define \(Self.number) \(line)\n"
      edits.append((index..<index, Lexer.tokens(ofAddedText: text)))
    }
    return edits
  }

  /// What a name in a condition stands for, if that has to do with lines: the number, or the text of the last macro of that name without arguments.
  private func expansion(
    of place: Int, of macros: [MacroDefinition], _ tokens: [Token], _ counting: Set<String>, _ line: Int, depth: Int = 0
  ) -> [Token]? {
    let token = tokens[place]
    guard token.kind == .identifier, depth < 16 else { return nil }
    if token.text == Self.predefined { return [token.replaced(by: String(line), kind: .integer)] }
    guard counting.contains(token.text), let macro = macros.last(where: { $0.name == token.text && $0.nameIndex < place }),
      macro.parameters == nil
    else { return nil }
    return macro.body.flatMap { inner in
      expansion(of: inner, of: macros, tokens, counting, line, depth: depth + 1) ?? [
        tokens[inner], Token(.space, " ", isInDirective: true),
      ]
    }
  }

  /// Whether a condition asks if a name is defined.
  private func isAskedFor(_ place: Int, _ tokens: [Token]) -> Bool {
    guard let before = tokens.previous(before: place) else { return false }
    if tokens[before].isName("defined") { return true }
    return tokens[before].isMark("(") && tokens.previous(before: before).map { tokens[$0].isName("defined") } ?? false
  }

  private func isPasted(_ place: Int, _ tokens: [Token]) -> Bool {
    [tokens.previous(before: place), tokens.next(after: place)].contains { $0.map { tokens[$0].isMark("##") } ?? false }
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
    return found.subtracting([Self.predefined])
  }
}

/// The numbers of the author's lines, as the last `#line` of their file counts.
private struct AuthorLines {
  /// From a place among the tokens on, how much is added to the numbers of a file.
  private var shifts: [(place: Int, path: String, shift: Int)] = []

  init(_ tokens: [Token], _ directives: [Directive]) {
    let leftOut = InactiveBranches(tokens)
    for directive in directives where directive.name == "line" && !leftOut.contains(directive.range.lowerBound) {
      guard let first = directive.operands.first, tokens[first].kind == .integer, directive.operands.count <= 2,
        let next = Self.value(of: tokens[first].text), let origin = tokens[first].origin
      else { continue }
      shifts.append((directive.range.upperBound, origin.source.path, next - Self.line(of: origin) - 1))
    }
  }

  /// The number of the line of a token; 0 for one that Etalon added.
  func number(of place: Int, _ tokens: [Token]) -> Int {
    guard let origin = tokens[place].origin else { return 0 }
    let shift = shifts.last { $0.place <= place && $0.path == origin.source.path }?.shift ?? 0
    return Self.line(of: origin) + shift
  }

  private static func value(of text: String) -> Int? {
    if text.hasPrefix("0x") || text.hasPrefix("0X") { return Int(text.dropFirst(2), radix: 16) }
    return Int(text, radix: text.hasPrefix("0") ? 8 : 10)
  }

  private static func line(of origin: SourceRange) -> Int {
    var (low, high) = (1, origin.source.lineCount + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if origin.source.byteRange(ofLine: middle).lowerBound <= origin.range.lowerBound { low = middle } else { high = middle }
    }
    return low
  }
}
