internal import EtalonCompiler
internal import EtalonExpressions
package import EtalonGraph
internal import EtalonPlan

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
