internal import Etalon
package import EtalonDiagnostics
internal import EtalonMedia
internal import Foundation

/// Where the results of a run go: a file, and beside it a folder with pictures.
package struct ResultsPlace: Sendable, Hashable {
  /// Where results go without a path of their own.
  package static let usual = "etalon-test/results.json"
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

  /// Removes the results and the pictures of an earlier run, so that they cannot be approved any more.
  package func clear() {
    let isOwn = earlierResults != nil
    if isOwn { try? FileManager.default.removeItem(atPath: path) }
    if isOwn || path == Self.usual { try? FileManager.default.removeItem(atPath: path(of: pictures)) }
  }

  /// Keeps the usual folder out of repositories, and removes it where it holds nothing.
  package func tidy() {
    guard path == Self.usual else { return }
    let files = FileManager.default, ignore = FolderPath.join(folder, Self.ignore)
    // Folders of pictures are left empty where all are fine.
    if let left = try? files.subpathsOfDirectory(atPath: folder), left.allSatisfy({ $0 == Self.ignore || $0 == pictures }) {
      try? files.removeItem(atPath: folder)
    } else if files.fileExists(atPath: folder), !files.fileExists(atPath: ignore) {
      // Results are what counts; without this file they are only offered to Git.
      try? TextFile.write("*\n", to: ignore)
    }
  }

  private static let ignore = ".gitignore"

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

/// Writes texts as whole files.
package enum TextFile {
  /// Replaces the file; its folder is made where it is missing.
  package static func write(_ text: String, to path: String) throws(RenderError) {
    try makeFolder(of: path)
    let file = try AtomicFile(path, replacing: .anything)
    try file.write(Array(text.utf8))
    try file.commit()
  }

  /// Refuses to write over a file that is not of the kind that is written, as its first and last bytes show.
  ///
  /// What is no file, such as a pipe, holds nothing that could be lost.
  ///
  /// - Parameters:
  ///   - start: what files of the kind start with.
  ///   - signs: what no other files of that language have.
  package static func refuseForeign(_ path: String, startingWith start: String, signs: [String]) throws(RenderError) {
    guard let file = try? RandomAccessFile(path), file.size > 0 else { return }
    let count = min(file.size, lookedAt)
    guard let first = file.bytes(at: 0, count: count), let last = file.bytes(at: file.size - count, count: count) else { return }
    let isOwn = first.starts(with: start.utf8) && signs.allSatisfy { holds(first, $0) || holds(last, $0) }
    guard !isOwn else { return }
    throw RenderError(.cannotWrite, "cannot write '\(path)': another file is there", help: ["name a new file, or remove that one"])
  }

  /// The same for JSON, which cases and graphs are as well.
  package static func refuseForeign(_ path: String, keys: [String]) throws(RenderError) {
    try refuseForeign(path, startingWith: "{", signs: keys.map { "\"\($0)\"" })
  }

  /// How many bytes of both ends of a file are looked at.
  private static let lookedAt = 4096

  private static func holds(_ bytes: [UInt8], _ sign: String) -> Bool { Data(bytes).range(of: Data(sign.utf8)) != nil }

  /// Makes the folder that a file is to lie in.
  package static func makeFolder(of path: String) throws(RenderError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make the folder '\(folder)'", underlying: error.localizedDescription)
    }
  }
}
