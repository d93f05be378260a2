internal import Etalon
internal import EtalonTypes

/// Tries what failed again in processes of its own, to tell failures from flakes.
///
/// What fails only after others is order-dependent; of these one is looked for that is enough.
package struct Reruns: Sendable {
  /// How often a failure is tried again by default.
  package static let usualCount = 3
  /// The same for a case that took too long: each attempt may take the whole limit.
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
    // Failures are compared by what their frames showed; whether a case passes may depend on what the specification allows.
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

/// The verdict that follows from several runs of one case; it depends on nothing else.
///
/// A case that fails in the same way each time is a failure; one that fails only sometimes, or in several ways, is flaky. A run that took too long
/// does not count for that, because machines are slow by chance.
struct RepeatedRuns {
  /// A failure, or the success of a case that is said to be flaky.
  let first: CaseResult
  /// Those in processes of their own.
  let others: [CaseResult]

  /// Whether further runs are not needed: one run that differs is enough, and one that takes too long costs the whole limit.
  ///
  /// Successes after a failure are tried to the end, because the order may be to blame.
  var saysEnough: Bool {
    guard let last = others.last, last.verdict != .timedOut else { return !others.isEmpty }
    return !last.wentLike(others[0]) || last.verdict.isFailure && !last.wentLike(first)
  }

  /// Whether it failed, and never does so by itself.
  var failsOnlyAfterOthers: Bool {
    first.verdict.isFailure && first.verdict != .timedOut && !others.isEmpty && others.allSatisfy { !$0.verdict.isFailure }
  }

  /// The result with the verdict that follows from all runs.
  var result: CaseResult {
    let inTime = others.filter { $0.verdict != .timedOut }
    if first.verdict == .timedOut { return timedOut(inTime.first) }
    let isAlwaysTheSame = inTime.allSatisfy { $0.wentLike(first) }
    guard isAlwaysTheSame else { return flaky(inTime) }
    guard inTime.count < others.count, let late = others.first(where: { $0.verdict == .timedOut }) else { return first }
    guard first.verdict.isFailure else { return RepeatedRuns(first: late, others: [first]).result }
    var result = first
    result.reason += (result.reason.isEmpty ? "" : "; ") + "timed out when it was run again: \(late.reason)"
    return result
  }

  private func timedOut(_ other: CaseResult?) -> CaseResult {
    guard let other else { return first }
    var result = first
    let rest = other.reason.isEmpty ? "" : ": \(other.reason)"
    result.reason += "; '\(other.verdict.rawValue)' when it was run again, in \(secondsText(other.seconds)) s\(rest)"
    return result
  }

  private func flaky(_ others: [CaseResult]) -> CaseResult {
    var result = first.verdict.isFailure ? first : others.first { $0.verdict.isFailure } ?? first
    let reason = result.reason
    result.verdict = .flaky
    result.reason = "fails sometimes: \(reason)"
    if first.verdict.isFailure, others.allSatisfy(\.verdict.isFailure), let other = others.first(where: { !$0.wentLike(first) }) {
      result.reason = "fails in several ways: \(first.verdict.rawValue): \(first.reason); \(other.verdict.rawValue): \(other.reason)"
    }
    result.withdrawCandidates()
    return result
  }
}

extension CaseResult {
  /// Whether another run of the same case came to the same end, as far as that is not a matter of chance in itself.
  fileprivate func wentLike(_ other: CaseResult) -> Bool {
    guard verdict.isFailure || other.verdict.isFailure else { return true }
    guard verdict == other.verdict else { return false }
    // Pictures that differ in another way are other pictures.
    return verdict != .failed || frames.map(\.seen) == other.frames.map(\.seen)
  }
}

extension FrameResult {
  /// What the frame showed, whatever its verdict is.
  fileprivate var seen: String { "\(check) \(moment): \(comparison?.words ?? reason)" }
}
