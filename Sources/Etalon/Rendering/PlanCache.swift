internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes
internal import Synchronization

/// What a plan follows from: the structure of a graph, and the values that its sizes are made of.
struct PlanKey: Sendable, Hashable {
  let structure: ContentHash
  let sizes: [Value?]
}

/// A plan that serves every graph of its structure.
struct SharedPlan: Sendable {
  let key: PlanKey
  let plan: GraphPlan
  /// The recipes of the graph that it was made for, in the order of the outline.
  private let recipes: [ContentHash]

  init(_ key: PlanKey, _ plan: GraphPlan, madeFor outline: GraphOutline) {
    self.key = key
    self.plan = plan
    recipes = outline.members.map(\.recipe)
  }

  /// The values of another graph under the names that the plan knows.
  func parameters(_ values: [ParameterValues]) -> [ContentHash: ParameterValues] {
    Dictionary(zip(recipes, values), uniquingKeysWith: { first, _ in first })
  }
}

/// The plans that were used last.
///
/// **Concurrency**: usable from every thread; making a plan blocks nobody else.
final class PlanCache: Sendable {
  /// How many plans are kept; they hold pictures, but nothing on a device.
  private static let mostKept = 32

  private struct State {
    /// The one that was used last is the last.
    var plans: [SharedPlan] = []
    var madeCount = 0
  }

  private let state = Mutex(State())

  /// How many plans were made.
  var madeCount: Int { state.withLock(\.madeCount) }

  /// The plan of a key, made if it is not there.
  func plan(for key: PlanKey, _ make: () throws -> SharedPlan) throws -> SharedPlan {
    let known = state.withLock { state -> SharedPlan? in
      guard let index = state.plans.firstIndex(where: { $0.key == key }) else { return nil }
      state.plans.append(state.plans.remove(at: index))
      return state.plans.last
    }
    if let known { return known }
    let plan = try make()
    state.withLock { state in
      state.madeCount += 1
      state.plans.append(plan)
      if state.plans.count > Self.mostKept { state.plans.removeFirst() }
    }
    return plan
  }
}
