import EtalonCompiler
import EtalonDiagnostics
import EtalonManifest
import EtalonSPIRV
import Foundation
import Testing

/// The shaders that every reader makes of its corpus compile for every way of storing a pixel.
@Suite struct DialectTests {
  private static let corpus = Corpus.errors.deletingLastPathComponent()

  private static func source(_ path: String) throws -> SourceText {
    SourceText(path: path, bytes: Array(try Data(contentsOf: corpus.appending(path: path + ".glsl"))))
  }

  private func compile(_ manifest: FilterManifest) throws -> [Kernel] {
    try manifest.passes.flatMap { pass in
      try [StoreVariant.Target.texture, .packed8, .packed16, .packedFloat].map { target in
        do throws(CompileError) {
          return try ShaderCompiler(cache: nil).compile(
            filter: manifest.name, pass: pass, variant: StoreVariant(target, alpha: .asReturned)
          ).kernel
        } catch {
          if case .diagnostics(let error) = error { Issue.record("\(pass.name): \(DiagnosticPrinter().text(error.diagnostics))") }
          throw error
        }
      }
    }
  }

  @Test(arguments: Corpus.shaders(in: corpus.appending(path: "gl-transitions")))
  func compilesTransitions(_ name: String) throws {
    let reading = try GLTransitionReader(files: NoFiles()).read(
      Self.source("gl-transitions/\(name)"), named: name, options: ReadingOptions())
    #expect(try compile(reading.manifest).count == 4)
  }

  @Test(arguments: Corpus.shaders(in: corpus.appending(path: "native")))
  func compilesNativeFilters(_ name: String) throws {
    let reading = try NativeReader(files: NoFiles()).read(Self.source("native/\(name)"), named: name, options: ReadingOptions())
    let kernels = try compile(reading.manifest)
    for (index, kernel) in kernels.enumerated() {
      let pass = reading.manifest.passes[index / 4]
      let own = Set(pass.textures.map(\.name) + pass.stores.map(\.name) + pass.buffers.map(\.name) + ["etalonTarget", "EtalonOutput"])
      #expect(kernel.interface.resources.allSatisfy { own.contains($0.name) }, "\(pass.name)")
    }
  }

  @Test(arguments: Corpus.shaders(in: corpus.appending(path: "compute")))
  func compilesComputeShaders(_ name: String) throws {
    let reading = try ComputeReader(files: NoFiles()).read(Self.source("compute/\(name)"), named: name, options: ReadingOptions())
    let kernels = try compile(reading.manifest)
    let pass = reading.manifest.passes[0]
    #expect(
      Set(kernels[0].interface.resources.map(\.name)) == Set(pass.textures.map(\.name) + pass.stores.map(\.name) + pass.buffers.map(\.name))
    )
    #expect(kernels[0].interface.uniforms?.members.map(\.name) == pass.uniforms.map(\.name))
  }

  @Test func warnsOfWhatNothingDependsOn() throws {
    let source = SourceText(
      path: "a.glsl",
      text: """
        /*{ "ETALON": 1, "INPUTS": [
          { "NAME": "inputImage", "TYPE": "image" }, { "NAME": "maskImage", "TYPE": "image" },
          { "NAME": "used", "TYPE": "float", "DEFAULT": 1 }, { "NAME": "unmentioned", "TYPE": "float", "DEFAULT": 1 },
          { "NAME": "inDeadCode", "TYPE": "float", "DEFAULT": 1 }, { "NAME": "forASize", "TYPE": "float", "DEFAULT": 1 },
          { "NAME": "forTheExtent", "TYPE": "float", "DEFAULT": 1 } ],
          "EXTENT": [0, 0, "forTheExtent", 1],
          "PASSES": [{ "KERNEL": "first", "TARGET": "small", "WIDTH": "$WIDTH / forASize" }, { "KERNEL": "second" }] }*/
        float never() { return inDeadCode; }
        vec4 first(vec2 position) { return IMG_THIS_PIXEL(inputImage) * used; }
        vec4 second(vec2 position) { return IMG_THIS_PIXEL(small); }
        """)
    let manifest = try NativeReader(files: NoFiles()).read(source, named: "a", options: ReadingOptions()).manifest
    let kernels = try manifest.passes.map { pass in
      try ShaderCompiler(cache: nil).compile(filter: "a", pass: pass, variant: StoreVariant(.texture, alpha: .asReturned)).kernel
    }
    let warnings = try InterfaceCheck(manifest).warnings(kernels)
    #expect(
      warnings.map(\.message) == [
        "nothing depends on the parameter 'unmentioned'", "nothing depends on the parameter 'inDeadCode'",
        "nothing reads the image 'maskImage'",
      ])
    #expect(warnings.allSatisfy { $0.severity == .warning && !$0.labels.isEmpty })
  }
}
