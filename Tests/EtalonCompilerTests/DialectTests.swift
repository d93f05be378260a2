import EtalonCompiler
import EtalonDiagnostics
import EtalonDialects
import EtalonManifest
import EtalonSPIRV
import EtalonTestSupport
import Foundation
import Testing

/// The shaders that every reader makes of its corpus compile for every way of storing a pixel.
@Suite struct DialectTests {
  private static let corpus = CaseFolder.corpus.url

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

  @Test(arguments: Corpus.shaders(in: "gl-transitions"))
  func compilesTransitions(_ name: String) throws {
    let reading = try GLTransitionReader(files: NoFiles()).read(
      Self.source("gl-transitions/\(name)"), named: name, options: FilterReader.Options())
    #expect(try compile(reading.manifest).count == 4)
  }

  @Test(arguments: Corpus.shaders(in: "fragment"))
  func compilesFragmentShaders(_ name: String) throws {
    let reading = try FragmentReader(files: NoFiles()).read(Self.source("fragment/\(name)"), named: name, options: FilterReader.Options())
    #expect(try compile(reading.manifest).count == 4 * reading.manifest.passes.count)
  }

  @Test(arguments: Corpus.shaders(in: "native"))
  func compilesNativeFilters(_ name: String) throws {
    let reading = try NativeReader(files: NoFiles()).read(Self.source("native/\(name)"), named: name, options: FilterReader.Options())
    let kernels = try compile(reading.manifest)
    for (index, kernel) in kernels.enumerated() {
      let pass = reading.manifest.passes[index / 4]
      let own = Set(pass.textures.map(\.name) + pass.stores.map(\.name) + pass.buffers.map(\.name) + ["etalonTarget", "EtalonOutput"])
      #expect(kernel.interface.resources.allSatisfy { own.contains($0.name) }, "\(pass.name)")
    }
  }

  @Test(arguments: Corpus.shaders(in: "compute"))
  func compilesComputeShaders(_ name: String) throws {
    let reading = try ComputeReader(files: NoFiles()).read(Self.source("compute/\(name)"), named: name, options: FilterReader.Options())
    let kernels = try compile(reading.manifest)
    let pass = reading.manifest.passes[0]
    #expect(
      Set(kernels[0].interface.resources.map(\.name)) == Set(pass.textures.map(\.name) + pass.stores.map(\.name) + pass.buffers.map(\.name))
    )
    #expect(kernels[0].interface.uniforms?.members.map(\.name) == pass.uniforms.map(\.name))
  }

  /// Previewers of editors call `mainImage` from a `main` that writes an output of their own.
  @Test(arguments: ["out vec4 o;", "layout(location = 0) out highp vec4 o;"]) func compilesWhatPreviewersPutAroundAShaderToy(
    _ output: String
  ) {
    let text = """
      #version 300 es
      precision highp float;
      \(output)
      uniform vec3 iResolution;
      void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, 0.0, 1.0); }
      void main() { mainImage(o, gl_FragCoord.xy); }

      """
    let found = Corpus.diagnostics(of: SourceText(path: "wrapped.glsl", text: text))
    #expect(found.isEmpty, "\(DiagnosticPrinter().text(found))")
  }

  /// What a transition calls, or leaves out, is told in the words of transitions.
  @Test(arguments: [
    ("return getToColour(uv);", "did you mean 'getToColor'?"), ("vec4 c = getToColor(uv);", "end it with 'return' and a 'vec4'"),
  ]) func explainsErrorsOfTransitions(_ body: String, _ help: String) throws {
    let source = SourceText(path: "a.glsl", text: "// Author: a\n// License: MIT\nvec4 transition(vec2 uv) { \(body) }\n")
    let manifest = try GLTransitionReader(files: NoFiles()).read(source, named: "a", options: FilterReader.Options()).manifest
    let error = #expect(throws: CompileError.self) {
      try ShaderCompiler(cache: nil).compile(filter: "a", pass: manifest.passes[0], variant: StoreVariant(.packed8, alpha: .asReturned))
    }
    guard case .diagnostics(let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.diagnostics.flatMap(\.help) == [help])
  }

  /// A function that the dialect gives is told with its forms when it is called with others.
  @Test(arguments: [
    ("IMG_LOAD(inputImage, position)", "no 'IMG_LOAD' takes these arguments", "it is declared as 'IMG_LOAD(image, ivec2 position)'"),
    ("IMG_PIXEL(inputImage)", "'IMG_PIXEL' takes 2 arguments, found 1", "it is declared as 'IMG_PIXEL(image, vec2 position)'"),
    ("vec4(IMG_SIZE(inputImage, 0), 0.0, 1.0)", "'IMG_SIZE' takes 1 argument, found 2", "it is declared as 'IMG_SIZE(image)'"),
    ("IMG_THIS_PIXEL(inputImage, position)", "'IMG_THIS_PIXEL' takes 1 argument, found 2", "it is declared as 'IMG_THIS_PIXEL(image)'"),
    (
      "IMG_LOADS(inputImage, position)", "no function 'IMG_LOADS'", nil
    ),
  ])
  func tellsTheFormsOfItsFunctions(_ call: String, _ message: String, _ note: String?) throws {
    let header = "/*{\"ETALON\": 1, \"INPUTS\": [{\"NAME\": \"inputImage\", \"TYPE\": \"image\"}]}*/\n"
    let text = SourceText(path: "x.glsl", text: header + "vec4 imageKernel(vec2 position) { return \(call); }\n")
    let found = Self.diagnostics(try NativeReader(files: NoFiles()).read(text, named: "x", options: FilterReader.Options()).manifest)
    #expect(found.map(\.message) == [message])
    #expect(found.flatMap(\.notes).first == note)
  }

  @Test func tellsTheFormsOfStores() throws {
    let native = SourceText(
      path: "x.glsl",
      text: "/*{\"ETALON\": 1}*/\nvoid computeKernel(ivec2 position) { IMG_STORE(outputImage, vec2(position), vec4(1.0)); }\n")
    let kernel = Self.diagnostics(try NativeReader(files: NoFiles()).read(native, named: "x", options: FilterReader.Options()).manifest)
    #expect(kernel.map(\.message) == ["no 'IMG_STORE' takes these arguments"])
    let plain = SourceText(
      path: "x.comp",
      text: "layout(local_size_x = 8) in;\nuniform image2D o;\nvoid main() { imageStore(o, vec2(0.0), vec4(1.0)); }\n")
    let shader = Self.diagnostics(try ComputeReader(files: NoFiles()).read(plain, named: "x", options: FilterReader.Options()).manifest)
    #expect(shader.map(\.message) == ["no 'imageStore' takes these arguments"])
    #expect(shader.flatMap(\.help) == ["write 'ivec2(position)' for a position that is a vec2"])
  }

  /// Inputs and parameters may have the names of functions.
  @Test func parametersMayBeCalledAsFunctions() throws {
    let inputs = ["texture", "mix", "dFdx"].map { "{\"NAME\": \"\($0)\", \"TYPE\": \"float\", \"DEFAULT\": 1, \"MIN\": 0, \"MAX\": 1}" }
    let text = SourceText(
      path: "x.glsl",
      text: "/*{\"ETALON\": 1, \"INPUTS\": [{\"NAME\": \"inputImage\", \"TYPE\": \"image\"}, \(inputs.joined(separator: ","))]}*/\n"
        + "vec4 imageKernel(vec2 position) { return texture(inputImage, position) * texture * mix * dFdx + dFdx(position.x); }\n")
    let manifest = try NativeReader(files: NoFiles()).read(text, named: "x", options: FilterReader.Options()).manifest
    #expect(try compile(manifest).count == 4)
  }

  private static func diagnostics(_ manifest: FilterManifest) -> [Diagnostic] {
    manifest.passes.flatMap { pass -> [Diagnostic] in
      do throws(CompileError) {
        let variant = StoreVariant(.texture, alpha: .asReturned)
        return try ShaderCompiler(cache: nil).compile(filter: manifest.name, pass: pass, variant: variant).warnings
      } catch {
        if case .diagnostics(let error) = error { return error.diagnostics }
        return []
      }
    }
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
    let manifest = try NativeReader(files: NoFiles()).read(source, named: "a", options: FilterReader.Options()).manifest
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
