import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

@Suite struct GLTransitionTests {
  private func read(_ folder: String, _ name: String) throws(any Error) -> FilterReading {
    try GLTransitionReader(files: NoFiles()).read(Corpus.source("\(folder)/\(name).glsl"), named: name, options: FilterReader.Options())
  }

  @Test(arguments: Corpus.names(in: "gl-transitions"))
  func printsManifest(_ name: String) throws {
    let reading = try read("gl-transitions", name)
    let text = ManifestPrinter().text(reading.manifest) + DiagnosticPrinter().text(reading.warnings)
    try Corpus.expect(text, equals: "gl-transitions/\(name).manifest.txt")
  }

  @Test(arguments: Corpus.names(in: "gl-transitions"))
  func writesShader(_ name: String) throws {
    try Corpus.expect(
      read("gl-transitions", name).manifest.passes[0].source.text, equals: "gl-transitions/\(name).comp.txt")
  }

  @Test(arguments: Corpus.names(in: "errors/gl-transition"))
  func explainsError(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { try read("errors/gl-transition", name) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/gl-transition/\(name).txt")
  }

  @Test func hasNoOrphans() throws {
    for folder in ["gl-transitions", "errors/gl-transition"] {
      let names = Set(Corpus.names(in: folder))
      let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.appendingPathComponent(folder).path)
      for file in files where file.hasSuffix(".txt") {
        #expect(names.contains(file.split(separator: ".").first.map(String.init) ?? ""), "\(folder)/\(file) belongs to no shader")
      }
    }
  }

  @Test func tellsWhoWroteIt() throws {
    let about = try read("gl-transitions", "declarations").manifest.about
    #expect(about.credit == "Ada Löwenzahn")
    #expect(about.license == "MIT")
    #expect(try read("gl-transitions", "older-habits").manifest.about.license == "CC0")
  }

  @Test func progressFollowsTheClockUntilItIsSet() throws {
    let manifest = try read("gl-transitions", "fade").manifest
    #expect(ParameterValues(defaultsOf: manifest)["progress"] == nil)
    #expect(try ParameterValues(["progress": "0.25"], of: manifest)["progress"] == Value(.float, [0.25]))
    #expect(throws: DiagnosticsError.self) { try ParameterValues(["progress": "1.5"], of: manifest) }
  }

  @Test func readsPicturesAsAsked() throws {
    var options = FilterReader.Options()
    options.samplers = [
      "startImage": .init(interpolation: .mipmap, address: .repeat), "luma": .init(interpolation: .nearest, address: .mirror),
    ]
    let manifest = try GLTransitionReader(files: NoFiles())
      .read(Corpus.source("gl-transitions/declarations.glsl"), named: "declarations", options: options).manifest
    #expect(manifest.inputs.map(\.sampler) == [Sampler(.mipmap, .repeat), Sampler(.linear, .clamp), Sampler(.nearest, .mirror)])
    #expect(manifest.passes[0].textures.map(\.sampler) == manifest.inputs.map(\.sampler))
    #expect(manifest.passes[0].usesQuads)
    #expect(manifest.passes[0].source.text.contains("return etalonTextureMipmapped(etalonFrom, uv);"))
  }
}
