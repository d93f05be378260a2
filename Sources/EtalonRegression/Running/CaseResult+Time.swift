/// Seconds as they are typed: `20`, `24.6`.
func secondsText(_ seconds: Double) -> String {
  let rounded = (seconds * 1000).rounded() / 1000
  return rounded == rounded.rounded() && abs(rounded) < 1e9 ? "\(Int(rounded))" : "\(rounded)"
}

/// The rule of `--timeout`.
extension CaseResult {
  /// What took longer than the limit is timed out, whatever came out of it: on a slower machine nothing else would have come out.
  package func limited(to limit: Double?) -> CaseResult {
    guard let limit, seconds > limit, verdict != .timedOut, verdict != .skipped else { return self }
    var late = self
    late.withdrawCandidates()
    late.verdict = .timedOut
    let rest = reason.isEmpty ? "" : ": \(reason)"
    late.reason = "took \(secondsText(seconds)) s, and may take \(secondsText(limit)) s; what came too late is '\(verdict.rawValue)'\(rest)"
    late.notes.append(Self.moreTime)
    return late
  }

  /// What to type where a case needs more time.
  static let moreTime = "'--timeout SECONDS' allows a case more time"

  /// The result where judging had no end, so that nobody knows why it fails.
  func notJudged(_ why: String) -> CaseResult {
    var result = self
    result.leaveToPlainComparison(why)
    if result.verdict.isFailure { result.notes.append("\(Self.blamePrefix)not worked out: \(why)") }
    return result
  }
}
