internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import Foundation

/// A file that is changed, with the cases that could notice.
struct MutationTarget: Sendable, Hashable, Codable {
  let path: String
  /// Everything that reads the file, what is about its filter first.
  let cases: [WorkerMessage.Reference]
  /// Those about its filter, which is looked at from all sides when no case notices.
  let own: [WorkerMessage.Reference]
  /// The filters and graphs that the file is a part of.
  let subjects: [String]

  /// Whether it is a part of a ShaderToy project.
  var isProject: Bool { subjects.contains { CaseFiles.isFolder($0) || $0.hasSuffix(".json") } }
}

/// Finds the files that make up what some cases are about.
struct MutationTargets {
  private struct Entry {
    var own: [WorkerMessage.Reference] = []
    var others: [WorkerMessage.Reference] = []
    var subjects: [String] = []
  }

  private let renderer: CaseRenderer
  private let library: FilterLibrary
  private let roots: [String]
  private var entries: [String: Entry] = [:]

  private static let largestFile = 1 << 22

  /// - Parameter roots: the folders whose files may be changed.
  init(_ cases: [TestCase], library: FilterLibrary, roots: [String]) throws {
    renderer = CaseRenderer(device: "cpu", library: library)
    self.library = library
    self.roots = roots.map(NamedFiles.plain)
    for testCase in cases { try add(testCase) }
  }

  /// In the order of their paths.
  var all: [MutationTarget] {
    entries.sorted { $0.key < $1.key }.map { path, entry in
      MutationTarget(path: path, cases: entry.own + entry.others, own: entry.own, subjects: entry.subjects)
    }
  }

  /// The changes that a file offers.
  static func changes(_ target: MutationTarget) throws(RenderError) -> FileChanges {
    FileChanges(
      SourceText(path: target.path, bytes: try FileReader.bytes(of: target.path, limit: largestFile)), isProject: target.isProject)
  }

  private mutating func add(_ testCase: TestCase) throws {
    let subject = try testCase.subjectPath(in: library)
    let own = SubjectFiles.own(of: subject)
    let reference = WorkerMessage.Reference(testCase)
    for path in Set(
      try renderer.files(of: testCase)
        .map(SubjectFiles.file)
    ).sorted() where isWithin(path) {
      if own.contains(path) || path.hasPrefix(subject + "/") {
        entries[path, default: Entry()].own.append(reference)
        if !entries[path, default: Entry()].subjects.contains(subject) { entries[path, default: Entry()].subjects.append(subject) }
      } else {
        entries[path, default: Entry()].others.append(reference)
      }
    }
  }

  private func isWithin(_ path: String) -> Bool {
    roots.contains { $0.isEmpty ? !path.hasPrefix("/") && !path.hasPrefix("..") : path.hasPrefix($0 + "/") }
  }
}
