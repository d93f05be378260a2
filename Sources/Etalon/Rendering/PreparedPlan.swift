internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import Synchronization

/// A plan that is allocated on a device, and what its persistent pictures hold.
///
/// **Concurrency**: used by one run at a time.
final class PreparedPlan: Sendable {
  /// What the memory follows from.
  struct Key: Sendable, Hashable {
    let plan: PlanKey
    /// The uniforms of what is computed once.
    let setup: [[UInt8]]

    /// - Parameter values: those of every filter of the graph.
    init(_ plan: SharedPlan, _ values: [ParameterValues]) {
      self.plan = plan.key
      setup = plan.plan.setupUniforms(parameters: plan.parameters(values))
    }
  }

  let key: Key
  let execution: any PlanExecution
  private let order = FrameOrder()
  /// Whose frames came last.
  private let owner = Mutex<String?>(nil)

  init(_ plan: GraphPlan, _ key: Key, on backend: any Backend) throws(RenderError) {
    self.key = key
    execution = try backend.prepare(plan.plan, imports: plan.imports, setupUniforms: key.setup, framesInFlight: Shot.framesInFlight)
  }

  /// Where frames stand that depend on those before.
  ///
  /// - Parameter recipe: what the frames depend on; those of another recipe are no beginning for these.
  func order(of recipe: String) -> FrameOrder {
    let isSame = owner.withLock { owner in
      defer { owner = recipe }
      return owner == recipe
    }
    if !isSame { order.forget() }
    return order
  }

  /// Makes the next frame begin anew.
  func forget() { order.forget() }
}

/// Prepared plans that nobody uses just now, the last ones that were used.
///
/// **Concurrency**: usable from every thread.
final class PreparedPlanPool: Sendable {
  /// How many are kept: each holds textures on the device.
  private static let mostKept = 4

  private let idle = Mutex<[PreparedPlan]>([])

  /// Hands out a prepared plan, which nobody else gets before it is given back.
  func take(_ plan: GraphPlan, _ key: PreparedPlan.Key, on backend: any Backend) throws(RenderError) -> PreparedPlan {
    let kept = idle.withLock { idle in idle.lastIndex { $0.key == key }.map { idle.remove(at: $0) } }
    if let kept { return kept }
    return try PreparedPlan(plan, key, on: backend)
  }

  /// Takes a plan back; no frame of it may be unreleased.
  func giveBack(_ plan: PreparedPlan) {
    idle.withLock { idle in
      idle.append(plan)
      if idle.count > Self.mostKept { idle.removeFirst() }
    }
  }
}
