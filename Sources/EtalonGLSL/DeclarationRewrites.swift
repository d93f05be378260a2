internal import EtalonTypes

/// Gives local variables without an initialiser the value zero each time their declaration runs, as browsers do.
///
/// A compiler that keeps such a variable for the whole function would let the `int i` of an inner `for (int i; i++ < 9;)` continue from its last value.
/// Variables of the outermost block are left alone: a kernel starts with zeros.
package struct LocalZeros: Rewrite {
  package let name = "local zeros"

  package init() {}

  private static let zeros: [String: String] = {
    var zeros = ["float": "0.0", "int": "0", "uint": "0u", "bool": "false"]
    for size in 2...4 {
      for (prefix, zero) in [("vec", "0.0"), ("ivec", "0"), ("uvec", "0u"), ("bvec", "false"), ("mat", "0.0")] {
        zeros["\(prefix)\(size)"] = "\(prefix)\(size)(\(zero))"
      }
    }
    return zeros
  }()
  /// Tokens of one declaration; a longer one is left alone.
  private static let longest = 4096

  package func apply(to tokens: inout [Token]) {
    let macros = Set(Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for place in declarations(in: tokens, macros) {
      guard let zero = Self.zeros[tokens[place].text] else { continue }
      for name in unsetNames(after: place, tokens) where !macros.contains(tokens[name].text) {
        let added = Lexer.tokens(ofAddedText: " = \(zero)").map { Token($0.kind, $0.text, isInDirective: tokens[name].isInDirective) }
        edits.append((name + 1..<name + 1, added))
      }
    }
    tokens.apply(edits)
  }

  /// The types that start a declaration within an inner block or in the head of a `for`.
  private func declarations(in tokens: [Token], _ macros: Set<String>) -> [Int] {
    var found: [Int] = []
    var holdsMembers: [Bool] = []
    for index in tokens.indices where tokens[index].isSignificant {
      let token = tokens[index]
      if Self.zeros[token.text] != nil {
        guard let before = tokens.previous(before: index) else { continue }
        let isInBlock = !token.isInDirective && holdsMembers.count >= 2 && !holdsMembers.contains(true)
        let startsStatement = ["{", "}", ";"].contains(tokens[before].text) && isInBlock
        if startsStatement || startsLoop(before, tokens) { found.append(index) }
      } else if !token.isInDirective, token.isMark("{") {
        holdsMembers.append(opensMembers(index, tokens, macros))
      } else if !token.isInDirective, token.isMark("}") {
        _ = holdsMembers.popLast()
      }
    }
    return found
  }

  private func startsLoop(_ open: Int, _ tokens: [Token]) -> Bool {
    guard tokens[open].isMark("("), let word = tokens.previous(before: open) else { return false }
    return tokens[word].text == "for"
  }

  /// Whether members follow, as after `struct Ray {`: a name that is no macro stands in front.
  private func opensMembers(_ brace: Int, _ tokens: [Token], _ macros: Set<String>) -> Bool {
    guard let before = tokens.previous(before: brace), tokens[before].kind == .identifier else { return false }
    return !["else", "do"].contains(tokens[before].text) && !macros.contains(tokens[before].text)
  }

  /// The names of `int a, b = 1, c[2];` that have no value and are no arrays; none where no `;` ends the declaration.
  private func unsetNames(after type: Int, _ tokens: [Token]) -> [Int] {
    var places: [Int] = []
    var place = tokens.next(after: type)
    while let current = place, !tokens[current].isMark(";") {
      guard places.count < Self.longest, !["{", "}"].contains(tokens[current].text) else { return [] }
      places.append(current)
      place = tokens.next(after: current)
    }
    guard place != nil, let first = places.first, tokens[first].kind == .identifier else { return [] }
    return DeclaratorList(places, in: tokens).declarators.filter { $0.array.isEmpty && $0.initializer.isEmpty }.map(\.name)
  }
}

/// Drops `const` from constants outside of functions whose initialiser this compiler may not fold: `const mat3 M = inverse(…)`.
///
/// Constants that are made from such constants lose it too. All others keep it, because they may be the length of an array.
package struct FileScopeConst: Rewrite {
  package let name = "unfoldable const"

  package init() {}

  package func apply(to tokens: inout [Token]) {
    var variables: Set<String> = []
    for declaration in FileScope(tokens).declarations {
      guard let first = declaration.tokens.first, tokens[first].isName("const") else { continue }
      let declarators = DeclaratorList(declaration.tokens.dropFirst(2), in: tokens).declarators
      let areFoldable = declarators.allSatisfy { isFoldable($0.initializer, tokens, variables) }
      guard !areFoldable else { continue }
      tokens.erase(first...first)
      variables.formUnion(declarators.map { tokens[$0.name].text })
    }
  }

  /// Whether an initialiser calls nothing but constructors and mentions only constants.
  private func isFoldable(_ initializer: [Int], _ tokens: [Token], _ variables: Set<String>) -> Bool {
    initializer.allSatisfy { place in
      guard tokens[place].kind == .identifier else { return true }
      let isConstructor = ValueType(rawValue: tokens[place].text) != nil
      return !variables.contains(tokens[place].text) && (isConstructor || !tokens.isCalled(at: place))
    }
  }
}
