package import EtalonCPU
internal import EtalonCompiler
package import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
package import EtalonTypes
internal import Synchronization

/// Makes shots of requests, for programs, commands and tests alike: loads filters and pictures, checks values, plans, and allocates on a device.
///
/// The device is opened once, and so is everything compiled once, for all shots.
///
/// **Concurrency**: usable from every thread; preparing blocks.
package final class ShotRenderer: Sendable {
  /// What is kept from one shot to the next beside the device and kernels.
  package enum Keeping: Sendable {
    /// Nothing, for shots that have little in common.
    case nothing
    /// Plans and the memory of the last few, for shots that differ in values and follow each other.
    case plans
  }

  private let kernels: KernelStore
  private let evaluator: GLSLExpressionEvaluator
  /// Nil where each shot has its own.
  private let plans: PlanStore?
  private let pool: PlanPool
  private let open: @Sendable (RenderRequest) throws(RenderError) -> DeviceSelection
  private let selection = Mutex<DeviceSelection?>(nil)
  private let submitted = Atomic(0)

  /// Opens the device that the first request names, when it is prepared.
  package convenience init(keeping: Keeping = .nothing) {
    self.init(KernelStore(), keeping: keeping) { request throws(RenderError) in
      try DeviceSelection(request.device, timeout: request.timeout.map { .seconds($0) })
    }
  }

  /// Renders on a device that is open.
  convenience init(on device: DeviceSelection, keeping: Keeping) {
    self.init(KernelStore(), keeping: keeping) { _ in device }
    selection.withLock { $0 = device }
  }

  /// Renders on the CPU executor, watched.
  package convenience init(watching kernels: KernelStore, _ log: WatchLog) { self.init(kernels) { CPUBackend($0, watch: log) } }

  /// Renders on the CPU executor with kernels whose lines are asked for.
  package convenience init(compilingWith kernels: KernelStore) { self.init(kernels) { CPUBackend($0) } }

  /// Renders the surroundings of one pixel on the CPU executor.
  package convenience init(probing kernels: KernelStore, _ log: ProbeLog) { self.init(kernels) { CPUBackend($0, probe: log) } }

  /// Renders on the CPU executor and keeps what a variable is in every pixel.
  package convenience init(picturing kernels: KernelStore, _ log: VariableLog) { self.init(kernels) { CPUBackend($0, picturing: log) } }

  private convenience init(_ kernels: KernelStore, observed: @escaping @Sendable (CPUBackend.Options) -> CPUBackend) {
    self.init(kernels, keeping: .nothing) { .cpu(observed(.init(timeout: $0.timeout.map { .seconds($0) }))) }
  }

  private init(
    _ kernels: KernelStore, keeping: Keeping, open: @escaping @Sendable (RenderRequest) throws(RenderError) -> DeviceSelection
  ) {
    self.kernels = kernels
    self.open = open
    evaluator = GLSLExpressionEvaluator(cache: .user)
    switch keeping {
    case .nothing: (plans, pool) = (nil, PlanPool(limit: 0))
    case .plans: (plans, pool) = (PlanStore(kernels, evaluator, limit: Self.mostPlans), PlanPool(limit: 4))
    }
  }

  private static let mostPlans = 32

  // MARK: shots

  /// Prepares a request; errors in it are thrown as diagnostics, before any device is opened.
  package func prepare(_ request: RenderRequest) throws -> Shot {
    let (request, built, animation, live) = try checked(request)
    let events = try request.events()
    let opened = try backend(for: request)
    return try Shot(
      request, built, animation, events: events, on: request.optimizes ? OptimizingBackend(opened) : opened, pool: pool, live: live
    ) { [self] in submitted.add(1, ordering: .relaxed) }
  }

  /// The size of the result of a request, without its proxy; no device is opened.
  package func size(of request: RenderRequest) throws -> Size {
    var request = request
    request.proxy = .whole
    return try checked(request, checksSources: false).animation.first.plan.resultSize
  }

  /// What is done for the first frame of a request as text, and what is worth saying about it; no device is opened.
  ///
  /// - Parameter isDOT: whether the text is in the language of Graphviz.
  package func plan(_ request: RenderRequest, isDOT: Bool) throws -> (text: String, warnings: [Diagnostic]) {
    let (_, built, animation, _) = try checked(request, checksSources: false)
    let plan = animation.first.plan.plan.plan
    return (isDOT ? PlanDOT(plan).text : PlanPrinter(plan).text, built.subject.warnings)
  }

  /// What is to be said about a request before any device is opened; errors in it are thrown as diagnostics.
  package static func check(_ request: RenderRequest) throws -> [Diagnostic] {
    try ShotRenderer().checked(request).built.subject.warnings
  }

  /// Its filters and pictures, the frames that follow from them, and the values of all frames.
  func checked(
    _ request: RenderRequest, checksSources: Bool = true
  ) throws -> (request: RenderRequest, built: BuiltGraph, animation: ShotAnimation, live: LiveShot?) {
    let plans = (plans ?? PlanStore(kernels, evaluator, limit: Self.mostPlans)).within(request.timeout)
    var (request, built) = (request, try request.built(plans.kernels))
    if let following = try request.following(built) { (request, built) = (following, try following.built(plans.kernels)) }
    let live = try LiveClock(request, built)
    try request.checkLate(built)
    if let live {
      guard let first = live.advance() else {
        throw live.failure
          ?? RenderError(.invalidInput, "the stream ended before the first frame that is wanted", help: ["ask for earlier frames"])
      }
      request = first
    }
    built.image = built.image.fitted(for: request, evaluator)
    built.image.options = request.planOptions
    let moments = MomentClock(request, built.sources)
    built = built.addingMoments(moments)
    let image = built.image
    let animate = { @Sendable request in try ShotAnimation(image, of: request, plans: plans, moments: moments.finder) }
    let animation = try animate(request)
    if checksSources { try request.check(built.sources, hasState: animation.first.plan.hasState) }
    return (request, built, animation, live.map { LiveShot(clock: $0, animate: animate) })
  }

  // MARK: device

  private func backend(for request: RenderRequest) throws(RenderError) -> any Backend {
    try selection.withLock { selection throws(RenderError) in
      if let selection { return selection.backend }
      let opened = try open(request)
      selection = opened
      return opened.backend
    }
  }

  /// Throws when a validation layer that was asked for had anything to say.
  package func checkValidation() throws(RenderError) {
    try selection.withLock { selection throws(RenderError) in try selection?.checkValidation() }
  }

  // MARK: what was done

  /// How many plans were made and kept.
  var planCount: Int { plans?.madeCount ?? 0 }

  /// How many kernels were compiled, or read from the user's cache.
  var kernelCount: Int { kernels.count }

  /// How many frames were given to the device, those with them that others depend on.
  var frameCount: Int { submitted.load(ordering: .relaxed) }
}

extension RenderRequest {
  /// What its events file says.
  fileprivate func events() throws -> InputEvents? {
    guard let path = eventsFile else { return nil }
    let bytes = try FileReader.bytes(of: path, limit: 1 << 24)
    return try InputEvents(try TextCheck.text(path, bytes), clock: clock).computed(at: proxy)
  }
}

// MARK: planning alone

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
  private let plans: PlanStore

  /// - Parameter usesDisk: whether kernels that earlier processes compiled are read from the user's cache.
  package init(usesDisk: Bool = true) {
    let cache = usesDisk ? KernelCache.user : nil
    plans = PlanStore(KernelStore(compiler: ShaderCompiler(cache: cache)), GLSLExpressionEvaluator(cache: cache), limit: 0)
  }

  /// The graph of a request: its filters and pictures are read; errors in them are thrown as diagnostics.
  package func graph(of request: RenderRequest) throws -> ImageGraph {
    var graph = try request.built(plans.kernels).image.fitted(for: request, plans.evaluator)
    graph.options = request.planOptions
    return graph
  }

  /// The plan of the first frame of a graph: values are evaluated and checked on every frame of the request, sizes are laid out, kernels compiled,
  /// joined and put in order.
  package func plan(_ graph: ImageGraph, of request: RenderRequest) throws -> GraphPlan {
    try ShotAnimation(graph, of: request, plans: plans).first.plan
  }
}
