package import EtalonDiagnostics
package import EtalonManifest
package import EtalonPlan
internal import EtalonTypes

/// Evaluates the expressions of a filter's header without rendering it: constraints, sizes, what it covers, and how far it reads.
package struct HeaderCheck {
  /// A size that filters are commonly rendered at.
  private static let size = Size(1280, 720)

  private let evaluator: any ExpressionEvaluator

  package init(evaluator: any ExpressionEvaluator) { self.evaluator = evaluator }

  /// What is wrong with the expressions where all parameters have their defaults.
  package func mistakes(of manifest: FilterManifest) throws -> [Diagnostic] {
    let values = ParameterValues(defaultsOf: manifest)
    let filter = GraphFilter(manifest)
    let use = FilterUse(filter, inputs: [:], values: values, animated: [:])
    var found: [Diagnostic] = []
    try collect(&found) { try ConstraintCheck(evaluator: evaluator).violations(of: manifest, by: values) }
    try collect(&found) {
      _ = try FilterExtents(filter.manifest, output: Self.size, values: values, evaluator: evaluator)
      return []
    }
    for pass in filter.manifest.passes {
      try collect(&found) {
        _ = try FilterReach(filter, values, around: Self.size, evaluator).pixels(of: pass)
        return []
      }
    }
    try collect(&found) {
      _ = try ExtentRule(use, inputs: [:], size: Self.size, isWhole: true).extent(evaluator)
      return []
    }
    var known: Set<Diagnostic> = []
    return found.filter { known.insert($0).inserted }
  }

  private func collect(_ found: inout [Diagnostic], _ check: () throws -> [Diagnostic]) throws {
    do { found += try check() } catch let error as DiagnosticsError { found += error.diagnostics }
  }
}
