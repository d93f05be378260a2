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

  package init(_ cases: [TestCase], paths: [String], only: String?) {
    self.init(paths: paths, only: only, count: cases.count, names: cases.map(\.id))
  }

  private init(paths: [String], only: String?, count: Int, names: [String]) {
    (self.paths, self.only, self.count) = (paths, only, count)
    hash = ContentHash(of: Array(names.joined(separator: "\n").utf8)).description
  }

  /// That of two runs together; shards of one run have the same.
  func joined(with other: SelectedCases) -> SelectedCases {
    guard self != other else { return self }
    let all = paths + other.paths.filter { !paths.contains($0) }
    return SelectedCases(paths: all, only: only == other.only ? only : nil, count: count + other.count, names: [hash, other.hash])
  }

  /// What another run was asked that this one was not, in one line; nil where they are the same.
  func difference(to other: SelectedCases) -> String? {
    func words(_ selection: SelectedCases) -> String {
      "'\(selection.paths.joined(separator: " "))'" + (selection.only.map { " with '--only \($0)'" } ?? "")
    }
    if (paths, only) != (other.paths, other.only) { return "\(words(self)) and \(words(other))" }
    if count != other.count { return "\(count) and \(other.count) cases" }
    return hash == other.hash ? nil : "\(count) cases each, but of other names"
  }
}
