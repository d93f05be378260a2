package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import Foundation

/// A filter to be surveyed: a file or folder, or one line of a file with an export on every line.
package struct SurveyTarget: Sendable, Hashable {
  /// One of many exports in a file.
  struct Line: Sendable, Hashable {
    let path: String
    let number: Int
    let bytes: Data

    /// The name of the file without its ending.
    var stem: String { URL(filePath: path).deletingPathExtension().lastPathComponent }
  }

  /// As people would name it.
  package let name: String
  let line: Line?

  init(path: String) {
    name = path
    line = nil
  }

  init(_ line: Line) {
    name = "\(line.path):\(line.number)"
    self.line = line
  }
}

/// Everything that a survey renders.
package struct SurveyTargets: Sendable {
  /// Each once, in the order of the words, by name within a folder.
  package private(set) var targets: [SurveyTarget] = []
  /// What is wrong with the folders, or with a word; none of it ends a survey.
  package let diagnostics: [Diagnostic]

  /// Files with an export on every line; no other kind of file holds several filters.
  private static let manyEnding = ".jsonl"

  /// Finds the filters of files, folders and names; those whose names contain the pattern, or match it where it has a `*`.
  package init(_ words: [String], in library: FilterLibrary, only pattern: String?) throws(RenderError) {
    let single = CheckTargets(words.filter { !$0.hasSuffix(Self.manyEnding) }, in: library)
    targets = single.paths.filter { !GraphDocument.isGraph($0) }.map { SurveyTarget(path: $0) }
    let graphs = single.paths.filter { path in GraphDocument.isGraph(path) && pattern.map { Self.matches(path, $0) } ?? true }
    diagnostics =
      single.diagnostics
      + graphs.map {
        Diagnostic(
          "survey.graph", "'\($0)' is a graph document, which is not surveyed", severity: .note,
          help: ["'etalon check' checks it, and 'etalon render --device' renders it on any device"])
      }
    for word in words {
      for path in Self.filesOfMany(word) { targets += try Self.lines(of: path) }
    }
    if let pattern { targets = targets.filter { Self.matches($0.name, pattern) } }
  }

  private static func filesOfMany(_ word: String) -> [String] {
    if word.hasSuffix(manyEnding) { return [word] }
    let folder = word.hasSuffix("/") ? word : word + "/"
    return FolderTree(word).files.filter { $0.hasSuffix(manyEnding) }.map { folder + $0 }
  }

  private static func lines(of path: String) throws(RenderError) -> [SurveyTarget] {
    let data = Data(try FileReader.bytes(of: path, limit: ExportLines.largestFile))
    return data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap { index, bytes in
      guard FilterFileType.isProject([UInt8](bytes)) else { return nil }
      return SurveyTarget(SurveyTarget.Line(path: path, number: index + 1, bytes: Data(bytes)))
    }
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    pattern.contains("*") ? unsafe fnmatch("*\(pattern)", name, 0) == 0 : name.contains(pattern)
  }
}
