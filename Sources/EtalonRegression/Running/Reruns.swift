internal import Etalon
internal import EtalonTypes

/// Tries what failed again in processes of its own, to tell failures from flakes.
///
/// What fails only after others is order-dependent; of these one is looked for that is enough.
package struct Reruns: Sendable {
  /// How often a failure is tried again where nobody says it.
  package static let usualCount = 3
  /// A case that takes too long does so at the cost of the whole limit.
  private static let countAfterTimeout = 1

  private let count: Int
  private let run: @Sendable (_ cases: [TestCase], _ file: String, _ explains: Bool) -> [CaseResult]

  /// - Parameter run: runs cases in one new process, whose files have a name of their own.
  init(count: Int, run: @escaping @Sendable (_ cases: [TestCase], _ file: String, _ explains: Bool) -> [CaseResult]) {
    (self.count, self.run) = (count, run)
  }

  /// The result with what the other runs say about it; unchanged when they were interrupted.
  ///
  /// - Parameter first: a failure, or the success of a case that is said to be flaky.
  func classified(_ first: CaseResult, _ testCase: TestCase, after earlier: [TestCase], _ file: String) -> CaseResult {
    var result = first
    result.attempts = [.init(kind: .first, first)]
    var runs = RepeatedRuns(first: first, others: [])
    let most = first.verdict == .timedOut ? min(count, Self.countAfterTimeout) : count
    while runs.others.count < most, !runs.saysEnough {
      guard let again = again(.alone, [testCase], &result, file) else { return first }
      runs = RepeatedRuns(first: first, others: runs.others + [again])
    }
    if runs.failsOnlyAfterOthers, !earlier.isEmpty, let culprits = culprits(testCase, earlier, like: first, &result, file) {
      return orderDependent(result, testCase, after: culprits, of: earlier)
    }
    let attempts = result.attempts
    result = runs.result
    result.attempts = attempts
    return result
  }

  private func again(_ kind: CaseResult.Attempt.Kind, _ cases: [TestCase], _ result: inout CaseResult, _ file: String) -> CaseResult? {
    // What failed is compared by what was seen; the verdict of what passed may hang on what the specification allows.
    let answers = run(cases, "\(file)-\(result.attempts.count)", !result.verdict.isFailure)
    guard let again = answers.first(where: { $0.id == result.id }) else { return nil }
    result.attempts.append(.init(kind: kind, again))
    return again
  }

  // MARK: order

  /// The fewest of the cases before it that make it fail each time, as halving them finds; nil when all of them do not.
  private func culprits(
    _ testCase: TestCase, _ earlier: [TestCase], like first: CaseResult, _ result: inout CaseResult, _ file: String
  ) -> [TestCase]? {
    for _ in 0..<count {
      guard again(.batch, earlier + [testCase], &result, file)?.wentLike(first) ?? false else { return nil }
    }
    var left = earlier
    while left.count > 1 {
      let halves = [Array(left[..<(left.count / 2)]), Array(left[(left.count / 2)...])]
      guard let half = halves.first(where: { again(.batch, $0 + [testCase], &result, file)?.wentLike(first) ?? false }) else { break }
      left = half
    }
    return left
  }

  private func orderDependent(_ result: CaseResult, _ testCase: TestCase, after culprits: [TestCase], of earlier: [TestCase]) -> CaseResult
  {
    var result = result
    result.verdict = .orderDependent
    result.withdrawCandidates()
    let words = culprits.count == 1 ? "'\(culprits[0].id)'" : culprits.count.of("other")
    result.reason = "fails only after \(words) in the same process: \(result.reason)"
    let cases = culprits.map(\.id) + [testCase.id]
    result.reproduce = "etalon test \(cases.map { ShellWord.quoted($0) }.joined(separator: " ")) --jobs 1"
    return result
  }
}

extension CaseResult.Attempt {
  fileprivate init(kind: Kind, _ result: CaseResult) {
    self.init(kind: kind, verdict: result.verdict, reason: result.reason.isEmpty ? nil : result.reason)
  }
}
