internal import EtalonTypes

/// Compares what came out with what somebody said would.
struct ExpectationCheck: Sendable {
  let device: TestDevice
  /// As `2026-05-01`.
  let today: String

  /// Whether other runs have to say what a result means: of a failure that nobody expected, and of all that is said to be flaky.
  func isOpen(_ result: CaseResult, _ testCase: TestCase) -> Bool {
    if expectsFlakes(testCase) { return result.verdict.isWorthAnotherTry || result.verdict.isSuccess }
    return result.verdict.isWorthAnotherTry && valid(testCase)?.verdict != result.verdict
  }

  /// Whether a case is said to be flaky here and today.
  func expectsFlakes(_ testCase: TestCase) -> Bool { valid(testCase)?.verdict == .flaky }

  /// What is said about a case, where that still counts and is about this device.
  func valid(_ testCase: TestCase) -> Expectation? {
    testCase.expectation.flatMap { $0.isValid(on: today) && $0.condition.holds(on: device) ? $0 : nil }
  }

  func settled(_ result: CaseResult, _ testCase: TestCase) -> CaseResult {
    guard let expectation = testCase.expectation, expectation.condition.holds(on: device), testCase.condition.holds(on: device) else {
      return result
    }
    var result = result
    guard expectation.isValid(on: today) else {
      result.notes.append("'expect: \(expectation.verdict.rawValue)' expired on \(expectation.expires ?? ""): \(expectation.link)")
      return result
    }
    result.expectation = "\(expectation.verdict.rawValue): \(expectation.reason) (\(expectation.link))"
    if expectation.verdict == .flaky { settleFlaky(&result, expectation) } else { settle(&result, expectation) }
    return result
  }

  private func settle(_ result: inout CaseResult, _ expectation: Expectation) {
    if result.verdict == expectation.verdict, result.verdict.isFailure {
      setExpected(&result, expectation)
    } else if result.verdict.isSuccess {
      result.verdict = .unexpectedPass
      result.reason = "it passed, and was expected to be \(expectation.words); remove 'expect' if that is settled"
    } else if result.verdict.isFailure {
      result.notes.append("it was expected to be \(expectation.words), which does not cover '\(result.verdict.rawValue)'")
    }
  }

  /// A case that is said to be flaky has to fail sometimes, and not always.
  private func settleFlaky(_ result: inout CaseResult, _ expectation: Expectation) {
    let runs = result.attempts.count
    switch result.verdict {
    case .flaky: setExpected(&result, expectation)
    case .timedOut where result.attempts.contains(where: \.verdict.isSuccess): setExpected(&result, expectation)
    case let verdict where verdict.isSuccess && runs > 1:
      // A failure would come and go by chance, as the case itself does.
      result.verdict = .warning
      result.reason =
        "it was expected to be \(expectation.words), and passed in \(runs) of \(runs.of("run")); remove 'expect' if that is settled"
    case let verdict where verdict.isWorthAnotherTry && runs > 1:
      result.reason = "it was expected to be \(expectation.words), and failed in \(runs) of \(runs.of("run")): \(result.reason)"
    case let verdict where verdict.isWorthAnotherTry: setExpected(&result, expectation)
    case let verdict where verdict.isFailure:
      result.notes.append("it was expected to be \(expectation.words), which does not cover '\(verdict.rawValue)'")
    default: break
    }
  }

  private func setExpected(_ result: inout CaseResult, _ expectation: Expectation) {
    result.reason = "\(result.verdict.rawValue), as expected: \(expectation.reason) (\(expectation.link))"
    result.verdict = .expectedFailure
  }
}
