internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// The plans of a shot on a device: one for each set of sizes, allocated when a frame needs it and kept while others do.
///
/// **Concurrency**: usable from every thread; allocating blocks the others.
final class ShotPlans: Sendable {
  /// How many are kept: sizes that go up and down come back soon, and every one of them holds textures.
  private static let mostKept = 3

  let animation: ShotAnimation
  private let backend: any Backend
  /// The one that was used last is the last.
  private let kept: Mutex<[(key: [Value], execution: any PlanExecution)]>

  init(_ animation: ShotAnimation, on backend: any Backend) throws(RenderError) {
    self.animation = animation
    self.backend = backend
    let first = animation.first
    let execution = try backend.prepare(first, framesInFlight: Shot.framesInFlight)
    kept = Mutex([(animation.firstKey, execution)])
  }

  /// The plan of the frame that is rendered first.
  var first: GraphPlan { animation.first }

  /// The plan of a frame.
  func plan(onFrame frame: Int) -> GraphPlan { animation.plan(for: animation.planKey(onFrame: frame)) }

  /// The plan of a frame, allocated.
  func execution(onFrame frame: Int) throws(RenderError) -> any PlanExecution {
    let key = animation.planKey(onFrame: frame)
    return try kept.withLock { kept throws(RenderError) in
      if let index = kept.firstIndex(where: { $0.key == key }) {
        kept.append(kept.remove(at: index))
      } else {
        let plan = animation.plan(for: key)
        kept.append((key, try backend.prepare(plan, framesInFlight: Shot.framesInFlight)))
        if kept.count > Self.mostKept { kept.removeFirst() }
      }
      return kept[kept.count - 1].execution
    }
  }
}
