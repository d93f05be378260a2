internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonExpressions
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// What a context keeps from one image to the next: the device, compiled kernels, plans and their memory.
///
/// **Concurrency**: usable from every thread; everything that it does may block.
final class RenderEngine: Sendable {
  /// The id of the refusal that reading a filter leniently can avoid.
  private static let unfoldableConstant = "glsl.global-const-initializer"

  let evaluator = GLSLExpressionEvaluator(cache: .user)
  let plans = PlanCache()
  let pool = PreparedPlanPool()
  /// Where checkpoints are kept; nil keeps none.
  let checkpoints: CheckpointFolder?
  private let selection: DeviceSelection
  private let kernels = KernelStore(compiler: ShaderCompiler(cache: .user), deadline: nil)
  /// Whether the compiler takes a filter, by its digest, for those that can also be read leniently.
  private let isTaken = Mutex<[ContentHash: Bool]>([:])
  private let notes = Mutex<[Diagnostic]>([])
  private let submitted = Atomic(0)

  /// - Parameter device: what `--device` would say; nil chooses.
  /// - Parameter checkpoints: where they are kept; nil keeps none.
  init(device: String?, checkpoints: CheckpointFolder?) throws(RenderError) {
    selection = try DeviceSelection(device, timeout: nil)
    self.checkpoints = checkpoints
  }

  var backend: any Backend { selection.backend }

  /// Throws when a validation layer that was asked for had anything to say.
  func checkValidation() throws(RenderError) { try selection.checkValidation() }

  /// How many frames were submitted, those with them that others depend on.
  var frameCount: Int { submitted.load(ordering: .relaxed) }

  /// Starts a frame.
  func submit(_ values: FrameValues, to execution: any PlanExecution) throws(RenderError) -> any PendingFrame {
    submitted.add(1, ordering: .relaxed)
    return try execution.submit(values)
  }

  func add(notes new: [Diagnostic]) { notes.withLock { $0 += new } }

  /// What there is to say about checkpoints since it was asked last.
  func takeNotes() -> [Diagnostic] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  /// How many kernels were compiled or read from the cache.
  var kernelCount: Int { kernels.count }

  /// The plan for the values of a frame.
  ///
  /// - Parameter changing: the values of the filters whose values change over time, by the recipe.
  func plan(
    _ graph: ImageGraph, _ outline: GraphOutline, _ values: [ParameterValues], changing: [ContentHash: ParameterValues]
  ) throws -> SharedPlan {
    let key = PlanKey(structure: outline.structure, sizes: outline.sizes(values))
    return try plans.plan(for: key) {
      SharedPlan(key, try GraphPlan(graph, values: changing, source: kernels, evaluator: evaluator), madeFor: outline)
    }
  }

  /// The graph with filters read leniently where the compiler refuses them for what only some drivers take.
  func settled(_ graph: ImageGraph) throws -> ImageGraph {
    let doubtful = Set(graph.uses.map(\.filter).filter { $0.alternative != nil })
    let refused = try doubtful.filter { try !isTaken($0) }
    return refused.isEmpty ? graph : graph.replacing(filters: refused)
  }

  private func isTaken(_ filter: GraphFilter) throws -> Bool {
    if let known = isTaken.withLock({ $0[filter.digest] }) { return known }
    let isTaken = try compiles(filter)
    self.isTaken.withLock { $0[filter.digest] = isTaken }
    return isTaken
  }

  private func compiles(_ filter: GraphFilter) throws -> Bool {
    for pass in filter.manifest.passes {
      do throws(CompileError) {
        _ = try kernels.compiled(pass, in: filter.manifest.name, storing: StoreVariant(.texture, alpha: .asReturned))
      } catch {
        guard case .diagnostics(let refusal) = error else { throw error.cause }
        return !refusal.diagnostics.contains { $0.id == Self.unfoldableConstant }
      }
    }
    return true
  }
}

// MARK: plans

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
/// **Concurrency**: usable from every thread; making a plan does not block other threads.
final class PlanCache: Sendable {
  /// How many plans are kept; they hold pictures, but nothing on a device.
  private static let mostKept = 32

  private struct State {
    /// In the order of use: the one that was used last is at the end.
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

// MARK: prepared memory

/// A plan that is allocated on a device, and what its persistent pictures hold.
///
/// **Concurrency**: used by one run at a time.
final class PreparedPlan: Sendable {
  /// What the content of the memory depends on.
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
  /// The recipe of the frames that were rendered last.
  private let owner = Mutex<String?>(nil)

  init(_ plan: GraphPlan, _ key: Key, on backend: any Backend) throws(RenderError) {
    self.key = key
    execution = try backend.prepare(plan.plan, imports: plan.imports, setupUniforms: key.setup, framesInFlight: Shot.framesInFlight)
  }

  /// Which frame comes next, where frames depend on those before.
  ///
  /// - Parameter recipe: what the frames depend on; after frames of another recipe rendering begins anew.
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

/// Prepared plans that no run uses at the moment, the last ones that were used.
///
/// **Concurrency**: usable from every thread.
final class PreparedPlanPool: Sendable {
  /// How many are kept: each holds textures on the device.
  private static let mostKept = 4

  private let idle = Mutex<[PreparedPlan]>([])

  /// Hands out a prepared plan, which no other run gets before it is given back.
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
