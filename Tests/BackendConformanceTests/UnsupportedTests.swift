import EtalonCPU
import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// What is not supported is refused when it is loaded: every file in `kernels/refused` says with which words.
@Suite struct UnsupportedTests {
  private static let files = KernelFile.names.filter { $0.hasPrefix("refused/") }

  @Test(arguments: files)
  func refused(_ name: String) throws {
    let file = try KernelFile(name)
    let reason = try #require(file.header["refused"])
    let found = try refusal(of: file)
    let (message, line) = try #require(found, "\(name) is not refused")
    #expect(message.contains(reason), "\(name) is refused with: \(message)")
    if let place = file.header["line"] {
      #expect(line.map { "\($0)" } == place || message.contains("\(name.split(separator: "/")[1]):\(place)"), "\(message)")
    }
  }

  /// What reflection or the executor has against a kernel, and the line of its text.
  private func refusal(of file: KernelFile) throws -> (message: String, line: Int?)? {
    do {
      _ = try CPUBackend(.init(threadCount: 1)).prepare(
        PlanChecker().check(KernelInputs(file.kernel(), size: Size(16, 16)).plan), imports: [], framesInFlight: 1)
      return nil
    } catch let error as RenderError {
      return (error.message, error.generatedLine?.line)
    } catch let error as DiagnosticsError {
      return error.diagnostics.first.map { ($0.message, nil) }
    }
  }
}
