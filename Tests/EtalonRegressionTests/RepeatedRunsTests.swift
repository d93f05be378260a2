import Testing

@testable import EtalonRegression

/// What several runs of a case say together, and what the limit of time makes of one.
@Suite struct RepeatedRunsTests {
  private static func run(_ verdict: Verdict, _ reason: String = "", seconds: Double = 1) -> CaseResult {
    var result = CaseResult(id: "a.yaml:one", name: "one", path: "a.yaml", line: 1, subject: "a")
    (result.verdict, result.reason, result.seconds) = (verdict, reason, seconds)
    if verdict == .failed {
      var frame = FrameResult(check: "reference", moment: "frame 0")
      (frame.verdict, frame.reason) = (.failed, reason)
      (frame.candidate, frame.target) = ("new.png", "old.png")
      result.frames = [frame]
    }
    return result
  }

  private static let late = run(.timedOut, "took 24.6 s, and may take 20 s; what came too late is 'failed': dark", seconds: 24.6)
  private static let dark = run(.failed, "dark", seconds: 19.5)
  private static let passed = run(.passed, seconds: 19.5)

  static let examples: [(first: CaseResult, others: [CaseResult], verdict: Verdict, reason: String)] = [
    (dark, [dark, dark, dark], .failed, "dark"),
    (dark, [passed], .flaky, "fails sometimes: dark"),
    (dark, [run(.failed, "light")], .flaky, "fails in several ways: failed: dark; failed: light"),
    (run(.passed), [dark], .flaky, "fails sometimes: dark"),
    // A slow machine makes nothing a flake.
    (dark, [late], .failed, "dark; timed out when it was run again: \(late.reason)"),
    (dark, [dark, late], .failed, "dark; timed out when it was run again: \(late.reason)"),
    (run(.crashed, "signal 11"), [late], .crashed, "signal 11; timed out when it was run again: \(late.reason)"),
    (late, [late], .timedOut, late.reason),
    (late, [dark], .timedOut, "\(late.reason); 'failed' when it was run again, in 19.5 s: dark"),
    (late, [passed], .timedOut, "\(late.reason); 'passed' when it was run again, in 19.5 s"),
    (run(.passed), [late], .timedOut, "\(late.reason); 'passed' when it was run again, in 1 s"),
    // It passes and fails within the limit, too.
    (dark, [passed, late], .flaky, "fails sometimes: dark"),
  ]

  @Test(arguments: examples)
  func theVerdictFollowsFromAllRuns(_ example: (first: CaseResult, others: [CaseResult], verdict: Verdict, reason: String)) {
    let result = RepeatedRuns(first: example.first, others: example.others).result
    #expect(result.verdict == example.verdict && result.reason == example.reason, "\(result.reason)")
    #expect(result.candidates.isEmpty == (example.verdict != .failed))
  }

  @Test func whatTakesTooLongIsNotTriedOnceMore() {
    #expect(RepeatedRuns(first: Self.dark, others: [Self.late]).saysEnough)
    #expect(!RepeatedRuns(first: Self.dark, others: [Self.dark]).saysEnough)
    #expect(!RepeatedRuns(first: Self.late, others: [Self.passed]).failsOnlyAfterOthers)
    #expect(RepeatedRuns(first: Self.dark, others: [Self.passed]).failsOnlyAfterOthers)
  }

  static let limits: [(seconds: Double, verdict: Verdict, limited: Verdict, reason: String)] = [
    (20, .failed, .failed, "dark"), (20.001, .failed, .timedOut, "took 20.001 s, and may take 20 s; what came too late is 'failed': dark"),
    (24.6, .passed, .timedOut, "took 24.6 s, and may take 20 s; what came too late is 'passed'"),
    (24.6, .crashed, .timedOut, "took 24.6 s, and may take 20 s; what came too late is 'crashed': dark"),
    (24.6, .timedOut, .timedOut, "dark"), (3600, .skipped, .skipped, "dark"),
  ]

  @Test(arguments: limits)
  func whatTakesLongerThanTheLimitIsTimedOut(_ example: (seconds: Double, verdict: Verdict, limited: Verdict, reason: String)) {
    let result = Self.run(example.verdict, example.verdict == .passed ? "" : "dark", seconds: example.seconds)
    let limited = result.limited(to: 20)
    #expect(limited.verdict == example.limited && limited.reason == example.reason)
    #expect(limited.notes.isEmpty == (example.verdict == example.limited))
    #expect(limited.candidates.isEmpty == (limited.verdict != .failed))
    #expect(result.limited(to: nil).verdict == example.verdict)
  }
}
