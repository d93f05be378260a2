internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// What changes in a graph over the frames of a shot, checked: the values, and the plans where sizes follow from them.
struct ShotAnimation: Sendable {
  /// The plan of the frame that is rendered first.
  let first: GraphPlan
  fileprivate let firstKey: [Value]
  fileprivate let firstStateKey: [Value]
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

  /// The part of the plan key that the state of later frames depends on: where it is equal, the plan of one frame also makes the state that another leaves to the next.
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

// MARK: sizes that change

extension GraphAnimation {
  /// Refuses other sizes where they cannot change: of the result, and of what a frame leaves to the next one.
  func check(_ plan: GraphPlan, on reading: ClockReading, against first: GraphPlan) throws(DiagnosticsError) {
    let (old, new) = (first.plan.plan, plan.plan.plan)
    if let (old, new) = zip(old.outputs, new.outputs).first(where: { $0.size != $1.size }) {
      throw DiagnosticsError(
        Diagnostic(
          "size.result", "\(reading.words) the size of the result changes from \(old.size) to \(new.size)",
          labels: sizeLabels("changes a size"), help: ["give it one value for all frames"]))
    }
    guard let change = old.changeOfState(to: new) else { return }
    throw DiagnosticsError(
      Diagnostic(
        "size.state", "\(reading.words) \(change), which the frame after reads", labels: sizeLabels("changes a size", onlyOfState: true),
        help: ["give it one value for all frames"]))
  }
}

extension Plan {
  /// In words, what one frame cannot leave to another because it has another size in the plan of that one; nil where all fits.
  fileprivate func changeOfState(to other: Plan) -> String? {
    let pictures = zip(textures.filter { $0.role == .persistent }, other.textures.filter { $0.role == .persistent })
    if let (old, new) = pictures.first(where: { $0.pictureSize != $1.pictureSize }) {
      return "the size of '\(old.name)' changes from \(old.pictureSize) to \(new.pictureSize)"
    }
    let kept = zip(buffers.filter(\.isPersistent), other.buffers.filter(\.isPersistent))
    if let (old, new) = kept.first(where: { $0.byteCount != $1.byteCount }) {
      return "the size of '\(old.name)' changes from \(old.byteCount) to \(new.byteCount) bytes"
    }
    return nil
  }
}

// MARK: plans on a device

/// The plans of a shot on a device: one for each set of sizes, allocated when a frame needs it and kept while others do.
///
/// **Concurrency**: usable from every thread; allocating blocks the others.
final class ShotPlans: Sendable {
  /// A plan that is allocated.
  struct Allocated: Sendable {
    let plan: GraphPlan
    let execution: any PlanExecution
    fileprivate let key: [Value]
    /// Frames with this key leave the same to the next ones when this plan renders them.
    fileprivate let stateKey: [Value]
  }

  /// How many are kept: sizes that go up and down are soon needed again, and every allocated plan holds textures.
  private static let mostKept = 3

  let animation: ShotAnimation
  private let backend: any Backend
  /// In the order of use: the one that was used last is at the end.
  private let kept: Mutex<[Allocated]>

  init(_ animation: ShotAnimation, on backend: any Backend) throws(RenderError) {
    self.animation = animation
    self.backend = backend
    let execution = try backend.prepare(animation.first, framesInFlight: Shot.framesInFlight)
    kept = Mutex([
      Allocated(plan: animation.first, execution: execution, key: animation.firstKey, stateKey: animation.firstStateKey)
    ])
  }

  /// The plan of the frame that is rendered first.
  var first: GraphPlan { animation.first }

  /// The plan that was used last.
  var current: Allocated { kept.withLock { $0[$0.count - 1] } }

  /// The plan of a frame.
  func plan(onFrame frame: Int) -> GraphPlan { animation.plan(for: animation.planKey(onFrame: frame)) }

  /// The plan of a frame, allocated; it holds what the frames of the plan that was used last left to it.
  ///
  /// - Parameter onlyForState: whether the frame is only rendered for those after it, so that every plan will do that makes the same for them.
  func allocated(onFrame frame: Int, onlyForState: Bool = false) throws(RenderError) -> Allocated {
    let (key, stateKey) = (animation.planKey(onFrame: frame), animation.stateKey(onFrame: frame))
    return try kept.withLock { kept throws(RenderError) in
      let last = kept[kept.count - 1]
      if last.key == key || onlyForState && last.stateKey == stateKey { return last }
      let next: Allocated
      if let index = kept.firstIndex(where: { $0.key == key }) {
        next = kept.remove(at: index)
      } else {
        let plan = animation.plan(for: key)
        let execution = try backend.prepare(plan, framesInFlight: Shot.framesInFlight)
        next = Allocated(plan: plan, execution: execution, key: key, stateKey: stateKey)
      }
      if first.hasState { try next.execution.restore(last.execution.state()) }
      kept.append(next)
      if kept.count > Self.mostKept { kept.removeFirst() }
      return next
    }
  }
}
