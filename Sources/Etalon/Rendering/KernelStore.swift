internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes
internal import Synchronization

/// The kernels of one request, each compiled once.
///
/// **Concurrency**: usable from every thread; compiling blocks.
final class KernelStore: KernelSource, Sendable {
  private struct Key: Hashable {
    let filter: String
    let pass: PassSource
    let variant: StoreVariant
  }

  /// How many joined kernels are kept; when there are more, all are given up and made again.
  private static let mostJoined = 512

  private let compiler: ShaderCompiler
  private let deadline: ContinuousClock.Instant?
  private let known = Mutex<[Key: CompiledKernel]>([:])
  private let joined = Mutex<[FusedPasses: FusedKernel]>([:])
  private let lines = Mutex<[Kernel: TokenLines]>([:])

  /// - Parameter deadline: when compiling is given up.
  init(compiler: ShaderCompiler, deadline: ContinuousClock.Instant?) {
    self.compiler = compiler
    self.deadline = deadline
  }

  /// How many kernels were compiled.
  var count: Int { known.withLock(\.count) }

  /// How many kernels were joined of others.
  var joinedCount: Int { joined.withLock(\.count) }

  /// The kernel of a pass with what the compiler had to say about it.
  func compiled(_ pass: PassSource, in filter: String, storing variant: StoreVariant) throws(CompileError) -> CompiledKernel {
    let key = Key(filter: filter, pass: pass, variant: variant)
    if let compiled = known.withLock({ $0[key] }) { return compiled }
    let compiled = try compiler.compile(filter: filter, pass: pass, variant: variant, deadline: deadline)
    known.withLock { $0[key] = compiled }
    lines.withLock { $0[compiled.kernel] = compiled.lines }
    return compiled
  }

  /// Finds the author's text for the debug lines of a kernel; nil for one that was not compiled here.
  func lines(of kernel: Kernel) -> TokenLines? { lines.withLock { $0[kernel] } }

  func kernel(of pass: PassSource, in filter: String, storing variant: StoreVariant) throws -> Kernel {
    do throws(CompileError) { return try compiled(pass, in: filter, storing: variant).kernel } catch { throw error.cause }
  }

  func kernel(joining passes: FusedPasses) throws -> FusedKernel {
    if let kernel = joined.withLock({ $0[passes] }) { return kernel }
    let kernel = try FusedKernel(passes, from: self)
    joined.withLock { joined in
      if joined.count >= Self.mostJoined { joined.removeAll() }
      joined[passes] = kernel
    }
    return kernel
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
