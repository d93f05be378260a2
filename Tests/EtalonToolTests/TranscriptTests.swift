import EtalonTestSupport
import Foundation
import Testing

/// Replays every transcript and compares the answers to the letter.
@Suite struct TranscriptTests {
  private static let cases = CaseFolder("EtalonToolTests")
  private static let names = cases.names(in: "Transcripts") { $0.hasSuffix(".txt") }

  @Test func thereAreTranscripts() {
    #expect(Self.names.count > 10)
  }

  @Test(arguments: names) func answersAsWritten(name: String) throws {
    let file = "Transcripts/\(name)"
    let expected = Transcript(text: try String(contentsOf: Self.cases.url.appending(path: file), encoding: .utf8))
    try #require(!expected.steps.isEmpty, "no commands in \(name)")
    try Self.cases.expect(expected.replayed().text, equals: file)
  }
}
