internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// The plans of a shot on a device: one for each set of sizes, allocated when a frame needs it and kept while others do.
///
/// **Concurrency**: usable from every thread; allocating blocks the others.
final class ShotPlans: Sendable {
  /// A plan that is allocated.
  struct Allocated: Sendable {
    let plan: GraphPlan
    let execution: any PlanExecution
    fileprivate let key: [Value]
    /// What frames are like for which it makes what they leave to the next.
    fileprivate let stateKey: [Value]
  }

  /// How many are kept: sizes that go up and down come back soon, and every one of them holds textures.
  private static let mostKept = 3

  let animation: ShotAnimation
  private let backend: any Backend
  /// The one that was used last is the last.
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
