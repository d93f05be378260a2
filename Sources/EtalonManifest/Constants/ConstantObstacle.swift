internal import EtalonDiagnostics
internal import EtalonTypes

/// Why something that a text defines cannot become a parameter.
package struct ConstantObstacle: Sendable, Hashable {
  package let place: SourceRange
  /// A few words for the place: `an expression`.
  package let label: String
  package let help: String

  /// Looks for a name in the texts of a project; nil when none of them defines it in any way.
  package init?(_ name: String, in project: ShaderToyProject) {
    for pass in project.passes where pass.name != .sound {
      let tokens = Lexer.tokens(of: pass.text)
      guard let found = Self.macro(name, tokens) ?? Self.declaration(name, tokens) ?? Self.local(name, tokens) ?? Self.comment(name, tokens)
      else { continue }
      self = found
      return
    }
    return nil
  }

  private init?(_ place: SourceRange?, _ label: String, _ help: String) {
    guard let place else { return nil }
    self.place = place
    self.label = label
    self.help = help
  }

  private static let literal = "write a number or a vector of numbers in its place"

  private static func macro(_ name: String, _ tokens: [Token]) -> ConstantObstacle? {
    let macros = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }
    guard let macro = macros.first(where: { $0.name == name }) else { return nil }
    let place = tokens[macro.nameIndex].origin
    if macro.parameters != nil { return Self(place, "a macro with arguments", "expose a constant that its body mentions") }
    if macro.body.isEmpty { return Self(place, "a macro without a value", "give it a number, or leave it to '#ifdef'") }
    return Self(tokens.origin(of: macro.body), "an expression", literal)
  }

  private static func declaration(_ name: String, _ tokens: [Token]) -> ConstantObstacle? {
    for declaration in FileScope(tokens).declarations {
      let words = declaration.tokens.drop { ["const", "highp", "mediump", "lowp"].contains(tokens[$0].text) }
      guard let found = DeclaratorList(words.dropFirst(), in: tokens).declarators.first(where: { tokens[$0.name].text == name }) else {
        continue
      }
      let place = tokens[found.name].origin
      guard declaration.tokens.contains(where: { tokens[$0].isName("const") }) else {
        return Self(place, "a variable", "write 'const' in front of it, if nothing assigns to it")
      }
      if !found.array.isEmpty { return Self(place, "an array", "expose numbers and vectors") }
      return Self(tokens.origin(of: found.initializer) ?? place, "an expression", literal)
    }
    return nil
  }

  /// A variable or a constant within a function.
  private static func local(_ name: String, _ tokens: [Token]) -> ConstantObstacle? {
    let place = tokens.indices.first { place in
      tokens[place].isName(name) && !tokens[place].isInDirective
        && (tokens.previous(before: place).map { ValueType(rawValue: tokens[$0].text) != nil } ?? false)
        && (tokens.next(after: place).map { tokens[$0].isMark("=") } ?? false)
    }
    return place.flatMap { Self(tokens[$0].origin, "within a function", "move it in front of the functions, as a 'const'") }
  }

  private static func comment(_ name: String, _ tokens: [Token]) -> ConstantObstacle? {
    let place = tokens.indices.first { place in
      guard tokens[place].kind == .comment else { return false }
      let words = tokens[place].text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "#") }
      return zip(words, words.dropFirst()).contains { ["#define", "float", "int"].contains($0) && $1 == name }
    }
    return place.flatMap { Self(tokens[$0].origin, "in a comment", "remove the marks of the comment") }
  }
}
