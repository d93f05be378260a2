package import EtalonCompiler
internal import EtalonDiagnostics
package import EtalonGraph
package import EtalonManifest
internal import EtalonPlan
package import EtalonSPIRV
internal import EtalonSystem
internal import EtalonTypes
internal import Synchronization

/// Kernels, each compiled once, for as long as it is among those used last.
///
/// Copies share what they compiled.
///
/// **Concurrency**: usable from every thread; compiling blocks.
package struct KernelStore: KernelSource, Sendable {
  private struct Key: Hashable {
    let filter: String
    let pass: PassSource
    let variant: StoreVariant

    /// Leaves out the text, which is long to hash; filters of one name seldom differ.
    func hash(into hasher: inout Hasher) {
      hasher.combine(filter)
      hasher.combine(pass.name)
      hasher.combine(variant)
    }
  }

  /// What copies share.
  private final class Shared: Sendable {
    let compiled = BoundedCache<Key, CompiledKernel>(limit: 4096)
    let joined = BoundedCache<FusedPasses, FusedKernel>(limit: 512)
    let lines = Mutex<[Kernel: TokenLines]>([:])
    /// Whether the compiler takes a filter, by its digest, for those that can also be read leniently.
    let isTaken = BoundedCache<ContentHash, Bool>(limit: 4096)
  }

  private let compiler: ShaderCompiler
  private let keepsLines: Bool
  /// When compiling is given up; nil for never.
  private var deadline: ContinuousClock.Instant?
  private let shared = Shared()

  /// - Parameter keepsLines: whether `lines(of:)` is asked for; the lines of all kernels are kept then.
  package init(compiler: ShaderCompiler = ShaderCompiler(cache: .user), keepsLines: Bool = false) {
    self.compiler = compiler
    self.keepsLines = keepsLines
  }

  /// The same kernels, where compiling is given up so many seconds from now; nil for never.
  func within(_ timeout: Double?) -> KernelStore {
    guard let timeout else { return self }
    var store = self
    store.deadline = .now + .seconds(timeout)
    return store
  }

  /// How many kernels were compiled.
  var count: Int { shared.compiled.madeCount }

  /// How many kernels were joined of others.
  var joinedCount: Int { shared.joined.madeCount }

  /// The kernel of a pass with what the compiler had to say about it.
  func compiled(_ pass: PassSource, in filter: String, storing variant: StoreVariant) throws(CompileError) -> CompiledKernel {
    try shared.compiled.value(for: Key(filter: filter, pass: pass, variant: variant)) { () throws(CompileError) in
      let compiled = try compiler.compile(filter: filter, pass: pass, variant: variant, deadline: deadline)
      if keepsLines { shared.lines.withLock { $0[compiled.kernel] = compiled.lines } }
      return compiled
    }
  }

  /// Finds the author's text for the debug lines of a kernel; nil for one that was not compiled here.
  package func lines(of kernel: Kernel) -> TokenLines? { shared.lines.withLock { $0[kernel] } }

  /// The same failure at the author's place, where it is about a line of a kernel that was compiled here.
  ///
  /// Several filters may have the same name; the place is told if it can only be one.
  func placed(_ error: RenderError) -> RenderError {
    guard let line = error.generatedLine else { return error }
    let places = shared.compiled.values.filter { $0.kernel.name == line.text }.map { compiled in
      line.variable.flatMap { compiled.lines.origin(ofName: $0, fromLine: line.line) } ?? compiled.lines.origin(ofLine: line.line)
    }
    guard let first = places.first, let place = first, places.allSatisfy({ $0 == place }) else { return error }
    return error.asked(at: place.label("here"))
  }

  package func kernel(of pass: PassSource, in filter: String, storing variant: StoreVariant) throws -> Kernel {
    do throws(CompileError) { return try compiled(pass, in: filter, storing: variant).kernel } catch { throw error.cause }
  }

  package func kernel(joining passes: FusedPasses) throws -> FusedKernel {
    try shared.joined.value(for: passes) { try FusedKernel(passes, from: self) }
  }

  // MARK: lenient readings

  /// The graph with filters read leniently where the compiler refuses them for what only some drivers take.
  func settled(_ graph: ImageGraph) throws -> ImageGraph {
    let doubtful = Set(graph.uses.map(\.filter).filter { $0.alternative != nil })
    let refused = try doubtful.filter { filter in try !shared.isTaken.value(for: filter.digest) { try compiles(filter) } }
    return refused.isEmpty ? graph : graph.replacing(filters: refused)
  }

  private func compiles(_ filter: GraphFilter) throws -> Bool {
    for pass in filter.manifest.passes {
      do throws(CompileError) {
        _ = try compiled(pass, in: filter.manifest.name, storing: StoreVariant(.texture, alpha: .asReturned))
      } catch {
        guard case .diagnostics(let found) = error else { throw error.cause }
        return !found.isAvoidedByLenientReading
      }
    }
    return true
  }
}

// MARK: optimized kernels

/// An executor that gets optimized kernels, which must not change a pixel.
final class OptimizingBackend: Backend {
  private let base: any Backend
  private let known = Mutex<[Kernel: Kernel]>([:])

  init(_ base: any Backend) { self.base = base }

  var deviceName: String { base.deviceName }
  var identity: String { "\(base.identity) optimized" }

  func prepare(
    _ plan: CheckedPlan, imports: [PixelBuffer], setupUniforms: [[UInt8]], framesInFlight: Int
  ) throws(RenderError) -> any PlanExecution {
    var kernels: [Kernel] = []
    for kernel in plan.plan.kernels { kernels.append(try optimized(kernel)) }
    let optimized = try PlanChecker().check(plan.plan.with(kernels: kernels))
    return try base.prepare(optimized, imports: imports, setupUniforms: setupUniforms, framesInFlight: framesInFlight)
  }

  private func optimized(_ kernel: Kernel) throws(RenderError) -> Kernel {
    if let known = known.withLock({ $0[kernel] }) { return known }
    let optimized = try KernelOptimizer.optimize(kernel)
    known.withLock { $0[kernel] = optimized }
    return optimized
  }
}
