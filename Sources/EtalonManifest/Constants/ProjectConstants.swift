package import EtalonDiagnostics
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
