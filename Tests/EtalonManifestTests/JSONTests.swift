import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonManifest

@Suite struct JSONTests {
  private func reading(_ path: String, tolerating slips: Set<JSONSlip>) throws -> JSONReader.Reading {
    JSONReader(tolerating: slips).read(try Corpus.source(path))
  }

  @Test(arguments: Corpus.names(in: "json", "json"))
  func readsText(_ name: String) throws {
    let reading = try reading("json/\(name).json", tolerating: Set(JSONSlip.allCases))
    let value = try #require(reading.value)
    #expect(!reading.hasErrors)
    try Corpus.expect(JSONListing.text(value) + DiagnosticPrinter().text(reading.diagnostics), equals: "json/\(name).txt")
  }

  @Test(arguments: Corpus.names(in: "json", "json"))
  func refusesSlipsUnlessTolerated(_ name: String) throws {
    let slips = Set(try reading("json/\(name).json", tolerating: Set(JSONSlip.allCases)).diagnostics.map(\.id))
    for slip in JSONSlip.allCases where slips.contains(slip.id) {
      let errors = try reading("json/\(name).json", tolerating: Set(JSONSlip.allCases).subtracting([slip])).diagnostics
        .filter { $0.severity == .error }
      // Without joined lines a string ends nowhere.
      let expected: Set = slip == .controlCharacter ? [slip.id, "json.unterminated-string"] : [slip.id]
      #expect(errors.contains { expected.contains($0.id) })
    }
  }

  @Test(arguments: Corpus.names(in: "errors/json", "json"))
  func explainsError(_ name: String) throws {
    let reading = try reading("errors/json/\(name).json", tolerating: [])
    #expect(reading.hasErrors)
    let value = reading.value.map { JSONListing.text($0) } ?? "nothing understood\n"
    try Corpus.expect(DiagnosticPrinter().text(reading.diagnostics) + value, equals: "errors/json/\(name).txt")
  }

  @Test func readsPartOfText() throws {
    let source = SourceText(path: "a.fs", text: "/* {\"A\": [1]} */ void main() {}")
    let value = try #require(JSONReader().read(source, within: 2..<14).value)
    #expect(JSONListing.text(value) == "1:4 object\n1:5 A\n1:10   array\n1:11     1\n")
  }

  @Test func limitsSize() {
    func id(_ text: String, _ change: (inout JSONLimits) -> Void = { _ in }) -> String? {
      var limits = JSONLimits()
      change(&limits)
      let diagnostics = JSONReader(limits: limits).read(SourceText(path: "a.json", text: text)).diagnostics
      return diagnostics.count == 1 ? diagnostics[0].id : nil
    }
    #expect(id(String(repeating: "[", count: 1 << 20)) == "json.nesting")
    #expect(id(String(repeating: "{\"a\":", count: 1 << 18)) == "json.nesting")
    #expect(id("[1, 2, 3]", { $0.values = 3 }) == "json.values")
    #expect(id("[1, 2, 3]", { $0.bytes = 8 }) == "json.bytes")
    #expect(id(String(repeating: ";", count: 4096)) == "json.value")
  }

  @Test func limitsDiagnostics() {
    let text = "[" + String(repeating: "x,", count: 1000) + "1]"
    #expect(JSONReader().read(SourceText(path: "a.json", text: text)).diagnostics.count == JSONLimits().diagnostics)
  }

  @Test(arguments: [
    ("0", 0.0), ("-12", -12), ("1.5e3", 1500), (".5", 0.5), ("1.", 1), ("+2", 2), ("007", 7), ("1E-2", 0.01), ("-.25e+1", -2.5),
  ])
  func readsNumbers(_ text: String, _ value: Double) {
    #expect(JSONNumber.value(text) == value)
  }

  @Test(arguments: ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "1_000", "NaN", "inf", "--1", "1e1.5"])
  func refusesNumbers(_ text: String) {
    #expect(JSONNumber.value(text) == nil)
  }

  @Test(arguments: ["json", "errors/json"])
  func hasNoOrphans(_ folder: String) throws {
    let names = Set(Corpus.names(in: folder, "json"))
    for name in Corpus.names(in: folder, "txt") { #expect(names.contains(name), "\(folder)/\(name).txt belongs to no JSON") }
  }
}

/// Prints JSON values with the lines and columns they start at.
enum JSONListing {
  static func text(_ value: LocatedJSON, depth: Int = 0) -> String {
    let line = { (place: SourceRange, depth: Int, text: String) in
      let (line, column) = place.source.position(at: place.range.lowerBound)
      return "\(line):\(column) \(String(repeating: "  ", count: depth))\(text)\n"
    }
    switch value.content {
    case .object(let members):
      return line(value.place, depth, "object")
        + members.map { line($0.keyPlace, depth, $0.key) + text($0.value, depth: depth + 1) }.joined()
    case .array(let elements): return line(value.place, depth, "array") + elements.map { text($0, depth: depth + 1) }.joined()
    case .string(let string): return line(value.place, depth, string.debugDescription)
    case .number(let number): return line(value.place, depth, number)
    case .bool(let isTrue): return line(value.place, depth, "\(isTrue)")
    case .null: return line(value.place, depth, "null")
    }
  }
}
