package import Foundation
package import Testing

/// A folder of cases below `Tests`: the files that tests read, and beside them the texts that they expect.
///
/// With `ETALON_RECORD=1` in the environment a text that differs is written into its file, and the test fails all the same: recorded texts are looked at before a second run passes.
package struct CaseFolder: Sendable {
  /// `Tests/Corpus`, which several modules read.
  package static let corpus = CaseFolder("Corpus")

  package let url: URL

  /// - Parameter path: the path below `Tests`.
  package init(_ path: String) {
    url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
  }

  /// The names of the files and folders that are cases, sorted.
  ///
  /// A folder that is missing, or that holds none, has one case that cannot be read: tests over a folder that was moved fail.
  package func names(in folder: String, where isCase: (String) -> Bool) -> [String] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path)) ?? []
    let cases = entries.filter(isCase).sorted()
    return cases.isEmpty ? ["no case in '\(folder)'"] : cases
  }

  /// The names of the files with an ending, without it.
  package func stems(in folder: String, ending: String) -> [String] {
    names(in: folder) { $0.hasSuffix(".\(ending)") }.map { $0.hasSuffix(".\(ending)") ? String($0.dropLast(ending.count + 1)) : $0 }
  }

  /// Compares a text with the one in a file.
  package func expect(_ actual: String, equals path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = url.appending(path: path)
    let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? "(no file)"
    if actual != expected, ProcessInfo.processInfo.environment["ETALON_RECORD"] == "1" { try Data(actual.utf8).write(to: file) }
    #expect(actual == expected, "\(path)", sourceLocation: sourceLocation)
  }
}
