import EtalonDiagnostics
import EtalonTestSupport
import Foundation
import Testing

/// Every error in `Tests/Corpus/errors` prints exactly the text beside it.
@Suite struct ErrorCorpusTests {
  @Test(arguments: Corpus.shaders(in: "errors")) func prints(_ name: String) throws {
    let diagnostics = Corpus.diagnostics(of: try Corpus.source(name))
    let printed = DiagnosticPrinter().text(diagnostics)
    #expect(!diagnostics.isEmpty)
    try CaseFolder.corpus.expect(printed, equals: "errors/\(name).txt")
  }

  @Test func hasNoTextsWithoutShaders() throws {
    let texts = try FileManager.default.contentsOfDirectory(atPath: Corpus.errors.path).filter { $0.hasSuffix(".txt") }
    #expect(Set(texts.map { String($0.dropLast(".txt".count)) }) == Set(Corpus.shaders(in: "errors")))
  }

  @Test func labelsAreShort() throws {
    for name in Corpus.shaders(in: "errors") {
      for diagnostic in Corpus.diagnostics(of: try Corpus.source(name)) where diagnostic.id.hasPrefix("glsl.") {
        #expect(diagnostic.labels.allSatisfy { $0.message.split(separator: " ").count <= 4 }, "\(name): \(diagnostic)")
        #expect(!diagnostic.labels.isEmpty, "\(name): \(diagnostic)")
      }
    }
  }

  @Test func writesJSON() throws {
    let diagnostics = Corpus.diagnostics(of: Corpus.shader("  fragColor = vec4(colr, 1.0);", before: "vec3 color;"))
    #expect(
      DiagnosticJSON().text(diagnostics)
        == #"{"diagnostics":[{"help":["did you mean 'color'?"],"id":"glsl.undeclared-identifier","labels":[{"end":{"byte":91,"column":24,"#
        + #""line":4},"message":"not declared","path":"test.glsl","start":{"byte":87,"column":20,"line":4}}],"#
        + #""message":"undeclared identifier 'colr'","notes":[],"severity":"error"}],"version":1}"# + "\n")
  }
}
