import EtalonDiagnostics
import EtalonRegression
import EtalonTestSupport
import Foundation
import Testing

/// Reads every file of the corpus and compares what came out with the text beside it.
@Suite struct CaseCorpusTests {
  private static let cases = CaseFolder("EtalonRegressionTests/Corpus")

  private static func files(_ name: String) -> [String] {
    cases.names(in: name) { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.map { "\(name)/\($0)" }
  }

  @Test func thereAreFiles() {
    #expect(Self.files("errors").count > 30)
    #expect(Self.files("cases").count > 1)
  }

  @Test(arguments: files("errors")) func tellsErrors(file: String) throws {
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
    let text = try String(contentsOf: Self.cases.url.appending(path: file), encoding: .utf8)
    return CaseFileReader(SourceText(path: file, text: text), owner: nil).read()
  }

  private func compare(_ text: String, _ file: String) throws {
    try Self.cases.expect(text, equals: "\(file.split(separator: ".")[0]).txt")
  }
}
