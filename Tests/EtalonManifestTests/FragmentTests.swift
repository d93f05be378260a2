import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// Fragment shaders with a `main`.
@Suite struct FragmentTests {
  private func read(_ folder: String, _ name: String) throws(any Error) -> FilterReading {
    try FragmentReader(files: NoFiles()).read(Corpus.source("\(folder)/\(name).glsl"), named: name, options: FilterReader.Options())
  }

  private func manifest(_ text: String) throws -> FilterReading {
    try FragmentReader(files: NoFiles()).read(SourceText(path: "a.frag", text: text), named: "a", options: FilterReader.Options())
  }

  @Test(arguments: Corpus.names(in: "fragment"))
  func printsManifest(_ name: String) throws {
    let reading = try read("fragment", name)
    let text = ManifestPrinter().text(reading.manifest) + DiagnosticPrinter().text(reading.warnings)
    try Corpus.expect(text, equals: "fragment/\(name).manifest.txt")
  }

  @Test(arguments: Corpus.names(in: "errors/fragment"))
  func explainsError(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { try read("errors/fragment", name) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/fragment/\(name).txt")
  }

  @Test func hasNoOrphans() throws {
    for folder in ["fragment", "errors/fragment"] {
      let names = Set(Corpus.names(in: folder))
      let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.appendingPathComponent(folder).path)
      for file in files where file.hasSuffix(".txt") {
        #expect(names.contains(file.split(separator: ".").first.map(String.init) ?? ""), "\(folder)/\(file) belongs to no shader")
      }
    }
  }

  /// What conditions leave out for certain; what depends on the compiler may be there.
  @Test(arguments: [
    ("#if 1 + 2 * 3 == 7 && !0", false), ("#if defined(A) || defined B", false), ("#if defined(A) && B > 2", true),
    ("#if (B << 1) < 5", false),
    ("#if C", true), ("#if __VERSION__ > 300", false), ("#if 0 && __VERSION__ > 300", true), ("#if 1 || F(2)", false), ("#if B ==", false),
    ("#if -1 < +1 && ~0 == -1", false), ("#if 7 % 4 - 3", true), ("#if B / 0", false), ("#if A", false),
    ("#if (1 << 31 << 1 | 1 << 31) / -1 > 0", true), ("#if (1 << 31) % -1", true), ("#if -(1 << 31) == 1 << 31", false),
    ("#if 2147483647 + 1 > 0", true), ("#if 1 << 31 << 31 << 2 == 0", false),
  ])
  func conditionsAreFollowed(_ condition: String, _ isLeftOut: Bool) {
    let tokens = Lexer.tokens(
      of: SourceText(path: "a", text: "#define A x y\n#define B 2\n#define F(x) x\n\(condition)\nfloat here;\n#endif\n"))
    let inactive = InactiveBranches(tokens)
    let place = tokens.firstIndex { $0.isName("here") }
    #expect(place.map(inactive.contains) == isLeftOut)
  }

  /// A pass reads what its own branches read, so that only a text that looks back depends on the frames before.
  @Test func aPassReadsOnlyWhatItsBranchesRead() throws {
    let passes = try read("fragment", "buffers").manifest.passes
    #expect(passes.map(\.name) == ["buffer0", "buffer1", "doubleBuffer0", "image"])
    #expect(passes.map { $0.textures.map(\.name) } == [[], ["u_buffer0"], ["u_buffer1", "u_doubleBuffer0"], ["u_doubleBuffer0"]])
  }

  @Test func buffersHaveTheSizesOfTheirComments() throws {
    let targets = try read("fragment", "buffers").manifest.targets
    #expect(targets.map(\.extent) == [.scaled(Rational(1, 2)), .pixels(Size(64, 32)), .output])
  }

  @Test(arguments: ["0x8", "-3x0", "1e9", "1.5.2", "99999x99999", "17"]) func sizesThatNoBufferCanHaveAreTold(_ size: String) throws {
    let reading = try manifest(buffer(size))
    #expect(reading.manifest.targets.map(\.extent) == [.output])
    #expect(reading.warnings.map(\.id) == ["fragment.buffer-size"])
  }

  @Test(arguments: ["3rd of them", "the trail", "x", "by hand: 2"]) func otherCommentsAreNoSizes(_ words: String) throws {
    let reading = try manifest(buffer(words))
    #expect(reading.manifest.targets.map(\.extent) == [.output])
    #expect(reading.warnings.isEmpty)
  }

  private func buffer(_ comment: String) -> String {
    "uniform sampler2D u_buffer0; // \(comment)\nvoid main() {\n#ifdef BUFFER_0\n#endif\ngl_FragColor = texture2D(u_buffer0, vec2(0.0)); }\n"
  }

  /// What a host never defines is no pass.
  @Test func passesHaveTheNumbersOfTheirMacros() throws {
    let text = """
      uniform sampler2D u_tex0, backbuffer;
      void main() {
      #if defined(BUFFER_0)
      #elif defined(BUFFER_00) || defined(BUFFER_+1) || defined(BUFFER_)
      #endif
        gl_FragColor = texture2D(u_tex0, vec2(0.5)) + texture2D(backbuffer, vec2(0.5));
      }
      """
    let manifest = try manifest(text).manifest
    #expect(manifest.targets.map(\.name) == ["u_buffer0", "backbuffer"])
    #expect(manifest.inputs.map(\.name) == ["u_tex0"])
  }

  /// Previewers of editors set the names of ShaderToy's player without a declaration.
  @Test func namesOfAPlayerNeedNoDeclaration() throws {
    let text = """
      #define iFrame 3
      vec4 iMouse = vec4(0.5);
      float half_(float iTime) { return iTime * 0.5; }
      void main() {
        vec2 uv = gl_FragCoord.xy / iResolution.xy;
        gl_FragColor = texture2D(iChannel0, uv) * half_(iGlobalTime) + iMouse + float(iFrame);
      }
      """
    let manifest = try manifest(text).manifest
    #expect(manifest.inputs.map(\.name) == ["iChannel0"])
    #expect(manifest.parameters.isEmpty)
    #expect(Set(manifest.passes[0].uniforms.map(\.name)).isSuperset(of: ["iResolution", "iGlobalTime"]))
    #expect(!manifest.passes[0].uniforms.map(\.name).contains { ["iFrame", "iMouse", "iTime"].contains($0) })
  }

  /// Directives of an editor extension connect files to the names of its player.
  @Test func directivesOfEditorsConnectFiles() throws {
    let text = "#iChannel0 \"file://cat.png\"\nvoid main() { gl_FragColor = texture2D(iChannel0, gl_FragCoord.xy / iResolution.xy); }\n"
    let reading = try manifest(text)
    let input = try #require(reading.manifest.inputs.first)
    var path: String?
    if case .file(let name, _) = input.origin { path = name }
    #expect(path == "cat.png" && reading.warnings.isEmpty)
    #expect(!reading.manifest.passes[0].source.text.contains("#iChannel0"))
  }

  /// What an editor's directive asks for and a fragment shader does not have is an error, not an input.
  @Test(arguments: [
    ("#iChannel0 \"self\"", "fragment.pass"), ("#iChannel0 \"file://blur.glsl\"", "fragment.pass"),
    ("#iKeyboard", "shadertoy.unsupported-input"),
  ])
  func directivesThatAskForMoreAreRefused(_ directive: String, _ id: String) {
    let error = #expect(throws: DiagnosticsError.self) {
      try manifest("\(directive)\nvoid main() { gl_FragColor = texture2D(iChannel0, gl_FragCoord.xy / iResolution.xy); }\n")
    }
    #expect(error?.diagnostics.map(\.id) == [id])
  }

  @Test func passesBeyondTheLimitAreAnError() {
    let text = (0..<17).map { "#ifdef BUFFER_\($0)\n#endif\n" }.joined() + "void main() { gl_FragColor = vec4(1.0); }\n"
    let error = #expect(throws: DiagnosticsError.self) { try manifest(text) }
    #expect(error?.diagnostics.map(\.id) == ["fragment.many-buffers"])
    #expect(error?.diagnostics.first?.labels.first.map { $0.source.position(at: $0.range.lowerBound).line } == 33)
  }

  @Test func constantsOfOtherPassesAreThere() throws {
    let reading = try manifest(
      """
      uniform sampler2D u_buffer0;
      #ifdef BUFFER_0
      #define SPEED 2.0
      #else
      #define GAIN 3.0
      #endif
      void main() {
      #ifdef BUFFER_0
        gl_FragColor = vec4(SPEED);
      #else
        gl_FragColor = GAIN * texture2D(u_buffer0, vec2(0.5));
      #endif
      }
      """)
    #expect(reading.manifest.constants.map(\.name) == ["SPEED", "GAIN"])
  }

  @Test(arguments: [
    ("uniform float u_time;\nvoid main() { gl_FragColor = vec4(u_time); }", FilterForm.fragment),
    ("#version 300 es\nout vec4 c;\nvoid main() { c = vec4(1.0); }", .fragment),
    ("void main() { vec2 p = gl_FragCoord.xy; }", .fragment),
    ("void mainImage(out vec4 c, vec2 p) { c = vec4(1.0); }\nvoid main() { mainImage(gl_FragColor, gl_FragCoord.xy); }", .shaderToy),
    ("out vec4 o;\nvoid mainImage(out vec4 c, vec2 p) { c = vec4(1.0); }\nvoid main() { mainImage(o, gl_FragCoord.xy); }", .shaderToy),
    ("/*{ \"INPUTS\": [] }*/ void main() { gl_FragColor = vec4(1.0); }", .isf),
    ("/*{ \"audio\": true }*/ void main() { gl_FragColor = vec4(1.0); }", .fragment),
    ("/*{}*/ void main() { gl_FragColor = vec4(1.0); }", .isf),
    ("void mainImage(out vec4 c, vec2 p) { c = vec4(1.0); }\nvoid main() { mainImage(gl_FragColor, gl_FragCoord.xy / 2.0); }", .fragment),
    (
      "uniform float time;\n#define iTime time\nvoid mainImage(out vec4 c, vec2 p) { c = vec4(iTime); }\n"
        + "void main() { mainImage(gl_FragColor, gl_FragCoord.xy); }", .fragment
    ),
    (
      "uniform vec3 iResolution;\nvoid mainImage(out vec4 c, vec2 p) { c = vec4(1.0); }\nvoid main() { mainImage(gl_FragColor, gl_FragCoord.xy); }",
      .shaderToy
    ),
    ("vec4 mainImage(vec2 p) { return vec4(p, 0.0, 1.0); }\nvoid main() { gl_FragColor = mainImage(gl_FragCoord.xy); }", .fragment),
    (
      "#ifdef SITE\nvoid mainImage(out vec4 c, vec2 p) { c = vec4(1.0); }\n#else\nvoid main() { gl_FragColor = vec4(1.0); }\n#endif",
      .fragment
    ),
    (
      "void mainImage(out vec4 c, vec2 p) { c = vec4(1.0); }\n#ifdef DESKTOP\nvoid main() { gl_FragColor = vec4(0.5); }\n#endif", .shaderToy
    ),
    ("void main() { gl_FragColor = vec4(sin(0.5; }", .fragment),
  ])
  func isRecognized(_ text: String, _ form: FilterForm) throws {
    #expect(try DialectRecognition().form(of: SourceText(path: "a.glsl", text: text)) == form)
  }

  /// Vertex shaders and the halves of ISF files have a `main`, too.
  @Test(arguments: [
    "void main() { gl_Position = vec4(0.0); }", "void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }", "void main() {}",
  ])
  func othersAreNot(_ text: String) {
    #expect(throws: DiagnosticsError.self) { try DialectRecognition().form(of: SourceText(path: "a.glsl", text: text)) }
  }

  @Test func anExtensionDecidesWhereNothingElseDoes() throws {
    let text = "void main() { shade(); }"
    #expect(try DialectRecognition().form(of: SourceText(path: "a.frag", text: text)) == .fragment)
  }
}
