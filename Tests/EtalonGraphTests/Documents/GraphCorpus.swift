import EtalonDiagnostics
import EtalonTestSupport
import Foundation
import Testing

/// The documents under `Tests/Corpus` and the texts that are expected beside them.
enum GraphCorpus {
  static let folder = CaseFolder.corpus.url

  /// The names of the documents of a folder.
  static func names(in subfolder: String) -> [String] {
    CaseFolder.corpus.names(in: subfolder) { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }
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
    try CaseFolder.corpus.expect(actual, equals: path, sourceLocation: sourceLocation)
  }
}
