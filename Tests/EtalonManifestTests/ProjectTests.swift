import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

@Suite struct ProjectTests {
  @Test(arguments: ProjectCorpus.names(in: "projects"))
  func printsManifest(_ name: String) throws {
    let reading = try ProjectCorpus.read("projects", name)
    let text = ManifestPrinter().text(reading.manifest) + DiagnosticPrinter().text(reading.warnings)
    try Corpus.expect(text, equals: "projects/\(ProjectCorpus.stem(name)).manifest.txt")
  }

  @Test(arguments: ProjectCorpus.names(in: "errors/projects"))
  func explainsError(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { _ = try ProjectCorpus.read("errors/projects", name) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/projects/\(ProjectCorpus.stem(name)).txt")
  }

  @Test func writesWholeCubeShader() throws {
    let manifest = try ProjectCorpus.read("projects", "cube.json").manifest
    let pass = try #require(manifest.passes.first { $0.name == "cubemapA" })
    try Corpus.expect(pass.source.text, equals: "projects/cube.cubemapA.comp.txt")
  }

  @Test func hasNoOrphans() throws {
    for folder in ["projects", "errors/projects"] {
      let stems = Set(ProjectCorpus.names(in: folder).map(ProjectCorpus.stem))
      let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.appendingPathComponent(folder).path)
      for file in files where file.hasSuffix(".txt") {
        #expect(stems.contains(file.split(separator: ".").first.map(String.init) ?? ""), "\(folder)/\(file) belongs to no project")
      }
    }
  }

  @Test func namesPlacesWithinPasses() throws {
    let manifest = try ProjectCorpus.read("projects", "buffers-out-of-order.json").manifest
    let constant = try #require(manifest.constants.first { $0.name == "SPEED" })
    let place = try #require(constant.place)
    #expect(place.source.path == "buffers-out-of-order.json#common")
    #expect(place.source.position(at: place.range.lowerBound) == (1, 15))
  }

  @Test func setsConstantsInEveryPass() throws {
    var options = FilterReader.Options()
    options.values["SPEED"] = "8.5"
    let project = try ProjectCorpus.project("projects", "buffers-out-of-order.json").project
    let manifest = try ShaderToyProjectReader(files: NoFiles()).read(project, named: "a", options: options).manifest
    #expect(manifest.passes.count == 3)
    for pass in manifest.passes { #expect(pass.source.text.contains("#define SPEED 8.5"), "\(pass.name)") }
  }

  @Test func knowsTheSitesPictures() throws {
    #expect(Set(ShaderToyAssets.all.map(\.stem)).count == ShaderToyAssets.all.count)
    #expect(ShaderToyAssets.all.allSatisfy { $0.stem.count == 64 })
    let forest = try #require(ShaderToyAssets.entry(title: "forest"))
    #expect(ShaderToyAssets.entry(path: "media/\(forest.stem)_3.png") == nil)
    #expect(ShaderToyAssets.entry(path: forest.id) == forest)
    #expect(forest.shape == .cube)
  }
}
