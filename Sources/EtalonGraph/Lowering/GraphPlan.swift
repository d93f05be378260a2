package import EtalonDiagnostics
package import EtalonManifest
package import EtalonPlan
package import EtalonSPIRV
package import EtalonTypes

/// A graph lowered to a plan, with what fills its uniforms frame by frame.
package struct GraphPlan: Sendable {
  package let plan: CheckedPlan
  /// The pictures of the plan's imported textures.
  package let imports: [PixelBuffer]
  /// The streams whose pictures come with each frame, in the order of `FrameValues.pictures`.
  package let streams: [String]
  /// The size of the first picture that leaves the graph, which may be several planes of the plan.
  package let resultSize: Size
  private let dispatches: [GraphDispatch]
  private let setupDispatches: [GraphDispatch]
  /// The recipes of the nodes.
  private let recipes: [ContentHash?]
  /// The streams that each node reads, by the names of its inputs.
  private let reads: [[String: String]]
  /// The moments at which each node is computed.
  private let moments: [[Moment]]
  /// All that are not the rendered frame, each once.
  package let otherMoments: [[Moment]]

  /// Lowers a graph.
  ///
  /// Throws what is wrong with sizes and texts at their places, and what the compiler refuses.
  ///
  /// - Parameter values: those of the filters whose values change over time, by the recipe: what sizes are made of.
  package init(
    _ graph: ImageGraph, values: [ContentHash: ParameterValues] = [:], source: any KernelSource, evaluator: any ExpressionEvaluator
  ) throws {
    let layout = try GraphLayout(graph, values: values, evaluator: evaluator)
    recipes = layout.nodes.map(\.recipe)
    resultSize = layout.resultSize
    let uses = Dictionary(graph.filterRecipes.map { ($0.recipe, $0.use) }) { first, _ in first }
    reads = recipes.map { $0.flatMap { uses[$0]?.streams } ?? [:] }
    moments = recipes.map { $0.flatMap { uses[$0]?.moments } ?? [] }
    otherMoments = Set(moments).filter { !$0.isEmpty }.sorted { $0.map(\.identity).joined() < $1.map(\.identity).joined() }
    let (lowered, lowering) = try Self.lowered(layout, graph.format, source, evaluator, graph.options)
    plan = try PlanChecker().check(lowered)
    imports = lowering.builder.imports
    streams = lowering.builder.streams
    dispatches = lowering.builder.frame.dispatches
    setupDispatches = lowering.builder.setup.dispatches
  }

  /// A text that the compiler refuses where it reads regions of pictures is compiled as it was written.
  private static func lowered(
    _ layout: GraphLayout, _ format: PixelFormat, _ source: any KernelSource, _ evaluator: any ExpressionEvaluator, _ options: PlanOptions
  ) throws -> (Plan, GraphLowering) {
    var lowering = try GraphLowering(layout, format: format, source: source, evaluator: evaluator, options: options)
    do {
      return (try lowering.plan(), lowering)
    } catch {
      guard lowering.crops else { throw error }
      var whole = options
      whole.crops = false
      return try lowered(layout, format, source, evaluator, whole)
    }
  }

  /// The uniforms of the passes of the plan's setup.
  ///
  /// - Parameter parameters: other values than those that the plan was made for, by the recipe.
  package func setupUniforms(parameters: [ContentHash: ParameterValues] = [:]) -> [[UInt8]] {
    setupDispatches.map { dispatch in
      dispatch.bytes { part in
        let pass = state(of: part, parameters)
        return part.writer.bytes { meaning in
          guard let components = pass.components(of: meaning) else { preconditionFailure("\(meaning) changes from frame to frame") }
          return components
        }
      }
    }
  }

  private func state(of part: GraphDispatch.Part, _ parameters: [ContentHash: ParameterValues]) -> PassState {
    var pass = recipes[part.node].flatMap { parameters[$0] }.map(part.state.having) ?? part.state
    pass.streams = reads[part.node]
    return pass
  }

  /// Whether a frame depends on the frame before.
  package var hasState: Bool { plan.plan.hasState }

  /// What changes in the plan for a frame.
  ///
  /// - Parameter parameters: the values of the filters whose values change over time, by the recipe.
  /// - Parameter states: the clocks at each of `otherMoments`.
  /// - Parameter pictures: those of `streams`.
  /// - Parameter startsState: whether targets that are kept begin anew with this frame.
  /// - Parameter writesOutputs: whether the frame is wanted for itself, not only for those after it.
  package func values(
    frame: Int, state: FrameState, states: [[Moment]: FrameState] = [:], parameters: [ContentHash: ParameterValues] = [:],
    pictures: [FramePicture] = [],
    startsState: Bool = false, writesOutputs: Bool = true
  ) -> FrameValues {
    FrameValues(
      frame: frame,
      uniforms: dispatches.map { dispatch in
        dispatch.bytes { part in
          let pass = self.state(of: part, parameters)
          let own = moments[part.node].isEmpty ? state : states[moments[part.node]] ?? state
          return part.writer.bytes { own.components(of: $0, in: pass) }
        }
      },
      pictures: pictures, startsState: startsState, writesOutputs: writesOutputs)
  }
}

extension FilterUse {
  /// The streams that its inputs show, of videos the first planes, by the names of the inputs.
  fileprivate var streams: [String: String] {
    inputs.compactMapValues { if case .stream(let stream) = $0.image.operation { stream.firstName } else { nil } }
  }
}

extension Backend {
  /// Compiles the kernels of a graph and allocates what its frames need.
  package func prepare(_ graph: GraphPlan, framesInFlight: Int) throws(RenderError) -> any PlanExecution {
    try prepare(graph.plan, imports: graph.imports, setupUniforms: graph.setupUniforms(), framesInFlight: framesInFlight)
  }
}

/// What a plan does to save work; none of it changes what a picture shows, beside the rounding of what is stored in between.
package struct PlanOptions: Sendable, Hashable {
  /// Whether nodes are computed inside their readers where that is possible.
  package var fuses: Bool
  /// Whether nodes that all frames have in common are computed once, before the first one.
  package var hoists: Bool
  /// Whether only those parts of pictures are computed that a filter or an output reads.
  package var crops: Bool
  /// Whether passes say how far they read, for those who watch them.
  package var statesReach = false

  package init(fuses: Bool = true, hoists: Bool = true, crops: Bool = true) {
    self.fuses = fuses
    self.hoists = hoists
    self.crops = crops
  }
}

/// Compiles the passes of the filters of a graph.
package protocol KernelSource {
  /// The kernel of a pass that stores in some way.
  ///
  /// - Parameter filter: the name of its filter, or of those that are fused in it.
  func kernel(of pass: PassSource, in filter: String, storing variant: StoreVariant) throws -> Kernel

  /// The kernel that several passes are joined in.
  func kernel(joining passes: FusedPasses) throws -> FusedKernel
}

extension KernelSource {
  /// Compiles the passes and joins them, every time.
  package func kernel(joining passes: FusedPasses) throws -> FusedKernel { try FusedKernel(passes, from: self) }
}
