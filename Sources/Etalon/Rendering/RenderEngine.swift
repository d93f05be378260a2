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
  /// The refusal that the lenient reading of a filter can help.
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
