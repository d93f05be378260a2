import EtalonCPU
import EtalonDiagnostics
import EtalonSPIRV
import EtalonTypes
import Testing

/// What is not in the list of supported instructions is refused by name, and what is in it exists.
@Suite struct SupportedInstructionTests {
  @Test func listNamesInstructionsThatExist() {
    #expect(SupportedInstructions.unknownNames == [])
    #expect(!SupportedInstructions.opcodes.contains(.OpReadClockKHR))
  }

  /// The values that invocations exchange, and the order of atomic operations, depend on the device.
  @Test(arguments: SupportedInstructions.opcodes.filter { "\($0)".hasPrefix("OpGroup") || "\($0)".hasPrefix("OpAtomic") })
  func whatInvocationsDoTogetherIsOpen(_ opcode: Opcode) { #expect(OpenBehavior.allCases.contains { $0.entry.opcodes.contains(opcode) }) }

  /// `OpIAdd` replaced by every instruction that is not supported and has operands of the same form.
  @Test(arguments: [Opcode.OpSDotAccSat, .OpPtrEqual, .OpPtrNotEqual, .OpGroupNonUniformRotateKHR])
  func othersAreRefusedByName(_ opcode: Opcode) throws {
    var words = try GLSL.kernel("refused", "uint result(uint x, uint y) { return x + y * 77u; }").words
    var position = 5
    while position < words.count {
      if words[position] == 5 << 16 | UInt32(Opcode.OpIAdd.rawValue) { words[position] = 5 << 16 | UInt32(opcode.rawValue) }
      position += max(Int(words[position] >> 16), 1)
    }
    let kernel = Kernel(name: "refused", words: words, interface: GLSL.interface)
    let error = try #require(throws: RenderError.self) { _ = try GLSL.run(kernel) }
    #expect(error.message.contains("\(opcode)") || error.message.hasPrefix("cannot read the SPIR-V"), "\(error.message)")
  }
}
