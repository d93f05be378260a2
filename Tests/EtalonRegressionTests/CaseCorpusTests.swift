import EtalonDiagnostics
import EtalonRegression
import Foundation
import Testing

/// Reads every file of the corpus and compares what came out with the text beside it.
///
/// `ETALON_RECORD=1` writes the texts, and fails the tests that it changes.
@Suite struct CaseCorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

  private static func files(_ name: String) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path)) ?? []
    return all.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.sorted().map { "\(name)/\($0)" }
  }

  @Test func thereAreFiles() {
    #expect(Self.files("errors").count > 30)
    #expect(Self.files("cases").count > 1)
  }

  @Test(arguments: files("errors")) func tellsMistakes(file: String) throws {
    let reading = try read(file)
    #expect(reading.cases.isEmpty, "a case with a mistake would be run")
    try compare(DiagnosticPrinter().text(reading.diagnostics), file)
  }

  @Test(arguments: files("cases")) func readsCases(file: String) throws {
    let reading = try read(file)
    #expect(reading.diagnostics == [])
    try compare(reading.cases.map(CasePrinter.text).joined(), file)
  }

  private func read(_ file: String) throws -> CaseFileReader.Reading {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    return CaseFileReader(SourceText(path: file, text: text), owner: nil).read()
  }

  private func compare(_ text: String, _ file: String) throws {
    let expected = Self.folder.appending(path: file).deletingPathExtension().appendingPathExtension("txt")
    let known = try? String(contentsOf: expected, encoding: .utf8)
    if ProcessInfo.processInfo.environment["ETALON_RECORD"] == "1", known != text { try Data(text.utf8).write(to: expected) }
    #expect(text == known)
  }
}
