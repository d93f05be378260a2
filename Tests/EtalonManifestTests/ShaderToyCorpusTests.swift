import EtalonDiagnostics
import EtalonGLSL
import Foundation
import Testing

@testable import EtalonManifest

@Suite struct ShaderToyCorpusTests {
  @Test(arguments: Corpus.names(in: "filters"))
  func printsManifest(_ name: String) throws {
    let reading = try Corpus.read("filters", name)
    let text = ManifestPrinter().text(reading.manifest) + DiagnosticPrinter().text(reading.warnings)
    try Corpus.expect(text, equals: "filters/\(name).manifest.txt")
  }

  @Test(arguments: Corpus.names(in: "filters"))
  func translatesAuthorsText(_ name: String) throws {
    let pass = try #require(try Corpus.read("filters", name).manifest.passes.first)
    // What Etalon puts in front is pinned by the whole texts of a few filters.
    let start = try #require(pass.source.pieces.firstIndex { $0.origin != nil })
    try Corpus.expect(GeneratedSource(Array(pass.source.pieces[start...])).text, equals: "filters/\(name).translated.txt")
  }

  @Test(arguments: ["derivatives", "whole-uniform-set", "mipmapped"])
  func writesWholeShader(_ name: String) throws {
    let pass = try #require(try Corpus.read("filters", name).manifest.passes.first)
    try Corpus.expect(pass.source.text, equals: "filters/\(name).comp.txt")
  }

  @Test(arguments: Corpus.names(in: "errors/manifest"))
  func explainsError(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { try Corpus.read("errors/manifest", name) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/manifest/\(name).txt")
  }

  @Test func hasNoOrphans() throws {
    for folder in ["filters", "errors/manifest"] {
      let names = Set(Corpus.names(in: folder))
      let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.appendingPathComponent(folder).path)
      for file in files where file.hasSuffix(".txt") {
        #expect(names.contains(file.split(separator: ".").first.map(String.init) ?? ""), "\(folder)/\(file) belongs to no shader")
      }
    }
  }
}
