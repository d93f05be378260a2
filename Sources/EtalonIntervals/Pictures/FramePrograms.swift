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
    for (number, kernel) in plan.kernels.enumerated() { programs.append(try IntervalProgram(kernel, number: number)) }
    self.programs = programs
  }

  subscript(kernel: Int) -> IntervalProgram { programs[kernel] }

  func place(of site: Int32) -> (kernel: Kernel, line: Int)? {
    guard site >= 0 else { return nil }
    let number = Int(site / IntervalProgram.sitesPerProgram), position = Int(site % IntervalProgram.sitesPerProgram)
    guard programs.indices.contains(number), let location = programs[number].module.location(position) else { return nil }
    return (kernels[number], location.line)
  }
}
