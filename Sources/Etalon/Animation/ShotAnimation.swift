internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// What changes in a graph over the frames of a shot, checked: the values, and the plans where sizes follow from them.
struct ShotAnimation: Sendable {
  /// The plan of the frame that is rendered first.
  let first: GraphPlan
  let firstKey: [Value]
  private let graph: GraphAnimation
  private var plans: [[Value]: GraphPlan] = [:]

  /// Refuses values, constraints and sizes that are wrong on any frame.
  init(_ image: ImageGraph, of request: RenderRequest, source: any KernelSource, evaluator: any ExpressionEvaluator) throws {
    let readings = request.readings(hasState: image.keepsState)
    graph = try GraphAnimation(image, at: readings, clock: request.clock, evaluator: evaluator)
    var first: (plan: GraphPlan, key: [Value])?
    for reading in graph.isConstant ? readings.prefix(1) : readings[...] {
      let key = graph.planKey(onFrame: reading.frame)
      guard plans[key] == nil else { continue }
      let plan = try Self.plan(image, graph.values(onFrame: reading.frame), source, evaluator, on: plans.isEmpty ? nil : reading)
      if let first { try graph.check(plan, on: reading, against: first.plan) }
      first = first ?? (plan, key)
      plans[key] = plan
    }
    guard let first else { preconditionFailure("a shot without frames") }
    self.first = first.plan
    firstKey = first.key
  }

  /// The values on a frame of the filters that have some that change, by the recipe.
  func values(onFrame frame: Int) -> [ContentHash: ParameterValues] { graph.values(onFrame: frame) }

  /// How many plans there are: one for each set of sizes.
  var planCount: Int { plans.count }

  /// What the plan of a frame depends on: frames with equal keys share one.
  func planKey(onFrame frame: Int) -> [Value] { graph.planKey(onFrame: frame) }

  /// The plan of the frames with a key.
  func plan(for key: [Value]) -> GraphPlan {
    guard let plan = plans[key] else { preconditionFailure("sizes of a frame that was not checked") }
    return plan
  }

  private static func plan(
    _ image: ImageGraph, _ values: [ContentHash: ParameterValues], _ source: any KernelSource, _ evaluator: any ExpressionEvaluator,
    on reading: ClockReading?
  ) throws -> GraphPlan {
    do {
      return try GraphPlan(image, values: values, source: source, evaluator: evaluator)
    } catch let error as DiagnosticsError {
      guard let reading else { throw error }
      throw DiagnosticsError(error.diagnostics.map { $0.on(reading) })
    }
  }
}

extension GraphAnimation {
  /// Refuses other sizes where they cannot change: of the result, and of what a frame leaves to the next one.
  func check(_ plan: GraphPlan, on reading: ClockReading, against first: GraphPlan) throws(DiagnosticsError) {
    if let (old, new) = zip(first.plan.plan.outputs, plan.plan.plan.outputs).first(where: { $0.size != $1.size }) {
      throw DiagnosticsError(
        Diagnostic(
          "size.result", "\(reading.words) the size of the result changes from \(old.size) to \(new.size)",
          labels: sizeLabels("changes a size"), help: ["give it one value for all frames"]))
    }
    guard first.hasState else { return }
    throw DiagnosticsError(
      Diagnostic(
        "size.state", "\(reading.words) a size changes, and frames depend on the frame before", labels: sizeLabels("changes a size"),
        help: ["give it one value for all frames"]))
  }
}

extension ImageGraph {
  /// Whether a frame depends on the frame before.
  var keepsState: Bool { !feedback.isEmpty || uses.contains { $0.filter.manifest.keepsState } }
}

extension FilterManifest {
  /// Whether some of its targets or buffers outlive a frame.
  var keepsState: Bool { targets.contains(where: \.isPersistent) || buffers.contains(where: \.isPersistent) }
}

extension Diagnostic {
  /// The same, with the frame on which it occurs.
  func on(_ reading: ClockReading) -> Diagnostic {
    Diagnostic(id, "\(reading.words) \(message)", severity: severity, labels: labels, help: help, notes: notes)
  }
}
