import EtalonDiagnostics
import EtalonDialects
import EtalonManifest
import EtalonSPIRV
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

@testable import EtalonCompiler

/// Pixel passes of every dialect become stages of fused kernels.
@Suite struct StageTests {
  private static let folders: [(name: String, dialect: FilterManifest.Dialect)] = [
    ("filters", .shaderToy), ("isf", .isf), ("gl-transitions", .glTransition), ("native", .native), ("fragment", .fragment),
  ]
  private static let files = folders.flatMap { folder in
    Corpus.filterFiles(in: folder.name).map { (path: "\(folder.name)/\($0)", dialect: folder.dialect) }
  }

  private func passes(_ file: (path: String, dialect: FilterManifest.Dialect)) throws -> [PassSource] {
    let url = CaseFolder.corpus.url.appending(path: file.path)
    let source = SourceText(path: file.path, bytes: Array(try Data(contentsOf: url)))
    var options = FilterReader.Options()
    options.dialect = file.dialect
    options.dropsFileScopeConst = true
    let reading = try FilterReader(files: FolderFiles(url.deletingLastPathComponent().path)).read(
      .text(source, named: "filter"), options: options)
    return reading.manifest.passes.filter { $0.coverage == .pixels }
  }

  private func compile(_ pass: PassSource, _ target: StoreVariant.Target) throws -> Kernel {
    try ShaderCompiler(cache: nil).compile(filter: "filter", pass: pass, variant: StoreVariant(target, alpha: .asReturned)).kernel
  }

  @Test(arguments: files) func everyPass(_ file: (path: String, dialect: FilterManifest.Dialect)) throws {
    for pass in try passes(file) {
      let stage = try compile(pass, .stage(linked: []))
      #expect(stage.interface.pushConstants == nil)
      let host = FusionHost(stages: [.init()], usesQuads: pass.usesQuads)
      let linked = try KernelLinker.link(host: compile(host.pass, .packed8), stages: [stage])
      #expect(try Glslang.validate(linked.kernel.words) == nil)
      #expect(try Glslang.validate(linked.kernel.hardened().words) == nil)
      let alone = try compile(pass, .packed8).interface
      let interface = linked.kernel.interface
      #expect(Set(interface.resources.map(\.name)) == Set(alone.resources.map(\.name)))
      #expect(interface.usesSubgroups == alone.usesSubgroups)
      #expect(interface.pushConstants == alone.pushConstants)
      #expect(interface.uniforms?.members.map(\.name) == alone.uniforms?.members.map { "etalonStage0.\($0.name)" })
    }
  }

  @Test func linkedInputsAreNotRead() throws {
    let pass = try #require(try passes(("native/color-kernel.glsl", .native)).first)
    #expect(pass.arguments == ["inputImage", "backgroundImage"])
    func textures(_ linked: Set<Int>) throws -> [String] { try compile(pass, .stage(linked: linked)).interface.resources.map(\.name) }
    #expect(try textures([]) == ["inputImage", "backgroundImage"])
    #expect(try textures([0]) == ["backgroundImage"])
    #expect(try textures([1]) == ["inputImage"])
    #expect(try textures([0, 1]) == [])
  }

  @Test(
    arguments: [
      StoreVariant.Target.texture, .packed8, .packed16, .packedFloat,
    ], [StoreVariant.Alpha.asReturned, .opaque, .multiply, .divide])
  func hosts(_ target: StoreVariant.Target, _ alpha: StoreVariant.Alpha) throws {
    let stages: [FusionHost.Stage] = [
      .init(format: .r8), .init(arguments: [0: .init(stage: 0, alpha: alpha)], format: .rg8),
      .init(arguments: [1: .init(stage: 0), 3: .init(stage: 1, alpha: .divide)], format: .rgba16),
    ]
    for usesQuads in [false, true] {
      let pass = FusionHost(stages: stages, usesQuads: usesQuads).pass
      let kernel = try ShaderCompiler(cache: nil).compile(filter: "filter", pass: pass, variant: StoreVariant(target, alpha: alpha)).kernel
      #expect(kernel.interface.usesSubgroups == usesQuads)
      #expect(kernel.interface.resources.count == 1)
    }
  }

  @Test func kernelsThatAreNoStagesAreRefused() throws {
    let pass = try #require(try passes(("native/color-kernel.glsl", .native)).first)
    let host = try compile(FusionHost(stages: [.init()], usesQuads: false).pass, .packed8)
    func diagnosticIds(_ stages: [Kernel]) -> [String] {
      do throws(DiagnosticsError) {
        _ = try KernelLinker.link(host: host, stages: stages)
        return []
      } catch { return error.diagnostics.map(\.id) }
    }
    #expect(diagnosticIds([try compile(pass, .packed8)]) == ["link.push-constants"])
    #expect(diagnosticIds([]) == ["link.stages"])
    #expect(diagnosticIds([try compile(pass, .stage(linked: [0]))]) == ["link.variable"])
    #expect(diagnosticIds([Kernel(name: "odd", words: [1, 2, 3], interface: host.interface)]) == ["spirv.truncated"])
  }
}
