import EtalonSPIRV
import Testing

@Suite struct DisassemblerTests {
  @Test(arguments: Corpus.all) func agreesWithSpirvDis(_ name: String) throws {
    let words = try Corpus.words(name)
    let expected = try Tool.run("spirv-dis", ["--no-color", "--raw-id"], words: words)
    #expect(Disassembler(try SPIRVModule(words)).text() == expected)
  }

  @Test(arguments: Corpus.kernels) func agreesWithSpirvDisOnDebugInformation(_ name: String) throws {
    let words = try Corpus.words(name, debugInformation: true)
    let expected = try Tool.run("spirv-dis", ["--no-color", "--raw-id"], words: words)
    #expect(Disassembler(try SPIRVModule(words)).text() == expected)
  }

  @Test func numbersOfAllWidthsAndKinds() throws {
    let words = try Corpus.words("numbers.spvasm")
    let expected = try Tool.run("spirv-dis", ["--no-color", "--raw-id"], words: words)
    #expect(Disassembler(try SPIRVModule(words)).text() == expected)
  }

  @Test func oneInstruction() throws {
    let module = try Corpus.module("flow/phi.spvasm")
    #expect(Disassembler(module).text(module.definition(Id(10))) == "%10 = OpPhi %5 %6 %101 %7 %102")
  }
}
