internal import EtalonCPU
internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonExpressions
package import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// Prepares shots: loads filters and pictures, chooses a device, compiles.
///
/// The device is opened once and shared by all shots.
///
/// **Concurrency**: usable from every thread; preparing blocks.
package final class ShotRenderer: Sendable {
  private let selection = Mutex<DeviceSelection?>(nil)
  /// The kernels of observed shots and what they run on; nil for shots that are not observed.
  private let observed: (kernels: KernelStore, backend: @Sendable (CPUBackend.Options) -> CPUBackend)?

  package init() { observed = nil }

  /// Renders on the CPU executor, watched.
  init(watching kernels: KernelStore, _ log: WatchLog) { observed = (kernels, { CPUBackend($0, watch: log) }) }

  /// Renders on the CPU executor with kernels whose lines are asked for.
  init(compilingWith kernels: KernelStore) { observed = (kernels, { CPUBackend($0) }) }

  /// Renders the surroundings of one pixel on the CPU executor.
  init(probing kernels: KernelStore, _ log: ProbeLog) { observed = (kernels, { CPUBackend($0, probe: log) }) }

  /// Renders on the CPU executor and keeps what a variable is in every pixel.
  init(picturing kernels: KernelStore, _ log: VariableLog) { observed = (kernels, { CPUBackend($0, picturing: log) }) }

  /// Prepares a request; mistakes in it are thrown as diagnostics, before any device is opened.
  package func prepare(_ request: RenderRequest) throws -> Shot {
    let (request, built, animation) = try request.animated(observed?.kernels)
    let events = try request.events()
    var graph = built.image
    graph.options = request.planOptions
    let size = animation.first.plan.plan.outputs[0].size
    let opened = try open(request)
    let backend: any Backend = request.optimizes ? OptimizingBackend(opened) : opened
    let plans = try ShotPlans(animation, on: backend)
    let recipe = RecipeHash.hash(request: request, graph: graph, events: events, size: size, device: backend.identity)
    return Shot(
      request: request, subject: built.subject, plans: plans,
      sources: animation.first.streams.compactMap { built.sources[$0] }, events: events, size: size, deviceName: backend.deviceName,
      recipe: recipe.description, reader: graph.uses.first(where: \.dependsOnRange)?.filter.manifest.name, changes: graph.changesWithTime,
      checkpoints: ShotCheckpoints(
        of: request, graph, sources: built.sources, plan: animation.first.plan.plan, events: events, size: size, device: backend.identity))
  }

  /// What is done for the first frame of a request as text, and what is worth saying about it; no device is opened.
  ///
  /// - Parameter isDOT: whether the text is in the language of Graphviz.
  package func plan(_ request: RenderRequest, isDOT: Bool) throws -> (text: String, warnings: [Diagnostic]) {
    let deadline = request.timeout.map { ContinuousClock.now + .seconds($0) }
    let kernels = KernelStore(compiler: ShaderCompiler(cache: .user), deadline: deadline)
    let (request, built) = try request.settled(kernels)
    let animation = try ShotAnimation(built.image, of: request, source: kernels, evaluator: GLSLExpressionEvaluator(cache: .user))
    let plan = animation.first.plan.plan
    return (isDOT ? PlanDOT(plan).text : PlanPrinter(plan).text, built.subject.warnings)
  }

  /// What is to be said about a request before any device is opened; mistakes in it are thrown as diagnostics.
  package static func check(_ request: RenderRequest) throws -> [Diagnostic] { try request.animated().built.subject.warnings }

  private func open(_ request: RenderRequest) throws(RenderError) -> any Backend {
    try selection.withLock { selection throws(RenderError) in
      if let selection { return selection.backend }
      if let observed { return observed.backend(.init(timeout: request.timeout.map { .seconds($0) })) }
      let opened = try DeviceSelection(request.device, timeout: request.timeout.map { .seconds($0) })
      selection = opened
      return opened.backend
    }
  }

  /// Throws when a validation layer that was asked for had anything to say.
  package func checkValidation() throws(RenderError) {
    try selection.withLock { selection throws(RenderError) in try selection?.checkValidation() }
  }
}

extension RenderRequest {
  /// Its filters and pictures, and the values of all frames.
  fileprivate func animated(_ store: KernelStore? = nil) throws -> (request: RenderRequest, built: BuiltGraph, animation: ShotAnimation) {
    let deadline = timeout.map { ContinuousClock.now + .seconds($0) }
    let kernels = store ?? KernelStore(compiler: ShaderCompiler(cache: .user), deadline: deadline)
    let (request, built) = try settled(kernels)
    var graph = built.image
    graph.options = planOptions
    let animation = try ShotAnimation(graph, of: request, source: kernels, evaluator: GLSLExpressionEvaluator(cache: .user))
    try request.check(built.sources, hasState: animation.first.hasState)
    return (request, built, animation)
  }

  /// Its graph, and the frames that follow from that where nothing says which are wanted.
  fileprivate func settled(_ kernels: KernelStore) throws -> (request: RenderRequest, built: BuiltGraph) {
    var (request, built) = (self, try self.built(kernels))
    if let following = try following(built) { (request, built) = (following, try following.built(kernels)) }
    built.image = built.image.fitted(for: request, GLSLExpressionEvaluator(cache: .user))
    return (request, built)
  }

  /// What its events file says.
  fileprivate func events() throws -> InputEvents? {
    guard let path = eventsFile else { return nil }
    let bytes = try FileReader.bytes(of: path, limit: 1 << 24)
    return try InputEvents(try TextCheck.text(path, bytes), clock: clock).computed(at: proxy)
  }
}

// MARK: lengths of shots

/// Plans requests as a shot does before its first frame, without a device; what was compiled for one plan is there for the next.
///
/// ```swift
/// let planner = ShotPlanner()
/// let graph = try planner.graph(of: request)
/// let plan = try planner.plan(graph, of: request)
/// ```
///
/// **Concurrency**: usable from every thread; planning blocks.
package struct ShotPlanner: Sendable {
  private let kernels: KernelStore
  private let evaluator: GLSLExpressionEvaluator

  /// - Parameter usesDisk: whether kernels that earlier processes compiled are read from the user's cache.
  package init(usesDisk: Bool = true) {
    let cache = usesDisk ? KernelCache.user : nil
    kernels = KernelStore(compiler: ShaderCompiler(cache: cache), deadline: nil)
    evaluator = GLSLExpressionEvaluator(cache: cache)
  }

  /// The graph of a request: its filters and pictures are read; mistakes in them are thrown as diagnostics.
  package func graph(of request: RenderRequest) throws -> ImageGraph {
    var graph = try request.built(kernels).image.fitted(for: request, evaluator)
    graph.options = request.planOptions
    return graph
  }

  /// The plan of the first frame of a graph: values are evaluated and checked on every frame of the request, sizes are laid out, kernels compiled,
  /// joined and put in order.
  package func plan(_ graph: ImageGraph, of request: RenderRequest) throws -> GraphPlan {
    try ShotAnimation(graph, of: request, source: kernels, evaluator: evaluator).first
  }
}
