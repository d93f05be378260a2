import EtalonDiagnostics
import EtalonSPIRV
import Testing

@Suite struct BadModuleTests {
  @Test(arguments: Corpus.errors) func isRefused(_ name: String) throws {
    let words = try Corpus.words(name)
    let error = #expect(throws: DiagnosticsError.self) {
      let module = try SPIRVModule(words)
      _ = try KernelInterface(module)
      for function in module.functions { _ = try StructuredControlFlow(function, in: module) }
    }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: name.replacing(".spvasm", with: ".txt"))
  }

  @Test(
    arguments: [
      ([], "spirv.truncated"), ([0x0723_0203], "spirv.truncated"), ([0x1234_5678, 0x1_0300, 0, 8, 0], "spirv.magic"),
      ([0x0723_0203, 0x2_0000, 0, 8, 0], "spirv.version"), ([0x0723_0203, 0x1_0300, 0, 0xFFFF_FFFF, 0], "spirv.limit"),
      ([0x0723_0203, 0x1_0300, 0, 8, 0, 0x0000_0011], "spirv.truncated"),
      ([0x0723_0203, 0x1_0300, 0, 8, 0, 0x0003_0011], "spirv.truncated"),
      ([0x0723_0203, 0x1_0300, 0, 8, 0, 0x0001_FFFF], "spirv.unknown-instruction"),
      ([0x0723_0203, 0x1_0300, 0, 8, 0, 0x0001_0011], "spirv.operands"),
      ([0x0723_0203, 0x1_0300, 0, 8, 0, 0x0002_0013, 8], "spirv.id-range"),
      ([0x0723_0203, 0x1_0300, 0, 8, 0, 0x0002_0013, 0], "spirv.id-range"),
      ([0x0723_0203, 0x1_0300, 0, 8, 0, 0x0003_000A, 0x4142_4344, 0x4142_4344], "spirv.operands"),
    ] as [([UInt32], String)])
  func wordsThatAreNoModule(_ words: [UInt32], _ id: String) {
    let error = #expect(throws: DiagnosticsError.self) { try SPIRVModule(words) }
    #expect(error?.diagnostics.map(\.id) == [id])
  }
}
