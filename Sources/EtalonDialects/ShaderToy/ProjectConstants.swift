package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// The constants of all texts of a project, which may become parameters of it.
package struct ProjectConstants {
  private var found: [(constant: SettableConstant, comment: ParameterComment)] = []
  /// The uniforms of the texts, which are parameters already, with their places.
  private var declared: [String: SourceRange] = [:]
  /// Every definition of every constant.
  private var all: [SettableConstant] = []

  /// Finds them in the order of the passes.
  package init(_ project: ShaderToyProject) {
    for pass in project.passes where pass.name != .sound {
      let tokens = Lexer.tokens(of: pass.text)
      let places = ConstantFinder(tokens: tokens).places()
      var rest = tokens
      for uniform in LooseUniforms(takenFrom: &rest).uniforms where !ShaderToyUniforms.names.contains(uniform.name) {
        declared[uniform.name] = uniform.place
      }
      all += places.map(\.constant)
      for place in places where !found.contains(where: { $0.constant.name == place.constant.name }) {
        found.append((place.constant, Self.comment(behind: place.literal.last ?? 0, tokens)))
      }
    }
  }

  /// What is wrong with a name that stands for different values in different places; nil for any other name.
  package func severalValues(of name: String) -> Diagnostic? { SettableConstant.severalValues(of: name, among: all) }

  /// Where a text declares a parameter of its own; nil for any other name.
  package func parameterPlace(_ name: String) -> SourceRange? { declared[name] }

  /// The names, in the order of the texts.
  package var names: [String] { found.map(\.constant.name) }

  /// The parameter that a constant makes; nil when no text has one of the name.
  ///
  /// Bounds are those that a comment behind the constant declares. Otherwise they are 0 and twice the value (a negative value turns that around), -1 and 1
  /// for a value of 0, and 0 and 1 for vectors whose components all lie there, which colours do.
  package func parameter(_ name: String) -> ExposedConstant? {
    guard let (constant, comment) = found.first(where: { $0.constant.name == name }), let place = constant.place else { return nil }
    var bounds: (low: [Double], high: [Double])?
    if constant.value.type != .bool, !constant.value.type.isMatrix { bounds = Self.bounds(around: constant.value.components) }
    return ExposedConstant(
      name: name, minimum: comment.minimum ?? bounds?.low, maximum: comment.maximum ?? bounds?.high, step: comment.step,
      label: comment.label, help: comment.help, place: place)
  }

  private static func bounds(around value: [Double]) -> (low: [Double], high: [Double]) {
    if value.count > 1, value.allSatisfy({ (0...1).contains($0) }) { return ([0], [1]) }
    let low = value.map { $0 == 0 ? -1 : min(0, 2 * $0) }
    let high = value.map { $0 == 0 ? 1 : max(0, 2 * $0) }
    return (low, high)
  }

  private static func comment(behind literal: Int, _ tokens: [Token]) -> ParameterComment {
    let line = tokens[(literal + 1)...].prefix { $0.kind != .lineEnd }
    return line.first { $0.kind == .comment }.map { ParameterComment($0.text) } ?? ParameterComment()
  }
}

// MARK: - what is no constant

/// The reason why a name that a text defines cannot become a parameter.
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
