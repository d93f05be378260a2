internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// What is known to be wrong with a case, why, and where that is tracked.
package struct Expectation: Sendable, Hashable {
  /// The verdicts that can be expected: those of what is wrong with a shader or a device, not of what is missing or cannot be read.
  static let verdicts: [Verdict] = [
    .failed, .notDeterministic, .orderDependent, .crashed, .timedOut, .outOfMemory, .deviceLost, .flaky, .skipped,
  ]

  /// The verdict that is expected; a case that is expected to be skipped is not run.
  package let verdict: Verdict
  package let reason: String
  package let link: String
  /// The last day, as `2026-03-01`, on which it counts; nil for never.
  package let expires: String?
  package let condition: DeviceCondition

  /// `'timed-out' (loops for ever, https://example.org/12)`.
  var words: String { "'\(verdict.rawValue)' (\(reason), \(link))" }

  /// Whether it counts on a day of UTC.
  package func isValid(on day: String) -> Bool { expires.map { day <= $0 } ?? true }
}

/// Reads `expect`: a result with the reason and a link, because an expectation without them is never cleaned up.
struct ExpectationReader {
  private(set) var diagnostics: [Diagnostic] = []

  mutating func read(_ node: LocatedNode) -> Expectation? {
    var members = DocumentMembers(
      node, of: "'expect'", example: "expect: { result: failed, reason: 'rounds differently', link: 'https://…' }")
    members.require("result", help: "write a verdict as it is printed: 'result: failed', 'result: flaky', 'result: skipped'")
    members.require("reason", help: "write 'reason: …' so that others know when it can go")
    members.require("link", help: "write 'link: …' to where it is tracked")
    let result = members.choice("result", of: Expectation.verdicts.map(\.rawValue))
    let (reason, link, expires) = (members.word("reason"), members.word("link"), members.word("expires"))
    var conditions = DeviceConditionReader()
    let condition = members.value("when").map { conditions.read($0) } ?? .always
    members.refuseOthers()
    if let link, !link.text.contains("://") {
      members.report(
        "case.link", "expected an address, found '\(link.text)'", at: link.place, "no address",
        help: ["write 'link: https://…' to where it is tracked"])
    }
    if let expires, !Self.isDay(expires.text) {
      members.report(
        "case.expires", "expected a day, found '\(expires.text)'", at: expires.place, "no day", help: ["write 'expires: 2027-03-01'"])
    }
    diagnostics += members.diagnostics + conditions.diagnostics
    guard let result = result.flatMap({ Verdict(rawValue: $0.text) }), let reason, let link else { return nil }
    return Expectation(verdict: result, reason: reason.text, link: link.text, expires: expires?.text, condition: condition)
  }

  private static func isDay(_ text: String) -> Bool {
    let isShaped =
      text.utf8.count == 10 && text.utf8.enumerated().allSatisfy { $0 == 4 || $0 == 7 ? $1 == 0x2D : (0x30...0x39).contains($1) }
    return isShaped && CalendarDate(text) != nil
  }
}

/// Compares results with what their cases expect.
struct ExpectationCheck: Sendable {
  let device: TestDevice
  /// As `2026-05-01`.
  let today: String

  /// Whether other runs have to say what a result means: of a failure that was not expected, and of every case that is said to be flaky.
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
