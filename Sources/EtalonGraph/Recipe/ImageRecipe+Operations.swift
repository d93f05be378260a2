package import EtalonDiagnostics
internal import EtalonManifest
package import EtalonPlan
package import EtalonTypes

extension ImageRecipe {
  /// A filter of Etalon's own over this picture and others; values that it does not allow are refused.
  package func applying(
    _ filter: GraphFilter, _ values: [String: Value], inputs: [String: FilterUse.Input], label: String, origin: UseOrigin = UseOrigin()
  ) throws(DiagnosticsError) -> ImageRecipe {
    try Self.result(
      of: filter, values, inputs: inputs.merging(["inputImage": FilterUse.Input(self)]) { given, _ in given }, label: label, origin: origin)
  }

  /// The result of a filter of Etalon's own; values that it does not allow are refused.
  package static func result(
    of filter: GraphFilter, _ values: [String: Value], inputs: [String: FilterUse.Input] = [:], label: String,
    origin: UseOrigin = UseOrigin()
  ) throws(DiagnosticsError) -> ImageRecipe {
    let names = Set(filter.manifest.parameters.map(\.name))
    precondition(names.isSuperset(of: values.keys), "'\(label)' has no parameters \(Set(values.keys).subtracting(names).sorted())")
    var checked = ParameterValues(defaultsOf: filter.manifest)
    var mistakes: [Diagnostic] = []
    for parameter in filter.manifest.parameters {
      guard let value = values[parameter.name] else { continue }
      let text = ValueConversion.plainText(value)
      mistakes += ParameterCheck(parameter).faults(of: value).map {
        Diagnostic($0.id, "\(text) \($0.complaint) of '\(label)'", help: $0.help, notes: $0.notes)
      }
      checked = checked.setting(parameter.name, to: value)
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    return try result(of: FilterUse(filter, inputs: inputs, values: checked, origin: origin), label: label)
  }

  /// The result of a filter; one filter more than may stand one behind the other is refused.
  package static func result(of use: FilterUse, label: String) throws(DiagnosticsError) -> ImageRecipe {
    guard use.depth <= mostDepth else { throw DiagnosticsError(use.origin.placed(tooDeep(), besides: use.filter.manifest.name)) }
    return ImageRecipe(.filter(use), label: label)
  }

  /// What is wrong with more filters than may stand one behind the other.
  static func tooDeep(_ labels: [Diagnostic.Label] = []) -> Diagnostic {
    Diagnostic(
      "limit.depth", "more than \(mostDepth) filters stand one behind the other", labels: labels,
      help: ["render the filters before this one to a picture, and put the others over that picture"])
  }
}

extension ImageGraph {
  /// The part of the plane that its first output covers; values that change over time count as their defaults.
  ///
  /// Throws what is wrong with sizes, at the place of the expression that gives them.
  package func extent(_ evaluator: any ExpressionEvaluator) throws -> Extent {
    let layout = try GraphLayout(self, evaluator: evaluator)
    return layout.nodes[layout.outputs[0].node].extent
  }
}
