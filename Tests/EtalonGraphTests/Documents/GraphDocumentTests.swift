import EtalonDiagnostics
import EtalonManifest
import Testing

@testable import EtalonGraph

/// Documents are read with the places of everything in them, and all their errors are told at once.
@Suite struct GraphDocumentTests {
  private func read(_ folder: String, _ name: String) throws -> GraphText {
    try GraphDocumentReader(files: FolderFiles(GraphCorpus.path(folder))).read(GraphCorpus.source(folder, name))
  }

  @Test(arguments: GraphCorpus.names(in: "graphs")) func readsDocument(_ name: String) throws {
    try GraphCorpus.expect(GraphPrinter.text(read("graphs", name)), equals: "graphs/\(name).txt")
  }

  @Test(arguments: GraphCorpus.names(in: "errors/graphs")) func refusesDocument(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { try read("errors/graphs", name) }
    try GraphCorpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/graphs/\(name).txt")
  }

  @Test func nothingIsExpectedOfDocumentsThatAreNotThere() throws {
    for folder in ["graphs", "errors/graphs"] {
      let documents = Set(GraphCorpus.names(in: folder).map { $0 + ".txt" })
      #expect(try GraphCorpus.expectations(in: folder) == documents, "\(folder)")
    }
  }

  @Test(arguments: [
    ("{a: 1}", "a"), ("a: 1\nb: off", "b"), ("a: 'it''s'\nb: 1:30", "b"), ("ä: \"ö\\n\"\nb: ü", "b"), ("a: [1, 2] # c\nb: {}", "b"),
    ("a: x\u{2028}b: 2", "a"), ("\u{FEFF}a: 1", "a"),
  ]) func placesAreExact(_ text: String, _ key: String) throws {
    let source = SourceText(path: "a.yaml", text: text)
    let member = try #require(try YAMLReader.read(source).members?.first { $0.key == key })
    #expect(String(decoding: source.bytes[member.keyPlace.range], as: UTF8.self) == key)
    let value = String(decoding: source.bytes[member.value.place.range], as: UTF8.self)
    #expect(text.contains("\(key): \(value)"))
  }

  @Test(arguments: [
    ("etalon: 1\nnodes: {}", "a.yaml", true), ("etalon: 1\noutputs: a", "a.yml", true), ("{\"etalon\": 1, \"nodes\": {}}", "a.json", true),
    ("etalon: 1\nnodes: {a: [}", "broken.yaml", true), ("{\"etalon\": 1, \"nodes\": {", "broken.json", true),
    ("name: ci\non: push", "ci.yaml", false), ("etalon: 1\nnodes: {}", "a.glsl", false), ("{\"Shader\": {}}", "toy.json", false),
    ("", "empty.yaml", false),
  ]) func recognizesGraphs(_ text: String, _ path: String, _ isGraph: Bool) {
    #expect(GraphDocumentReader.recognizes(SourceText(path: path, text: text)) == isGraph)
  }

  @Test func refusesTextsThatAreTooLong() {
    let source = SourceText(path: "a.yaml", text: "# " + String(repeating: "x", count: YAMLReader.mostBytes))
    #expect(throws: DiagnosticsError.self) { try YAMLReader.read(source) }
    let values = SourceText(path: "a.yaml", text: "a: [" + String(repeating: "1,", count: YAMLReader.mostValues) + "]")
    #expect(throws: DiagnosticsError.self) { try YAMLReader.read(values) }
  }
}
