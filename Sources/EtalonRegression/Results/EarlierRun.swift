internal import EtalonTypes

/// What came out of a run before this one: enough to show how things went over time.
package struct EarlierRun: Sendable, Hashable, Codable {
  /// When it began, as `2026-05-01T12:00:00Z`.
  package let started: String
  package let etalon: String
  package let caseCount: Int
  /// The verdicts of cases that failed, by their ids.
  package let failures: [String: Verdict]

  init(_ results: TestResults) {
    (started, etalon, caseCount) = (results.started, results.etalon, results.cases.count)
    let failed = results.cases.filter(\.verdict.isFailure)
    failures = Dictionary(failed.map { ($0.id, $0.verdict) }) { first, _ in first }
  }
}

extension TestResults {
  /// How many runs before this one are remembered.
  private static let mostEarlierRuns = 30

  /// Whether another run had the same task, so that its results can be compared with those of this one.
  package func isComparable(to other: TestResults) -> Bool {
    (paths, selected?.only, shards, device.device) == (other.paths, other.selected?.only, other.shards, other.device.device)
  }

  /// Remembers a run before this one, and those that it remembers.
  package mutating func follow(_ previous: TestResults) {
    earlier = ((previous.earlier ?? []) + [EarlierRun(previous)]).suffix(Self.mostEarlierRuns)
  }

  /// What changed since the last run, in one line; nil when nothing did, or there was none.
  package var changes: String? {
    guard let last = earlier?.last else { return nil }
    let failures = cases.filter(\.verdict.isFailure).map(\.id), run = Set(cases.map(\.id))
    let new = failures.count { last.failures[$0] == nil }
    let mended = last.failures.keys.count { run.contains($0) && !failures.contains($0) }
    let parts = [
      new > 0 ? "\(new.of("fails", "fail")) that did not" : nil,
      mended > 0 ? mended.of("no longer fails", "no longer fail") : nil,
    ]
    return parts.allSatisfy { $0 == nil } ? nil : "since the last run: \(parts.compactMap(\.self).joined(separator: ", "))"
  }
}
