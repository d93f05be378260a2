package import Etalon
internal import EtalonMedia
internal import EtalonTypes

/// What a run was asked to test, before it was split into shards: shards of one run have the same.
package struct SelectedCases: Sendable, Hashable, Codable {
  /// As they were typed.
  package let paths: [String]
  /// What `--only` said; nil for nothing.
  package let only: String?
  /// How many cases there are in all shards.
  package let count: Int
  /// The hash of the names of the cases, in their order.
  package let hash: String
  /// The hash of the files of cases, of filters and of graphs; nil where nobody asked for it.
  package let content: String?

  package init(_ cases: [TestCase], paths: [String], only: String?, content: String? = nil) {
    self.init(paths: paths, only: only, count: cases.count, names: cases.map(\.id), content: content)
  }

  private init(paths: [String], only: String?, count: Int, names: [String], content: String?) {
    (self.paths, self.only, self.count, self.content) = (paths, only, count, content)
    hash = ContentHash(of: Array(names.joined(separator: "\n").utf8)).description
  }

  /// That of two runs together; shards of one run have the same.
  func joined(with other: SelectedCases) -> SelectedCases {
    guard self != other else { return self }
    let all = paths + other.paths.filter { !paths.contains($0) }
    return SelectedCases(
      paths: all, only: only == other.only ? only : nil, count: count + other.count, names: [hash, other.hash], content: nil)
  }

  /// What another run was asked that this one was not, in one line; nil where they are the same.
  func difference(to other: SelectedCases) -> String? {
    func words(_ selection: SelectedCases) -> String {
      "'\(selection.paths.joined(separator: " "))'" + (selection.only.map { " with '--only \($0)'" } ?? "")
    }
    if (paths, only) != (other.paths, other.only) { return "\(words(self)) and \(words(other))" }
    if count != other.count { return "\(count) and \(other.count.of("case"))" }
    if hash != other.hash { return "\(count.of("case")) each, but of other names" }
    return content == other.content ? nil : "files of cases or filters were changed between them"
  }

  /// A hash of the files of some cases and of the filters and graphs that they are about: it tells runs before a change from those after it.
  ///
  /// Files have their names without folders, so that copies of a repository have the same wherever they lie.
  package static func content(of cases: [TestCase], in library: FilterLibrary) -> String {
    let subjects = Set(cases.compactMap { try? $0.subjectPath(in: library) }).flatMap(SubjectFiles.own)
    let files = Set(cases.map { NamedFiles.plain($0.path) } + subjects).sorted()
    let lines = files.compactMap { path in
      (try? FileReader.bytes(of: path, limit: 1 << 24)).map { "\(FilterPath.fileName(of: path)) \(ContentHash(of: $0))" }
    }
    return ContentHash(of: Array(lines.sorted().joined(separator: "\n").utf8)).description
  }
}
