import EtalonDiagnostics
import EtalonSPIRV
import EtalonTestSupport
import Foundation
import Testing

@Suite struct LinkingTests {
  private func kernel(_ name: String, replacing old: String = "", with new: String = "") throws -> Kernel {
    let text = try String(contentsOf: Corpus.directory.appending(path: "linking/\(name).spvasm"), encoding: .utf8)
    try #require(old.isEmpty || text.contains(old), "\(name) has no '\(old)'")
    let folder = FileManager.default.temporaryDirectory
    let (input, output) = (
      folder.appending(path: "etalon-\(UUID().uuidString).spvasm"), folder.appending(path: "etalon-\(UUID().uuidString).spv")
    )
    defer { for file in [input, output] { try? FileManager.default.removeItem(at: file) } }
    try (old.isEmpty ? text : text.replacing(old, with: new)).write(to: input, atomically: true, encoding: .utf8)
    _ = try Tool.run("spirv-as", ["--preserve-numeric-ids", "--target-env", "spv1.3", "-o", output.path, input.path])
    return try Kernel(name: name, words: SPIRVModule.words([UInt8](Data(contentsOf: output))))
  }

  private func link(_ stages: [Kernel]) throws -> LinkedKernel { try KernelLinker.link(host: kernel("host"), stages: stages) }

  private func generatorAndTwoTints() throws -> LinkedKernel { try link([kernel("generator"), kernel("tint"), kernel("tint")]) }

  @Test func snapshot() throws {
    let module = try SPIRVModule(generatorAndTwoTints().kernel.words)
    let text = Disassembler(module).text().split(separator: "\n", omittingEmptySubsequences: false).drop { $0.hasPrefix(";") }
    try Corpus.expect(text.joined(separator: "\n"), equals: "linking/host-generator-tint-tint.linked.spvasm")
  }

  @Test func isValidAndStaysSo() throws {
    let kernel = try generatorAndTwoTints().kernel
    #expect(throws: Never.self) { try Tool.run("spirv-val", ["--target-env", "vulkan1.1"], words: kernel.words) }
    #expect(throws: Never.self) { try Tool.run("spirv-val", ["--target-env", "vulkan1.1"], words: kernel.hardened().words) }
  }

  @Test func saysWhereThingsWent() throws {
    let linked = try generatorAndTwoTints()
    #expect(linked.stages.map(\.bindings) == [[16: 2], [:], [:]])
    #expect(linked.stages.map(\.uniformOffset) == [nil, 0, 48])
    #expect(
      InterfacePrinter().text(linked.kernel.interface) == """
        kernel main 256x1x1
        uniforms 'EtalonUniforms' at 0, 96 bytes
          0 vec4 etalonStage1.tint
          16 float etalonStage1.weights[2], one every 16
          48 vec4 etalonStage2.tint
          64 float etalonStage2.weights[2], one every 16
        at 1: buffer 'Output'
        at 2: sampled 2D 'picture'

        """)
  }

  @Test func typesAreThereOnce() throws {
    let module = try SPIRVModule(generatorAndTwoTints().kernel.words)
    let lights = module[0..<module.firstFunction].filter { $0.opcode == .OpTypeStruct && $0.result.map(module.name) == "Light" }
    let variables = module.globalVariables.filter { module[$0].result.map(module.name) == "light" }
    #expect(lights.count == 1)
    #expect(variables.count == 2)
  }

  @Test func linesLeadToTheStages() throws {
    let module = try SPIRVModule(generatorAndTwoTints().kernel.words)
    var files: [String: Set<String>] = [:]
    for function in module.functions {
      for block in function.blocks {
        for position in block.body {
          files[module.name(function.id), default: []].formUnion(module.location(position).map { [$0.file] } ?? [])
        }
      }
    }
    #expect(files["main"] == ["host.comp"])
    #expect(files["etalonStage0("] == ["generator.comp"])
    #expect(files["etalonStage2("] == ["tint.comp"])
    #expect(files["shade(i1;"] == ["tint.comp"])
  }

  private static let edits: [(stage: String, old: String, new: String, id: String)] = [
    ("tint", "OpConstant %19 256", "OpConstant %19 64", "link.workgroup-size"),
    ("tint", "\"etalonArgument0\"", "\"etalonArgument1\"", "link.variable"),
    ("generator", "\"etalonPixel\"", "\"etalonArgument0\"", "link.variable"),
    ("tint", "OpMemoryModel Logical GLSL450", "OpMemoryModel Logical Simple", "link.memory-model"),
    ("tint", "Offset 16", "Offset 30000000", "link.uniforms"),
  ]

  @Test(arguments: edits) func refuses(_ edit: (stage: String, old: String, new: String, id: String)) throws {
    let stage = try kernel(edit.stage, replacing: edit.old, with: edit.new)
    let error = #expect(throws: DiagnosticsError.self) { try link([kernel("generator"), stage, kernel("tint")]) }
    #expect(error?.diagnostics.map(\.id) == [edit.id])
  }

  /// Whatever the words of a stage are, it is linked or refused, and what is linked can be hardened.
  @Test func survivesDamage() throws {
    let (host, words) = (try kernel("host"), try kernel("tint").words)
    let generator = try kernel("generator")
    var random = SeededNumbers(seed: 5)
    var linkedCount = 0
    for _ in 0..<500 {
      var damaged = words
      let place = Int.random(in: 5..<words.count, using: &random)
      damaged[place] =
        Bool.random(using: &random)
        ? damaged[place] ^ 1 << UInt32.random(in: 0..<32, using: &random) : damaged[Int.random(in: 5..<words.count, using: &random)]
      let stage = Kernel(name: "damaged", words: damaged, interface: host.interface)
      do throws(DiagnosticsError) {
        let linked = try KernelLinker.link(host: host, stages: [generator, stage, stage])
        _ = try linked.kernel.hardened()
        linkedCount += 1
      } catch { #expect(!error.diagnostics.isEmpty) }
    }
    #expect(linkedCount > 20)
  }
}
