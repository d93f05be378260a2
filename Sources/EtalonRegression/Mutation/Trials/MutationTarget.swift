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
    let subject = try subject(of: testCase)
    let own = ownFiles(of: subject)
    let reference = WorkerMessage.Reference(testCase)
    for path in Set(try renderer.files(of: testCase).map(Self.file)).sorted() where isWithin(path) {
      if own.contains(path) || path.hasPrefix(subject + "/") {
        entries[path, default: Entry()].own.append(reference)
        if !entries[path, default: Entry()].subjects.contains(subject) { entries[path, default: Entry()].subjects.append(subject) }
      } else {
        entries[path, default: Entry()].others.append(reference)
      }
    }
  }

  /// The path of the filter or graph that a case is about.
  private func subject(of testCase: TestCase) throws -> String {
    switch testCase.subject {
    case .node(let node): NamedFiles.plain(try library.path(of: node.filter.text))
    case .document(let word, _, _): NamedFiles.plain(word.text)
    case .plain(let path): NamedFiles.plain(path)
    }
  }

  private func ownFiles(of subject: String) -> Set<String> {
    if GraphDocument.isGraph(subject) { return [subject] }
    return Set([subject] + ((try? FilterFile.read(subject).files) ?? []).map(Self.file))
  }

  /// The file that a text lies in: `export.json` of `export.json#image`.
  private static func file(_ path: String) -> String {
    let plain = NamedFiles.plain(path)
    guard let mark = plain.lastIndex(of: "#"), !FileManager.default.fileExists(atPath: plain) else { return plain }
    return String(plain[..<mark])
  }

  private func isWithin(_ path: String) -> Bool {
    roots.contains { $0.isEmpty ? !path.hasPrefix("/") && !path.hasPrefix("..") : path.hasPrefix($0 + "/") }
  }
}
