internal import Etalon
package import EtalonDiagnostics
internal import Foundation

/// Where the results of a run go: a file, and beside it a folder with pictures.
package struct ResultsPlace: Sendable, Hashable {
  /// Where results go when nobody says it.
  private static let usual = "etalon-test/results.json"
  private static let ending = ".pictures"

  /// The file.
  package let path: String
  /// The folder that the file lies in, and that paths in it start from.
  package let folder: String
  /// The folder in it for pictures, which belongs to the file.
  package let pictures: String

  package init(json: String?) {
    path = json ?? Self.usual
    folder = FolderPath.parent(of: path)
    let name = FilterPath.fileName(of: path)
    pictures = (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + Self.ending
  }

  /// A path of the results from the working folder.
  package func path(of picture: String) -> String { FolderPath.join(folder, picture) }

  /// Removes the results and the pictures of an earlier run, which nobody should approve any more.
  package func clear() {
    let isOwn = (try? TestResults(contentsOf: path)) != nil
    if isOwn { try? FileManager.default.removeItem(atPath: path) }
    if isOwn || path == Self.usual { try? FileManager.default.removeItem(atPath: path(of: pictures)) }
  }

  /// Refuses to write over a file that holds no results.
  package func refuseForeignFile() throws(RenderError) {
    try TextFile.refuseForeign(path, startingWith: "{", keys: ["cases", "started", "version"])
  }

  /// Copies the pictures of several runs beside the file that puts their results together.
  package func gather(_ results: TestResults, from files: [String]) throws(RenderError) {
    let folders = files.map { ResultsPlace(json: $0).folder }
    for picture in results.cases.flatMap(\.frames).flatMap({ Array($0.pictures.values) + [$0.candidate].compactMap(\.self) }) {
      let target = path(of: picture)
      guard let source = folders.map({ FolderPath.join($0, picture) }).first(where: { FileManager.default.fileExists(atPath: $0) }),
        NamedFiles.plain(source) != NamedFiles.plain(target)
      else { continue }
      try Recorder.install(source, at: target)
    }
  }
}

extension TestResults {
  /// Whether there is something that has to be looked at later, or approved.
  package var needsFile: Bool { cases.contains { $0.verdict.isFailure || !$0.candidates.isEmpty } }

  /// Says which file approving reads.
  package mutating func approve(with path: String) {
    for index in cases.indices { cases[index].approve(with: path) }
  }
}

extension CaseResult {
  /// Says with which options the case runs alone as it did here, and where approving finds the results.
  package mutating func complete(options: [String], approvingAt path: String) {
    if !reproduce.isEmpty { reproduce += options.map { " " + ShellWord.quoted($0) }.joined() }
    approve(with: path)
  }

  fileprivate mutating func approve(with path: String) {
    approve = isApprovable ? "etalon approve \(ShellWord.quoted(path)) \(ShellWord.quoted(id))" : ""
  }
}
