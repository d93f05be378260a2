internal import EtalonDiagnostics

/// Which of the cases that were found are run.
package struct CaseFilter: Sendable, Hashable {
  /// Only those whose names contain it, or end like it where it has a `*`; nil for all.
  package var pattern: String?
  /// Only every `count`th, from the `index`th on.
  package var shard: TestResults.Shard?

  package init(pattern: String? = nil, shard: TestResults.Shard? = nil) { (self.pattern, self.shard) = (pattern, shard) }

  /// The cases that are left.
  package func cases(of all: [TestCase]) -> [TestCase] {
    let matching = pattern.map { pattern in all.filter { NamePattern(pattern).matchesPart($0.id) } } ?? all
    guard let shard else { return matching }
    return matching.enumerated().filter { $0.offset % shard.count == shard.index - 1 }.map(\.element)
  }
}
