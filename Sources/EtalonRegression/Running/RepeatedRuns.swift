/// What several runs of one case say together; hangs on nothing else.
///
/// What fails in the same way each time is a failure. What does not fail each time, or not in the same way, is a flake. A run that took too long
/// says nothing about that: machines are slow by chance.
struct RepeatedRuns {
  /// A failure, or the success of a case that is said to be flaky.
  let first: CaseResult
  /// Those in processes of their own.
  let others: [CaseResult]

  /// Whether more runs would say nothing new: what differs once says it already, and what takes too long does so at the cost of the whole limit.
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
  func wentLike(_ other: CaseResult) -> Bool {
    guard verdict.isFailure || other.verdict.isFailure else { return true }
    guard verdict == other.verdict else { return false }
    // Pictures that differ in another way are other pictures.
    return verdict != .failed || frames.map(\.seen) == other.frames.map(\.seen)
  }
}

extension FrameResult {
  /// What was seen, whatever anybody thinks of it.
  fileprivate var seen: String { "\(check) \(moment): \(comparison?.words ?? reason)" }
}
