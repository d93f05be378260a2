internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSystem
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
  /// The filters of the graph that it was made for.
  private let members: [GraphOutline.Member]

  fileprivate init(_ key: PlanKey, _ plan: GraphPlan, madeFor outline: GraphOutline) {
    self.key = key
    self.plan = plan
    members = outline.members
  }

  /// How the values of another graph of this structure reach the plan.
  fileprivate func parameters(of outline: GraphOutline) -> PlanParameters {
    var parameters = PlanParameters()
    for (own, other) in zip(members, outline.members) where own.recipe != other.recipe {
      parameters.names[other.recipe] = own.recipe
      parameters.fixed[own.recipe] = other.use.values
    }
    return parameters
  }
}

/// The values of a graph under the names that a plan knows, which was made for another graph of the same structure.
struct PlanParameters: Sendable {
  /// The recipes of the plan, by those of the graph; only those that differ.
  fileprivate var names: [ContentHash: ContentHash] = [:]
  /// The values of the filters with other recipes, by the recipe of the plan.
  fileprivate(set) var fixed: [ContentHash: ParameterValues] = [:]

  /// Those of a frame.
  ///
  /// - Parameter changing: the values that change from frame to frame, by the recipe of the graph.
  func values(_ changing: [ContentHash: ParameterValues]) -> [ContentHash: ParameterValues] {
    if names.isEmpty { return changing }
    return fixed.merging(changing.map { (names[$0.key] ?? $0.key, $0.value) }) { $1 }
  }
}

/// Makes plans, and keeps those used last.
///
/// **Concurrency**: usable from every thread; planning does not block other threads.
struct PlanStore: Sendable {
  let kernels: KernelStore
  let evaluator: GLSLExpressionEvaluator
  fileprivate let kept: BoundedCache<PlanKey, SharedPlan>

  /// - Parameter limit: how many plans are kept; they hold pictures, but nothing on a device.
  init(_ kernels: KernelStore, _ evaluator: GLSLExpressionEvaluator, limit: Int) {
    (self.kernels, self.evaluator) = (kernels, evaluator)
    kept = BoundedCache(limit: limit)
  }

  private init(_ store: PlanStore, _ kernels: KernelStore) {
    (self.kernels, evaluator, kept) = (kernels, store.evaluator, store.kept)
  }

  /// The same plans, where compiling is given up so many seconds from now.
  func within(_ timeout: Double?) -> PlanStore { PlanStore(self, kernels.within(timeout)) }

  /// How many plans were made.
  var madeCount: Int { kept.madeCount }

  /// The plan for the values of a frame.
  ///
  /// - Parameter changing: the values of the filters whose values change over time, by the recipe.
  fileprivate func plan(_ graph: ImageGraph, _ outline: GraphOutline, changing: [ContentHash: ParameterValues]) throws -> SharedPlan {
    let sizes = outline.sizes(outline.members.map { changing[$0.recipe] ?? $0.use.values })
    let key = PlanKey(structure: outline.structure, sizes: sizes)
    return try kept.value(for: key) {
      SharedPlan(key, try GraphPlan(graph, values: changing, source: kernels, evaluator: evaluator), madeFor: outline)
    }
  }
}

// MARK: values and plans of all frames

/// What changes in a graph over the frames of a shot, checked: the values, and the plans where sizes follow from them.
///
/// **Concurrency**: an immutable value.
struct ShotAnimation: Sendable {
  /// The plan of the frame that is rendered first.
  let first: SharedPlan
  /// The frame that is rendered first.
  let firstFrame: Int
  /// How many plans there are: one for each set of sizes.
  let planCount: Int
  private let image: ImageGraph
  private let outline: GraphOutline
  private let graph: GraphAnimation
  private let plans: PlanStore
  /// Which frames filters read beside the rendered ones.
  let moments: MomentFinder

  /// Refuses values, constraints and sizes that are wrong on any frame.
  ///
  /// - Parameter moments: which frames filters read beside the rendered ones; nil where no stream begins or ends.
  init(_ image: ImageGraph, of request: RenderRequest, plans: PlanStore, moments: MomentFinder? = nil) throws {
    let readings = try request.readings(hasState: image.keepsState)
    self.moments = moments ?? MomentFinder(request.clock, range: request.shotRange)
    let graph = try GraphAnimation(
      image, at: readings, clock: request.clock, evaluator: plans.evaluator, moments: self.moments)
    let outline = GraphOutline(image)
    var first: (plan: SharedPlan, frame: Int)?
    var known: Set<[Value]> = []
    for reading in graph.isConstant ? readings.prefix(1) : readings[...] {
      guard known.insert(graph.planKey(onFrame: reading.frame)).inserted else { continue }
      let plan: SharedPlan
      do { plan = try plans.plan(image, outline, changing: graph.values(onFrame: reading.frame)) } catch let error as DiagnosticsError {
        throw first == nil ? error : DiagnosticsError(error.diagnostics.map { $0.on(reading) })
      }
      if let first { try graph.check(plan.plan, on: reading, against: first.plan.plan) }
      first = first ?? (plan, reading.frame)
    }
    guard let first else { preconditionFailure("a shot without frames") }
    (self.first, firstFrame) = first
    planCount = known.count
    (self.image, self.outline, self.graph, self.plans) = (image, outline, graph, plans.within(nil))
  }

  /// The values on a frame of the filters that have some that change, by the recipe.
  func values(onFrame frame: Int) -> [ContentHash: ParameterValues] { graph.values(onFrame: frame) }

  /// What the plan of a frame depends on: frames with equal keys share one.
  func planKey(onFrame frame: Int) -> [Value] { graph.planKey(onFrame: frame) }

  /// The part of the plan key that the state of later frames depends on: where it is equal, the plan of one frame also makes the state that another leaves to the next.
  func stateKey(onFrame frame: Int) -> [Value] { graph.stateKey(onFrame: frame) }

  /// The plan of a frame; it is made again where it is no longer kept.
  func plan(onFrame frame: Int) throws(RenderError) -> SharedPlan {
    if planKey(onFrame: frame) == planKey(onFrame: firstFrame) { return first }
    do { return try plans.plan(image, outline, changing: values(onFrame: frame)) } catch let error as RenderError { throw error } catch {
      preconditionFailure("a plan that was made before is refused: \(error)")
    }
  }

  /// A failure of a device at the author's place, where it is about a line of a kernel.
  func placed(_ error: RenderError) -> RenderError { plans.kernels.placed(error) }

  /// How the values of this graph reach a plan of it.
  func parameters(of plan: SharedPlan) -> PlanParameters { plan.parameters(of: outline) }
}

extension Diagnostic {
  /// The same, with the frame on which it occurs.
  fileprivate func on(_ reading: ClockReading) -> Diagnostic {
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

/// A plan that is allocated on a device, and what its persistent pictures hold.
///
/// **Concurrency**: used by one shot at a time.
final class AllocatedPlan: Sendable {
  /// What the content of the memory depends on.
  struct Key: Sendable, Hashable {
    let plan: PlanKey
    /// The uniforms of what is computed once.
    let setup: [[UInt8]]
  }

  let key: Key
  let execution: any PlanExecution
  private let order = FrameOrder()
  /// The recipe of the frames that were rendered last.
  private let owner = Mutex<String?>(nil)

  fileprivate init(_ plan: GraphPlan, _ key: Key, on backend: any Backend) throws(RenderError) {
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
}

/// Allocated plans that no shot uses at the moment, the last ones that were used.
///
/// **Concurrency**: usable from every thread.
final class PlanPool: Sendable {
  private let limit: Int
  private let idle = Mutex<[AllocatedPlan]>([])

  /// - Parameter limit: how many are kept: each holds textures on the device.
  init(limit: Int) { self.limit = limit }

  /// Hands out an allocated plan, which no other shot gets before it is given back.
  fileprivate func take(_ plan: SharedPlan, _ parameters: PlanParameters, on backend: any Backend) throws(RenderError) -> AllocatedPlan {
    let key = AllocatedPlan.Key(plan: plan.key, setup: plan.plan.setupUniforms(parameters: parameters.fixed))
    let kept = idle.withLock { idle in idle.lastIndex { $0.key == key }.map { idle.remove(at: $0) } }
    if let kept { return kept }
    return try AllocatedPlan(plan.plan, key, on: backend)
  }

  /// Takes plans back; no frame of them may be unreleased.
  fileprivate func giveBack(_ plans: [AllocatedPlan]) {
    idle.withLock { idle in
      idle += plans
      idle.removeFirst(max(idle.count - limit, 0))
    }
  }
}

/// The plans of a shot on a device: one for each set of sizes, allocated when a frame needs it and kept while others do.
///
/// **Concurrency**: usable from every thread; allocating blocks the others.
final class ShotPlans: Sendable {
  /// An allocated plan, and what a shot knows about it.
  struct Turn: Sendable {
    let plan: GraphPlan
    let allocated: AllocatedPlan
    let parameters: PlanParameters
    fileprivate let key: [Value]
    /// Frames with this key leave the same to the next ones when this plan renders them.
    fileprivate let stateKey: [Value]

    var execution: any PlanExecution { allocated.execution }
  }

  /// How many are kept: sizes that go up and down are soon needed again, and every allocated plan holds textures.
  private static let mostKept = 3

  /// What changes over the frames; of a live stream over those that have come.
  var animation: ShotAnimation { moving.withLock(\.self) }
  private let moving: Mutex<ShotAnimation>
  private let recipe: String
  private let backend: any Backend
  private let pool: PlanPool
  /// In the order of use: the one that was used last is at the end.
  private let kept = Mutex<[Turn]>([])

  /// Allocates the plan of the first frame.
  ///
  /// - Parameter recipe: what the frames of the shot depend on.
  init(_ animation: ShotAnimation, recipe: String, on backend: any Backend, pool: PlanPool) throws(RenderError) {
    moving = Mutex(animation)
    (self.recipe, self.backend, self.pool) = (recipe, backend, pool)
    let first = try turn(animation.first, onFrame: animation.firstFrame)
    kept.withLock { $0 = [first] }
  }

  private func turn(_ plan: SharedPlan, onFrame frame: Int) throws(RenderError) -> Turn {
    let parameters = animation.parameters(of: plan)
    let allocated: AllocatedPlan
    do throws(RenderError) { allocated = try pool.take(plan, parameters, on: backend) } catch { throw animation.placed(error) }
    return Turn(
      plan: plan.plan, allocated: allocated, parameters: parameters, key: animation.planKey(onFrame: frame),
      stateKey: animation.stateKey(onFrame: frame))
  }

  /// Goes on with other frames of the same graph.
  func goOn(with animation: ShotAnimation) { moving.withLock { $0 = animation } }

  /// The plan of the frame that is rendered first.
  var first: GraphPlan { animation.first.plan }

  /// The plan that was used last.
  var current: Turn { kept.withLock { $0[$0.count - 1] } }

  /// The order of the frames that the plan rendered that was used last.
  var order: FrameOrder { current.allocated.order(of: recipe) }

  /// The plan of a frame, allocated; it holds what the frames of the plan that was used last left to it.
  ///
  /// - Parameter onlyForState: whether the frame is only rendered for those after it, so that every plan will do that makes the same for them.
  func turn(toFrame frame: Int, onlyForState: Bool = false) throws(RenderError) -> Turn {
    let (key, stateKey) = (animation.planKey(onFrame: frame), animation.stateKey(onFrame: frame))
    return try kept.withLock { kept throws(RenderError) in
      let last = kept[kept.count - 1]
      if last.key == key || onlyForState && last.stateKey == stateKey { return last }
      let next: Turn
      if let index = kept.firstIndex(where: { $0.key == key }) {
        next = kept.remove(at: index)
      } else {
        next = try turn(try animation.plan(onFrame: frame), onFrame: frame)
      }
      if first.hasState {
        try next.execution.restore(last.execution.state())
        let left = last.allocated.order(of: recipe)
        next.allocated.order(of: recipe).follow(left)
        left.forget()
      }
      kept.append(next)
      if kept.count > Self.mostKept { kept.removeFirst() }
      return next
    }
  }

  /// Gives the memory back for other shots; no frame may be unreleased, and none is rendered after it.
  func finish() {
    let plans = kept.withLock { kept in
      defer { kept = [] }
      return kept.map(\.allocated)
    }
    pool.giveBack(plans)
  }
}
