internal import Etalon
package import EtalonDiagnostics
internal import EtalonMedia
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

  /// The results of an earlier run; nil where there are none, or something that is no file, such as a pipe.
  package var earlierResults: TestResults? {
    guard let file = try? RandomAccessFile(path), file.size > 0 else { return nil }
    return try? TestResults(contentsOf: path)
  }

  /// Removes the results and the pictures of an earlier run, which nobody should approve any more.
  package func clear() {
    let isOwn = earlierResults != nil
    if isOwn { try? FileManager.default.removeItem(atPath: path) }
    if isOwn || path == Self.usual { try? FileManager.default.removeItem(atPath: path(of: pictures)) }
  }

  /// Refuses to write over a file that holds no results.
  package func refuseForeignFile() throws(RenderError) {
    try TextFile.refuseForeign(path, keys: ["cases", "started", "version"])
  }

  /// Tells of pictures that did not come along with their results; nil where all are there.
  package func missingPictures(of results: TestResults) -> Diagnostic? {
    let all = Set(results.pictures)
    let missing = all.count { !FileManager.default.fileExists(atPath: path(of: $0)) }
    guard missing > 0 else { return nil }
    let folder = path(of: pictures)
    let words = missing == 1 ? "1 picture of '\(path)' is not there" : "\(missing) pictures of '\(path)' are not there"
    let cause = FileManager.default.fileExists(atPath: folder) ? "some files of '\(folder)' are gone" : "the folder '\(folder)' is missing"
    return Diagnostic(
      "merge.pictures", "\(words): \(cause)", severity: .warning,
      help: ["copy the folder from where the run was, beside its results: reports show what is there, and only that can be approved"])
  }

  /// Copies the pictures of several runs beside the file that puts their results together.
  package func gather(_ results: TestResults, from files: [String]) throws(RenderError) {
    let folders = files.map { ResultsPlace(json: $0).folder }
    for picture in results.pictures {
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

  /// The paths of all pictures, from the folder of the file.
  fileprivate var pictures: [String] {
    cases.flatMap(\.frames).flatMap { Array($0.pictures.values) + [$0.candidate].compactMap(\.self) }
  }

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
