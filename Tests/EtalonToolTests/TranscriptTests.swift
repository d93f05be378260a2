import Foundation
import Testing

/// Replays every transcript and compares the answers to the letter.
///
/// `ETALON_RECORD=1` writes the answers into the files, and fails the tests that it changes.
@Suite struct TranscriptTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")
  private static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }.sorted()) ?? []

  @Test func thereAreTranscripts() {
    #expect(Self.names.count > 10)
  }

  @Test(arguments: names) func answersAsWritten(name: String) throws {
    let file = Self.folder.appending(path: name)
    let expected = Transcript(text: try String(contentsOf: file, encoding: .utf8))
    try #require(!expected.steps.isEmpty, "no commands in \(name)")
    let actual = try expected.replayed()
    if ProcessInfo.processInfo.environment["ETALON_RECORD"] == "1", actual.text != expected.text {
      try Data(actual.text.utf8).write(to: file)
    }
    #expect(actual.text == expected.text)
  }
}
