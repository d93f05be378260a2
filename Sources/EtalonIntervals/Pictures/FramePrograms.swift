internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV

/// The kernels of a plan, ready to be run with ranges.
///
/// **Concurrency**: an immutable value.
final class FramePrograms: Sendable {
  private let kernels: [Kernel]
  private let programs: [IntervalProgram]

  init(_ plan: Plan) throws(DiagnosticsError) {
    kernels = plan.kernels
    var programs: [IntervalProgram] = []
    var next = 0
    for kernel in plan.kernels {
      guard let firstSite = Int32(exactly: next) else {
        throw DiagnosticsError(Diagnostic("intervals.limit", "the kernels of the plan have more than \(Int32.max) instructions"))
      }
      let program = try IntervalProgram(kernel, firstSite: firstSite)
      programs.append(program)
      next += program.siteCount
    }
    self.programs = programs
  }

  subscript(kernel: Int) -> IntervalProgram { programs[kernel] }

  func place(of site: Int32) -> (kernel: Kernel, line: Int)? {
    guard site >= 0 else { return nil }
    guard let number = programs.lastIndex(where: { $0.firstSite <= site }) else { return nil }
    let location = programs[number].module.location(Int(site - programs[number].firstSite))
    return location.map { (kernels[number], $0.line) }
  }
}
