import EtalonDiagnostics
import EtalonSPIRV
import Testing

@Suite struct InterfaceTests {
  @Test(arguments: Corpus.kernels) func snapshot(_ name: String) throws {
    let text = InterfacePrinter().text(try KernelInterface(Corpus.module(name)))
    try Corpus.expect(text, equals: name.replacing(".comp", with: ".interface.txt"))
  }

  @Test func membersThatAreRead() throws {
    let module = try Corpus.module("kernels/uniforms.comp")
    let reflection = try Reflection(module)
    let variable = try #require(
      module.globalVariables.compactMap { module[$0].result }.first { module.value(of: .Binding, $0) == 3 })
    // All but `flag`.
    #expect(reflection.usedMembers(ofBlock: variable) == [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  }

  @Test func anEntryPointThatIsNotThere() throws {
    let module = try Corpus.module("kernels/quads.comp")
    let error = #expect(throws: DiagnosticsError.self) { try KernelInterface(module, entryPoint: "image") }
    #expect(error?.diagnostics.map(\.message) == ["expected one entry point 'image', found 'main'"])
  }
}
