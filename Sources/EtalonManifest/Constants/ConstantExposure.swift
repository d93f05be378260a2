internal import EtalonTypes

/// Makes constants of a text parameters: where they stand, the text reads a uniform, without being touched otherwise.
///
/// What the text needs to know before it runs stays a literal, which takes the user's value when the text is read: lengths of arrays and other
/// things in brackets, conditions of `#if`, labels of `switch`.
struct ConstantExposure {
  /// The constants that have become uniforms.
  private(set) var uniforms: [Uniform] = []
  private(set) var names: Set<String> = []

  /// Rewrites the constants of the given names.
  init(of exposed: [ExposedConstant], at places: [ConstantPlace], in tokens: inout [Token]) {
    for constant in exposed {
      let own = places.filter { $0.constant.name == constant.name }
      guard let first = own.first else { continue }
      let dependents = Self.dependents(of: constant.name, in: tokens)
      guard !Self.isFixed(dependents, in: tokens) else { continue }
      names.insert(constant.name)
      let uniform = "etalonValue_\(constant.name)"
      uniforms.append(Uniform(name: uniform, type: first.constant.value.type, meaning: .parameter(constant.name)))
      Self.dropConst(from: dependents, in: &tokens)
      for place in own { Self.replace(place.literal, by: uniform, in: &tokens) }
    }
  }

  /// The names whose value depends on a constant: itself, macros that mention it, constants that are computed from it.
  private static func dependents(of name: String, in tokens: [Token]) -> Set<String> {
    let macros = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }.map { ($0.name, $0.body) }
    let constants = tokens.indices.filter { tokens[$0].isName("const") && !tokens[$0].isInDirective }.flatMap {
      declarators(after: $0, tokens)
    }
    var names: Set<String> = [name]
    var count = 0
    while names.count > count {
      count = names.count
      for (other, places) in macros + constants where places.contains(where: { names.contains(tokens[$0].text) }) { names.insert(other) }
    }
    return names
  }

  /// The names that a `const` declares, each with its initialiser.
  private static func declarators(after const: Int, _ tokens: [Token]) -> [(String, [Int])] {
    var places: [Int] = []
    var place = tokens.next(after: const)
    var brackets = BracketDepth()
    while let current = place, places.count < 4096 {
      if brackets.depth == 0, tokens[current].isMark(";") || tokens[current].isMark(")") { break }
      brackets.follow(tokens[current])
      places.append(current)
      place = tokens.next(after: current)
    }
    return declarators(ofTyped: places, tokens)
  }

  /// The names behind a type, which may have brackets of its own: `mat2[] a = …`.
  private static func declarators(ofTyped places: some Collection<Int>, _ tokens: [Token]) -> [(String, [Int])] {
    var rest = Array(places.dropFirst())
    if let first = rest.first, tokens[first].isMark("["), let end = rest.firstIndex(where: { tokens[$0].isMark("]") }) {
      rest.removeFirst(end + 1)
    }
    return DeclaratorList(rest, in: tokens).declarators.map { (tokens[$0.name].text, $0.initializer) }
  }

  /// Whether one of the names stands where only literals may.
  private static func isFixed(_ names: Set<String>, in tokens: [Token]) -> Bool {
    let conditions = Directive.all(in: tokens).filter { ["if", "elif"].contains($0.name) }.flatMap(\.operands)
    if conditions.contains(where: { names.contains(tokens[$0].text) }) { return true }
    var open = 0
    for index in tokens.indices where tokens[index].isSignificant {
      if tokens[index].isMark("[") { open += 1 }
      if tokens[index].isMark("]") { open -= 1 }
      guard names.contains(tokens[index].text), tokens[index].kind == .identifier else { continue }
      if open > 0 || tokens.previous(before: index).map({ tokens[$0].isName("case") }) ?? false { return true }
    }
    return false
  }

  /// Constants outside of functions must be known before the text runs; what depends on a uniform is none.
  private static func dropConst(from names: Set<String>, in tokens: inout [Token]) {
    for declaration in FileScope(tokens).declarations {
      guard let first = declaration.tokens.first, tokens[first].isName("const") else { continue }
      let isConcerned = declarators(ofTyped: declaration.tokens.dropFirst(), tokens).contains { names.contains($0.0) }
      if isConcerned { tokens.erase(first...first) }
    }
  }

  private static func replace(_ literal: [Int], by uniform: String, in tokens: inout [Token]) {
    guard let first = literal.first, let last = literal.last else { return }
    let written = tokens[first]
    tokens.erase(first...last)
    tokens[first] = Token(.identifier, uniform, origin: written.origin, isInDirective: written.isInDirective)
  }
}
