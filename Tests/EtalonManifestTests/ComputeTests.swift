import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

@Suite struct ComputeTests {
  private func read(_ folder: String, _ name: String) throws(any Error) -> FilterReading {
    try ComputeReader(files: NoFiles()).read(Corpus.source("\(folder)/\(name).glsl"), named: name, options: FilterReader.Options())
  }

  @Test(arguments: Corpus.names(in: "compute"))
  func printsManifest(_ name: String) throws {
    let reading = try read("compute", name)
    let text = ManifestPrinter().text(reading.manifest) + DiagnosticPrinter().text(reading.warnings)
    try Corpus.expect(text, equals: "compute/\(name).manifest.txt")
  }

  @Test(arguments: Corpus.names(in: "compute"))
  func writesShader(_ name: String) throws {
    try Corpus.expect(read("compute", name).manifest.passes[0].source.text, equals: "compute/\(name).comp.txt")
  }

  @Test(arguments: Corpus.names(in: "errors/compute"))
  func explainsError(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { try read("errors/compute", name) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/compute/\(name).txt")
  }

  @Test func hasNoOrphans() throws {
    for folder in ["compute", "errors/compute", "errors/dialect"] {
      let names = Set(Corpus.names(in: folder))
      let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.appendingPathComponent(folder).path)
      for file in files where file.hasSuffix(".txt") {
        #expect(names.contains(file.split(separator: ".").first.map(String.init) ?? ""), "\(folder)/\(file) belongs to no shader")
      }
    }
  }
}

@Suite struct DialectRecognitionTests {
  private static let corpora: [(folder: String, form: FilterForm)] = [
    ("filters", .shaderToy), ("gl-transitions", .glTransition), ("native", .native), ("compute", .compute), ("isf", .isf),
    ("fragment", .fragment),
  ]

  @Test func recognizesItsCorpora() throws {
    for (folder, form) in Self.corpora {
      let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(".glsl") || $0.hasSuffix(".fs") }
      #expect(!files.isEmpty)
      for file in files { #expect(try DialectRecognition().form(of: Corpus.source("\(folder)/\(file)")) == form, "\(folder)/\(file)") }
    }
  }

  @Test(arguments: [
    ("{ \"Shader\": {} }", FilterForm.shaderToyProject), ("\u{FEFF} [1]", .shaderToyProject),
    ("/*{ \"ISFVSN\": \"2\" }*/ void mainImage(out vec4 c, vec2 p) {} void main() { mainImage(gl_FragColor, vec2(0)); }", .isf),
    ("// hello\n/** { \"INPUTS\": [], } */ void main() {}", .isf),
    ("/*{ \"ETALON\": 1, */ vec4 colorKernel() { return vec4(1); }", .native),
    ("/*{\"ETALON\":1}*/ vec4 transition(vec2 p) { return vec4(1); } vec4 imageKernel(vec2 p) { return transition(p); }", .native),
    ("#define A 1\n/*{ \"INPUTS\": [] }*/ void main() { gl_FragColor = vec4(A); }", .isf),
    ("vec4 mainImage(vec2 p) { return getToColor(p); } vec4 transition(vec2 p) { return mainImage(p); }", .glTransition),
    ("vec4 transition(vec2 p) { return vec4(p, 0, 1); } void mainImage(out vec4 c, vec2 p) { c = transition(p); }", .shaderToy),
    ("float transition(float x) { return x; } void mainImage(out vec4 c, vec2 p) { c = vec4(transition(1.)); }", .shaderToy),
    ("#define HEAD void mainImage(out vec4 c, in vec2 p)\nHEAD { c = vec4(1); }", .shaderToy),
    ("void mainImage(out vec4 c, vec2 p) {{ }", .shaderToy),
    ("vec4 imageKernel(vec2 p) { return vec4(1); }", .native),
    ("vec4 imageKernel(vec2 p) { return vec4(1); } void mainImage(out vec4 c, vec2 p) { c = imageKernel(p); }", .shaderToy),
  ])
  func recognizes(_ text: String, _ form: FilterForm) throws {
    #expect(try DialectRecognition().form(of: SourceText(path: "a", text: text)) == form)
  }

  @Test func takesWhatTheUserChose() throws {
    let text = try Corpus.source("errors/dialect/two-dialects-in-one-file.glsl")
    #expect(try DialectRecognition().form(of: text, chosen: .glTransition) == .glTransition)
    #expect(try DialectRecognition().form(of: text, chosen: .shaderToy) == .shaderToy)
    #expect(try DialectRecognition().form(of: SourceText(path: "a", text: "{}"), chosen: .shaderToy) == .shaderToyProject)
  }

  @Test(arguments: Corpus.names(in: "errors/dialect"))
  func explainsDoubt(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { try DialectRecognition().form(of: Corpus.source("errors/dialect/\(name).glsl")) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/dialect/\(name).txt")
  }
}
