internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes
internal import Synchronization

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
