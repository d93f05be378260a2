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
  package func violations(
    of manifest: FilterManifest, by values: ParameterValues, origin: UseOrigin = UseOrigin()
  ) throws -> [Diagnostic] {
    try violations(of: manifest, by: [(nil, values)], origin)
  }

  /// The constraints that the values violate on some frames, each with the first of these.
  package func violations(
    of manifest: FilterManifest, by timeline: ParameterTimeline, at readings: [ClockReading], origin: UseOrigin
  ) throws -> [Diagnostic] {
    guard !manifest.constraints.isEmpty else { return [] }
    return try violations(of: manifest, by: readings.map { ($0, timeline.values(onFrame: $0.frame)) }, origin)
  }

  private func violations(of manifest: FilterManifest, by frames: [(ClockReading?, ParameterValues)], _ origin: UseOrigin) throws
    -> [Diagnostic]
  {
    guard !manifest.constraints.isEmpty else { return [] }
    let parameters = manifest.parameters.filter { !$0.kind.valueType.isMatrix }
    let sets = frames.map { frame in
      Dictionary(parameters.map { ($0.name, frame.1[$0.name] ?? $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
    }
    let expressions = manifest.constraints.map { constraint in
      Expression(constraint.text, as: .bool, place: constraint.place.map { Expression.Place($0.source, $0.range) })
    }
    let types = Dictionary(parameters.map { ($0.name, $0.kind.valueType) }, uniquingKeysWith: { first, _ in first })
    let results = try evaluator.compile(expressions, names: types).values(sets)
    return manifest.constraints.indices.compactMap { index in
      guard let frame = results.firstIndex(where: { $0[index].components[0] == 0 }) else { return nil }
      return violation(manifest.constraints[index], sets[frame], frames[frame].0, origin)
    }
  }

  private func violation(_ constraint: ExpressionText, _ names: [String: Value], _ reading: ClockReading?, _ origin: UseOrigin)
    -> Diagnostic
  {
    let mentioned = constraint.names(among: Set(names.keys)).sorted()
    let values = mentioned.map { "\($0) is \(ValueConversion.shaderText(names[$0] ?? Value(.int, [0])))" }
    return Diagnostic(
      "value.constraint", "\(reading.map { "\($0.words) " } ?? "")the values\(origin.ofNode) contradict '\(constraint.text)'",
      labels: origin.labels(ofValues: mentioned, "contradicts it")
        + (constraint.place.map { [.init($0.source, $0.range, "has to be true")] } ?? []),
      help: ["change one of them: \(origin.change(of: mentioned.first ?? "NAME"))"],
      notes: values.isEmpty ? [] : [values.joined(separator: ", ")])
  }
}
