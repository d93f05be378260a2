import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

@Suite struct ProjectFileTests {
  @Test(arguments: ProjectCorpus.names(in: "projects").filter { $0 != "loose-image" })
  func readsWhatItWrites(_ name: String) throws {
    let project = try ProjectCorpus.project("projects", name).project
    let file = ProjectFile(SourceText(path: "project.json", text: ProjectFileWriter().text(project)))
    #expect(file.diagnostics == [])
    #expect(file.title == project.title)
    #expect(file.about == project.about)
    let passes = project.passes.filter { $0.name != .common }
    #expect(file.passes.map(\.name) == passes.map(\.name))
    for (read, written) in zip(file.passes, passes) {
      let channels = written.channels.sorted { $0.index < $1.index }
      #expect(read.channels.map(\.name) == channels.map(\.name))
      #expect(read.channels.map(\.source) == channels.map(\.source))
      #expect(read.channels.map(\.sampler) == channels.map(\.sampler))
      #expect(read.channels.map(\.isFlipped) == channels.map(\.isFlipped))
    }
    #expect(file.parameters.map(\.name) == project.parameters.map(\.name))
    #expect(file.parameters.map(\.minimum) == project.parameters.map(\.minimum))
    #expect(file.parameters.map(\.step) == project.parameters.map(\.step))
  }

  @Test func quotesEverything() throws {
    let title = "a \"b\" \\ \n\t\u{1} é 🦀"
    let text = ProjectFileWriter().text(ShaderToyProject(title: title, passes: []))
    #expect(ProjectFile(SourceText(path: "project.json", text: text)).title == title)
  }

  @Test func exposesWhatMayChangeWhileTheTextRuns() throws {
    let manifest = try ProjectCorpus.read("projects", "exposed").manifest
    let buffer = try #require(manifest.passes.first { $0.name == "bufferA" })
    #expect(buffer.uniforms.contains { $0.meaning == .parameter("SPEED") })
    #expect(buffer.source.text.contains("#define SPEED etalonValue_SPEED"))
    let image = try #require(manifest.passes.last)
    #expect(!image.uniforms.contains { $0.meaning == .parameter("COUNT") })
    #expect(image.source.text.contains("COUNT = 4"))
    #expect(manifest.constants.map(\.name) == ["OTHER"])
  }

  @Test(arguments: [
    ("#define A 2.0", [0.0], [4.0]), ("#define A -2.0", [-4.0], [0.0]), ("#define A 0.0", [-1.0], [1.0]),
    ("const vec3 A = vec3(1.0, 0.5, 0.0);", [0.0], [1.0]), ("const vec2 A = vec2(4.0, -1.0);", [0.0, -2.0], [8.0, 0.0]),
    ("#define A 1.0 // Amount, min=0.5, max=1.5", [0.5], [1.5]),
  ])
  func proposesBounds(_ text: String, _ minimum: [Double], _ maximum: [Double]) throws {
    let source = SourceText(path: "a.glsl", text: text + "\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(A); }\n")
    let parameter = try #require(ProjectConstants(ShaderToyProject(looseImage: source)).parameter("A"))
    #expect(parameter.minimum == minimum)
    #expect(parameter.maximum == maximum)
  }
}
