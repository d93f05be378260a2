internal import EtalonTypes

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

/// The parts of a text that its own conditions leave out for certain.
///
/// What depends on the compiler or the player may be true or false (`PreprocessorCondition`).
package struct InactiveBranches {
  private struct Branch {
    /// Whether it is left out for certain, with what is around it.
    var isInactive: Bool
    let isAroundInactive: Bool
    /// Whether a branch before it is taken for certain.
    var isDecided: Bool
    /// Whether it is taken for certain, with what is around it.
    var isCertain: Bool
    let isAroundCertain: Bool
    /// Whether all branches before it, and it itself, are left out for certain.
    var areAllFalse: Bool
  }

  private var inactive: Set<Int> = []
  private var macros: [String: Value?] = [:]
  /// The macros that are defined, or not, in branches which may be taken or not.
  private var uncertain: Set<String> = []
  /// The numbers of macros that the dialect defines.
  private let predefined: [String: Int]

  package init(_ tokens: [Token], predefined: [String: Int] = [:]) {
    self.predefined = predefined
    var branches: [Branch] = []
    var end = 0
    for directive in Directive.all(in: tokens) {
      if branches.last?.isInactive ?? false { inactive.formUnion(end..<directive.range.lowerBound) }
      end = directive.range.upperBound
      follow(directive, tokens, &branches)
      if branches.last?.isInactive ?? false { inactive.formUnion(directive.range) }
    }
    if branches.last?.isInactive ?? false { inactive.formUnion(end..<tokens.count) }
  }

  /// Whether a token is left out.
  package func contains(_ place: Int) -> Bool { inactive.contains(place) }

  private mutating func follow(_ directive: Directive, _ tokens: [Token], _ branches: inout [Branch]) {
    let isInactive = branches.last?.isInactive ?? false
    let isCertain = branches.last?.isCertain ?? true
    switch directive.name {
    case "if", "ifdef", "ifndef":
      let isTrue = truth(directive, tokens)
      branches.append(
        Branch(
          isInactive: isInactive || isTrue == false, isAroundInactive: isInactive, isDecided: isTrue == true,
          isCertain: isCertain && isTrue == true, isAroundCertain: isCertain, areAllFalse: isTrue == false))
    case "elif", "else":
      guard let branch = branches.popLast() else { return }
      let isTrue = directive.name == "else" ? true : truth(directive, tokens)
      branches.append(
        Branch(
          isInactive: branch.isAroundInactive || branch.isDecided || isTrue == false, isAroundInactive: branch.isAroundInactive,
          isDecided: branch.isDecided || isTrue == true, isCertain: branch.isAroundCertain && branch.areAllFalse && isTrue == true,
          isAroundCertain: branch.isAroundCertain, areAllFalse: branch.areAllFalse && isTrue == false))
    case "endif": _ = branches.popLast()
    case "define" where !isInactive:
      guard let macro = MacroDefinition(directive, in: tokens) else { return }
      macros[macro.name] = .some(macro.parameters == nil ? LiteralReader.value(of: macro.body, in: tokens) : nil)
      setCertainty(of: macro.name, isCertain)
    case "undef" where !isInactive:
      guard let name = directive.operands.first.map({ tokens[$0].text }) else { return }
      macros[name] = nil
      setCertainty(of: name, isCertain)
    default: break
    }
  }

  private mutating func setCertainty(of name: String, _ isCertain: Bool) {
    if isCertain { uncertain.remove(name) } else { uncertain.insert(name) }
  }

  /// Whether a condition holds; nil where that is not certain.
  private func truth(_ directive: Directive, _ tokens: [Token]) -> Bool? {
    let words = directive.operands.map { tokens[$0] }
    switch directive.name {
    case "ifdef": return words.first.flatMap { isDefined($0.text) }
    case "ifndef": return words.first.flatMap { isDefined($0.text) }.map { !$0 }
    default: break
    }
    return PreprocessorCondition.truth(of: words, .init(isDefined: { isDefined($0) }, number: { number($0) }))
  }

  /// The number that a name stands for in a condition: 0 for one that is not defined.
  private func number(_ name: String) -> Int? {
    guard let isDefined = isDefined(name) else { return nil }
    guard isDefined else { return 0 }
    if !macros.keys.contains(name), let number = predefined[name] { return number }
    guard let value = macros[name] ?? nil, value.components.count == 1 else { return nil }
    return Int(exactly: value.components[0])
  }

  /// Whether a name is defined; nil for names that compilers and players define.
  private func isDefined(_ name: String) -> Bool? {
    if uncertain.contains(name) { return nil }
    if macros.keys.contains(name) || predefined.keys.contains(name) { return true }
    return name.hasPrefix("GL_") || name.hasPrefix("__") || ["HW_PERFORMANCE", "VULKAN"].contains(name) ? nil : false
  }
}
