import EtalonSPIRV
import Testing

@Suite struct HardeningTests {
  @Test(arguments: Corpus.hardening) func snapshot(_ name: String) throws {
    let module = try SPIRVModule(Hardening.harden(Corpus.module(name)))
    let text = Disassembler(module).text().split(separator: "\n", omittingEmptySubsequences: false).drop { $0.hasPrefix(";") }
    try Corpus.expect(text.joined(separator: "\n"), equals: name.replacing(".spvasm", with: ".hardened.spvasm"))
  }

  @Test(arguments: Corpus.all) func staysValid(_ name: String) throws {
    let hardened = try Hardening.harden(Corpus.module(name))
    #expect(throws: Never.self) { try Tool.run("spirv-val", ["--target-env", "vulkan1.1"], words: hardened) }
  }

  @Test(arguments: Corpus.kernels) func staysValidWithDebugInformation(_ name: String) throws {
    let hardened = try Hardening.harden(SPIRVModule(Corpus.words(name, debugInformation: true)))
    #expect(throws: Never.self) { try Tool.run("spirv-val", ["--target-env", "vulkan1.1"], words: hardened) }
  }

  @Test(arguments: Corpus.all) func keepsTheInterface(_ name: String) throws {
    let module = try Corpus.module(name)
    let hardened = try SPIRVModule(Hardening.harden(module))
    #expect(try KernelInterface(hardened) == KernelInterface(module))
  }

  @Test func variablesKeepTheirInitializers() throws {
    let module = try SPIRVModule(Hardening.harden(Corpus.module("kernels/memory.comp")))
    let variables = module[0..<module.instructionCount].filter { $0.opcode == .OpVariable && ($0[0] == 6 || $0[0] == 7) }
    #expect(variables.allSatisfy { $0.operandCount == 2 })
  }

  @Test func hardeningTwiceAddsNoDecorations() throws {
    let once = try SPIRVModule(Hardening.harden(Corpus.module("hardening/contraction-ban.spvasm")))
    #expect(try Hardening.harden(once) == once.words)
  }
}
