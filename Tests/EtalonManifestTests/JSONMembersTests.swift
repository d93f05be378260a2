import EtalonDiagnostics
import Testing

@testable import EtalonManifest

@Suite struct JSONMembersTests {
  private func members(_ text: String) throws -> JSONMembers {
    let value = try #require(JSONReader().read(SourceText(path: "a.json", text: text)).value)
    return JSONMembers(value, of: "the header")
  }

  @Test func takesWhatIsThere() throws {
    var members = try members(#"{"NAME": "a", "MIN": -1.5, "FLOAT": true, "TAGS": ["x", "y"], "DEFAULT": [0, 1], "MORE": {}}"#)
    #expect(members.string("NAME")?.value == "a")
    #expect(members.number("MIN")?.value == -1.5)
    #expect(members.bool("FLOAT")?.value == true)
    #expect(members.strings("TAGS")?.map(\.value) == ["x", "y"])
    #expect(members.numbers("DEFAULT")?.value == [0, 1])
    #expect(members.object("MORE")?.members?.isEmpty == true)
    #expect(members.string("ABSENT") == nil)
    members.reportUnknownKeys(as: .error)
    #expect(members.diagnostics.isEmpty)
  }

  @Test func explainsEverythingAtOnce() throws {
    var members = try members(#"{"NAME": 1, "MIN": "2", "MAX": 1e40, "DEFAULT": [1, "x"], "TAGS": 3, "NMAE": null, "Default": 1, "q": 2}"#)
    _ = members.string("NAME")
    _ = (members.number("MIN"), members.number("MAX"), members.bool("TYPE"))
    _ = (members.numbers("DEFAULT"), members.strings("TAGS"))
    members.reportMissing("TYPE")
    members.reportUnknownKeys(as: .warning)
    try Corpus.expect(DiagnosticPrinter().text(members.diagnostics), equals: "json/members.expected")
  }

  @Test func explainsWhatIsNoObject() throws {
    var members = try members("[1]")
    #expect(members.string("NAME") == nil)
    members.reportMissing("NAME")
    members.reportUnknownKeys(as: .error)
    #expect(members.diagnostics.map(\.message) == ["the header is an array, expected an object"])
  }
}
