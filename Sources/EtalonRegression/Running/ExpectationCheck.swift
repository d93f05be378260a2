/// Compares what came out with what somebody said would.
struct ExpectationCheck {
  let device: TestDevice
  /// As `2026-05-01`.
  let today: String

  func settled(_ result: CaseResult, _ testCase: TestCase) -> CaseResult {
    guard let expectation = testCase.expectation, expectation.condition.holds(on: device) else { return result }
    var result = result
    guard expectation.isValid(on: today) else {
      result.notes.append("'expect: \(expectation.result.rawValue)' expired on \(expectation.expires ?? ""): \(expectation.link)")
      return result
    }
    result.expectation = "\(expectation.result.rawValue): \(expectation.reason) (\(expectation.link))"
    switch (expectation.result, result.verdict) {
    case (.fail, .passed), (.fail, .warning):
      result.verdict = .unexpectedPass
      result.reason = "it was expected to fail: \(expectation.reason); remove 'expect' if that is settled (\(expectation.link))"
    case (.fail, let verdict) where verdict.isFailure && verdict != .invalid,
      (.flaky, let verdict) where verdict.isFailure && verdict != .invalid:
      result.reason = "\(verdict.rawValue), as expected: \(expectation.reason) (\(expectation.link))"
      result.verdict = .expectedFailure
    default: break
    }
    return result
  }
}
