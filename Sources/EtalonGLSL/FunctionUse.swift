/// The parts of a text that one function needs: the functions it calls, the macros and shared variables it mentions, and what these need in turn.
///
/// Everything outside of functions counts as needed, save shared variables. Overloads of a function count as one.
package struct FunctionUse {
  /// A piece of text that is needed only when its name is mentioned.
  private struct Piece {
    let name: String
    /// The places of its visible tokens.
    let tokens: [Int]
    /// The names in it that may be those of other pieces.
    let mentions: Set<String>
  }

  private let tokens: [Token]
  private var pieces: [Piece] = []
  private var byName: [String: [Int]] = [:]
  /// How often names are mentioned outside of all pieces.
  private var rootMentions: [String: Int] = [:]
  private var roots: Set<String> { Set(rootMentions.keys) }

  package init(_ tokens: [Token]) {
    self.tokens = tokens
    let scope = FileScope(tokens)
    for function in scope.functions { add(function) }
    for declaration in scope.declarations where declaration.tokens.contains(where: { tokens[$0].isName("shared") }) {
      for name in Self.names(declaredBy: declaration, tokens) { add(name, declaration.tokens + [declaration.end]) }
    }
    for directive in Directive.all(in: tokens) {
      guard let macro = MacroDefinition(directive, in: tokens) else { continue }
      add(macro.name, macro.body)
    }
    var covered = Set(pieces.flatMap(\.tokens))
    for directive in Directive.all(in: tokens) { covered.formUnion(directive.range) }
    for place in tokens.indices where tokens[place].kind == .identifier && !covered.contains(place) {
      rootMentions[tokens[place].text, default: 0] += 1
    }
  }

  private mutating func add(_ function: FileScope.Function) {
    guard let first = function.returnType.first else { return }
    let end =
      function.body?.upperBound ?? tokens.indices[function.nameIndex...].first { tokens[$0].isMark(";") && !tokens[$0].isInDirective }
    guard let end, end >= first else { return }
    add(function.name, (first...end).filter { tokens[$0].isSignificant && !tokens[$0].isInDirective })
  }

  private mutating func add(_ name: String, _ places: [Int]) {
    byName[name, default: []].append(pieces.count)
    pieces.append(Piece(name: name, tokens: places, mentions: mentions(places)))
  }

  /// The names among some tokens, save those that are variables there and never called.
  private func mentions(_ places: [Int]) -> Set<String> {
    let names = places.filter { tokens[$0].kind == .identifier }
    let locals = Set(names.filter { isDeclaration($0) }.map { tokens[$0].text })
    return Set(names.filter { !locals.contains(tokens[$0].text) || tokens.isCalled(at: $0) }.map { tokens[$0].text })
  }

  /// Whether a name stands between a type and what follows the name of a variable: `uint count)`, `float x = 1.0`.
  private func isDeclaration(_ place: Int) -> Bool {
    guard let before = tokens.previous(before: place), tokens[before].kind == .identifier,
      !["return", "else"].contains(tokens[before].text),
      let after = tokens.next(after: place)
    else { return false }
    return tokens[after].kind == .punctuator && ["=", ",", ";", ")", "["].contains(tokens[after].text)
  }

  /// The names of `shared uint bins[256], total;`.
  private static func names(declaredBy declaration: FileScope.Declaration, _ tokens: [Token]) -> [String] {
    let words = declaration.tokens.drop { ["shared", "highp", "mediump", "lowp", "coherent", "volatile"].contains(tokens[$0].text) }
    return DeclaratorList(words.dropFirst(), in: tokens).declarators.map { tokens[$0.name].text }
  }

  /// The names of everything that a function needs, itself included.
  package func names(neededBy function: String) -> Set<String> {
    var needed = roots.union([function])
    var waiting = Array(needed)
    while let name = waiting.popLast() {
      for piece in byName[name] ?? [] {
        for mention in pieces[piece].mentions where needed.insert(mention).inserted { waiting.append(mention) }
      }
    }
    return needed
  }

  /// The names that a function and everything it needs mention.
  ///
  /// Names that are mentioned more than once outside of all pieces belong to them: one mention is the declaration.
  package func names(mentionedBy function: String) -> Set<String> {
    let pieces = names(neededBy: function).flatMap { byName[$0] ?? [] }
    return pieces.reduce(into: Set(rootMentions.lazy.filter { $0.value > 1 }.map(\.key))) { $0.formUnion(self.pieces[$1].mentions) }
  }

  /// The places of the visible tokens of functions, macros and shared variables among some names.
  package func places(of names: Set<String>) -> [Int] {
    pieces.filter { names.contains($0.name) }.flatMap(\.tokens).sorted()
  }

  /// Blanks out the functions and shared variables that are not among some names.
  package func erase(allBut names: Set<String>, from tokens: inout [Token]) {
    let kept = Set(places(of: names))
    for piece in pieces where !names.contains(piece.name) {
      for place in piece.tokens where !tokens[place].isInDirective && !kept.contains(place) { tokens.erase(place...place) }
    }
  }
}
