import EtalonCPU
import EtalonDiagnostics
import EtalonPlan
import EtalonTypes
import Testing

/// Shaders that do not end, and shaders that are too large.
@Suite struct LimitTests {
  private func render(_ name: String, _ options: CPUBackend.Options) throws {
    let kernel = try KernelFile(name).kernel()
    _ = try KernelInputs(kernel, size: Size(32, 32)).bytes(on: CPUBackend(options))
  }

  @Test func loopWithoutEndIsReportedWithItsPlace() throws {
    let error = try #require(throws: RenderError.self) {
      try render("limits/endless.comp", .init(threadCount: 2, stepLimit: 5000))
    }
    #expect(error.code == .endlessLoop)
    #expect(error.message.contains("more than 5000 rounds of loops at the pixels from (16, 0)"), "\(error.message)")
  }

  @Test func frameThatTakesTooLongIsReported() throws {
    let error = try #require(throws: RenderError.self) {
      try render("limits/endless.comp", .init(threadCount: 1, timeout: .milliseconds(20), stepLimit: .max))
    }
    #expect(error.code == .timedOut)
    #expect(error.message.contains("took longer than"), "\(error.message)")
  }

  /// The same limit stops the same shaders, however many threads there are: each workgroup counts alone.
  @Test func limitDoesNotDependOnThreads() throws {
    for threads in 1...3 { try render("control/nested-loops.comp", .init(threadCount: threads, stepLimit: 2000)) }
    let messages = try (1...3).map { threads in
      try #require(throws: RenderError.self) { try render("limits/endless.comp", .init(threadCount: threads, stepLimit: 2000)) }.message
    }
    #expect(Set(messages).count == 1, "\(messages)")
  }
}
