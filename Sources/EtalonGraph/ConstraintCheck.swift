package import EtalonDiagnostics
package import EtalonManifest
package import EtalonPlan
internal import EtalonTypes

/// Checks what a filter says must be true of its parameters together.
package struct ConstraintCheck: Sendable {
  private let evaluator: any ExpressionEvaluator

  package init(evaluator: any ExpressionEvaluator) { self.evaluator = evaluator }

  /// The constraints that the values of a filter's parameters violate, each with the values that it is about.
  ///
  /// Throws when a constraint cannot be evaluated, which is a mistake of the filter.
  package func violations(of manifest: FilterManifest, by values: ParameterValues) throws -> [Diagnostic] {
    guard !manifest.constraints.isEmpty else { return [] }
    var names: [String: Value] = [:]
    for parameter in manifest.parameters where !parameter.kind.valueType.isMatrix {
      names[parameter.name] = values[parameter.name] ?? parameter.defaultValue
    }
    let expressions = manifest.constraints.map { constraint in
      Expression(constraint.text, as: .bool, place: constraint.place.map { Expression.Place($0.source, $0.range) })
    }
    let results = try evaluator.compile(expressions, names: names.mapValues(\.type)).values(names)
    return zip(manifest.constraints, results).filter { $1.components[0] == 0 }.map { violation($0.0, names) }
  }

  private func violation(_ constraint: ExpressionText, _ names: [String: Value]) -> Diagnostic {
    let mentioned = names.keys.sorted().filter { name in
      constraint.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == name }
    }
    let values = mentioned.map { "\($0) is \(ValueConversion.plainText(names[$0] ?? Value(.int, [0])))" }
    return Diagnostic(
      "value.constraint", "the values contradict '\(constraint.text)'",
      labels: constraint.place.map { [.init($0.source, $0.range, "has to be true")] } ?? [],
      help: ["change one of them: --set \(mentioned.first ?? "NAME")=…"], notes: values.isEmpty ? [] : [values.joined(separator: ", ")])
  }
}
