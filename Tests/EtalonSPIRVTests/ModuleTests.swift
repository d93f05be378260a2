import EtalonDiagnostics
import EtalonSPIRV
import Testing

@Suite struct ModuleTests {
  @Test func header() throws {
    let module = try Corpus.module("flow/phi.spvasm")
    #expect(module.header.majorVersion == 1)
    #expect(module.header.minorVersion == 3)
    #expect(module.header.idBound == 114)
    #expect(module.capabilities == [1])
    #expect(module.entryPoints.map(\.name) == ["main"])
    #expect(module.executionModes(Id(1)).map(\.number) == [17])
    #expect(module.executionModes(Id(1)).map(\.operands) == [[8, 8, 1]])
  }

  @Test func typesAndConstants() throws {
    let module = try Corpus.module("numbers.spvasm")
    #expect(module.type(Id(3)) == .float(width: 16))
    #expect(module.type(Id(6)) == .int(width: 8, isSigned: true))
    #expect(module.constant(Id(50)) == .scalar(0xFB))
    #expect(module.constant(Id(53)) == .scalar(UInt64(bitPattern: -5_000_000_000)))
    #expect(module.constant(Id(61)) == .scalar(49))
    #expect(module.typeIfAny(Id(61)) == nil)
  }

  @Test func functionsAndBlocks() throws {
    let module = try Corpus.module("flow/phi.spvasm")
    let function = try #require(module.functions.first)
    #expect(function.blocks.map(\.label) == [100, 101, 102, 103, 110, 111, 112, 113].map { Id($0) })
    #expect(function.blocks.map(\.successors) == [[1, 2], [3], [3], [4], [5, 7], [6], [4], []])
    #expect(function.blocks[4].merge == .loop(merge: Id(113), continueTarget: Id(112)))
    #expect(module[function.blocks[4].phis].map(\.opcode) == [.OpPhi])
    #expect(module[function.blocks[6].body].map(\.opcode) == [.OpIAdd])
  }

  @Test func namesAndDecorations() throws {
    let module = try Corpus.module("kernels/uniforms.comp")
    let block = try #require((1..<UInt32(module.header.idBound)).map { Id($0) }.first { module.name($0) == "Parameters" })
    #expect(module.memberName(block, 1) == "position")
    #expect(module.value(of: .Offset, block, member: 1) == 16)
    #expect(module.has(.Block, block))
  }

  @Test func linesOfTheSource() throws {
    let module = try SPIRVModule(Corpus.words("kernels/half.comp", debugInformation: true))
    let stores = module[0..<module.instructionCount].filter { $0.opcode == .OpStore }
    let last = try #require(stores.last.flatMap { module.location($0.index) })
    #expect(last.file.hasSuffix("half.comp"))
    #expect(last.line == 14)
    #expect(module.location(module.firstFunction - 1) == nil)
  }

  @Test func filesOfEitherByteOrder() throws {
    let words = try Corpus.words("flow/phi.spvasm")
    let little = words.flatMap { word in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
    let big = words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
    #expect(try SPIRVModule.words(little) == words)
    #expect(try SPIRVModule.words(big) == words)
    #expect(throws: DiagnosticsError.self) { try SPIRVModule.words(Array(little.dropLast())) }
  }
}
