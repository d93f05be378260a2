import EtalonDiagnostics
import Foundation
import Testing

/// The documents under `Tests/Corpus` and the texts that are expected beside them.
///
/// With `ETALON_RECORD=1` in the environment the actual text is written, and the test fails all the same.
enum GraphCorpus {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  /// The names of the documents of a folder.
  static func names(in subfolder: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(subfolder).path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.sorted()
  }

  /// The names of the texts that are expected in a folder.
  static func expectations(in subfolder: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: path(subfolder)).filter { $0.hasSuffix(".txt") })
  }

  static func path(_ subfolder: String) -> String { folder.appendingPathComponent(subfolder).path }

  static func source(_ subfolder: String, _ name: String) throws -> SourceText {
    SourceText(path: name, bytes: [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(subfolder)/\(name)"))))
  }

  /// Compares a text with the one in a file.
  static func expect(_ actual: String, equals path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = folder.appendingPathComponent(path)
    if ProcessInfo.processInfo.environment["ETALON_RECORD"] == "1" {
      try actual.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(path)", sourceLocation: sourceLocation)
    }
    let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? "(no file)"
    #expect(actual == expected, "\(path)", sourceLocation: sourceLocation)
  }
}
