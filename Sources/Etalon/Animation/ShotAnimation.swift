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
  let firstStateKey: [Value]
  private let graph: GraphAnimation
  private var plans: [[Value]: GraphPlan] = [:]

  /// Refuses values, constraints and sizes that are wrong on any frame.
  init(_ image: ImageGraph, of request: RenderRequest, source: any KernelSource, evaluator: any ExpressionEvaluator) throws {
    let readings = try request.readings(hasState: image.keepsState)
    graph = try GraphAnimation(image, at: readings, clock: request.clock, evaluator: evaluator)
    var first: (plan: GraphPlan, frame: Int)?
    for reading in graph.isConstant ? readings.prefix(1) : readings[...] {
      let key = graph.planKey(onFrame: reading.frame)
      guard plans[key] == nil else { continue }
      let plan = try Self.plan(image, graph.values(onFrame: reading.frame), source, evaluator, on: plans.isEmpty ? nil : reading)
      if let first { try graph.check(plan, on: reading, against: first.plan) }
      first = first ?? (plan, reading.frame)
      plans[key] = plan
    }
    guard let first else { preconditionFailure("a shot without frames") }
    self.first = first.plan
    firstKey = graph.planKey(onFrame: first.frame)
    firstStateKey = graph.stateKey(onFrame: first.frame)
  }

  /// The values on a frame of the filters that have some that change, by the recipe.
  func values(onFrame frame: Int) -> [ContentHash: ParameterValues] { graph.values(onFrame: frame) }

  /// How many plans there are: one for each set of sizes.
  var planCount: Int { plans.count }

  /// What the plan of a frame depends on: frames with equal keys share one.
  func planKey(onFrame frame: Int) -> [Value] { graph.planKey(onFrame: frame) }

  /// What of that the next frames depend on: where it is equal, the plan of one frame makes what another leaves to the next, too.
  func stateKey(onFrame frame: Int) -> [Value] { graph.stateKey(onFrame: frame) }

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

extension Diagnostic {
  /// The same, with the frame on which it occurs.
  func on(_ reading: ClockReading) -> Diagnostic {
    Diagnostic(id, "\(reading.words) \(message)", severity: severity, labels: labels, help: help, notes: notes)
  }
}
