internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// Expressions that are all plain numbers, which need no kernel.
struct ConstantExpressions: CompiledExpressions {
  private let constants: [Value]

  /// Nil when one of the expressions is anything else than a literal of its type.
  init?(_ expressions: [Expression]) {
    var constants: [Value] = []
    for expression in expressions {
      guard let value = ValueText.value(expression.text, as: expression.type), !expression.text.hasPrefix("#") else { return nil }
      constants.append(value)
    }
    self.constants = constants
  }

  func values(_ names: [String: Value]) throws(RenderError) -> [Value] { constants }
}
