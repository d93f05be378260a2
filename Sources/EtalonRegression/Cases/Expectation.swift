internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// What is known to be wrong with a case, why, and where that is tracked.
package struct Expectation: Sendable, Hashable {
  /// The verdicts that can be expected: those of what is wrong with a shader or a device, not of what is missing or cannot be read.
  static let verdicts: [Verdict] = [
    .failed, .notDeterministic, .orderDependent, .crashed, .timedOut, .outOfMemory, .deviceLost, .flaky, .skipped,
  ]

  /// What becomes of it; a case that is expected to be skipped is not run.
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

/// Reads `expect`: a result with the reason and a link, because what nobody can look up is never cleaned up.
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
