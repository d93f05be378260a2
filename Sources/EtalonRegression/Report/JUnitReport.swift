internal import EtalonComparison
internal import EtalonDiagnostics

/// Results as JUnit XML, which build servers show; pictures are attached in the form that GitLab and Jenkins know.
package struct JUnitReport {
  private let results: TestResults
  private let folder: String

  /// - Parameter folder: the one that paths in the results start from.
  package init(_ results: TestResults, folder: String) { (self.results, self.folder) = (results, folder) }

  package var text: String {
    let failures = results.cases.count { $0.verdict.isFailure && !$0.verdict.isError }
    let groups = results.sharedDiagnostics.filter(\.isShared), told = groups.reduce(0) { $0 + $1.cases.count }
    let errors = results.cases.count { $0.verdict.isError } - told + groups.count
    let skipped =
      results.cases.count {
        $0.verdict == .skipped || $0.verdict == .notWorkedOut || $0.verdict == .expectedFailure && !$0.isFlakyAsExpected
      }
      + told
    let counts = "tests=\"\(results.cases.count + groups.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"etalon\" \(counts) time=\"\(results.seconds)\">"]
    lines.append(
      "  <testsuite name=\"\(results.device.device.escapedForMarkup)\" \(counts) time=\"\(results.seconds)\" timestamp=\"\(results.started)\">"
    )
    lines.append("    <properties>")
    let device = results.device
    let properties = [
      ("etalon", results.etalon), ("backend", device.backend), ("device", device.device), ("driver", device.driver),
      ("driverVersion", device.driverVersion),
    ]
    for (name, value) in properties { lines.append("      <property name=\"\(name)\" value=\"\(value.escapedForMarkup)\"/>") }
    lines.append("    </properties>")
    for group in groups { lines += self.lines(group) }
    let causes = Dictionary(groups.flatMap { group in group.cases.map { ($0.id, group) } }) { first, _ in first }
    for result in results.cases { lines += self.lines(result, causes[result.id]) }
    lines += ["  </testsuite>", "</testsuites>"]
    return lines.map { $0 + "\n" }.joined()
  }

  /// An error in a file that several cases share, as a case of its own: it is told once, and those are skipped.
  private func lines(_ group: SharedDiagnostics) -> [String] {
    let first = group.diagnostics[0], path = SubjectFiles.file(first.path)
    let name = "\(first.path):\(first.line): \(first.id)"
    let text = (group.cases[0].diagnostics + group.cases.map { "\($0.id)\n" }.joined()).escapedForMarkup
    return [
      "    <testcase classname=\"\(group.cases[0].subject.escapedForMarkup)\" name=\"\(name.escapedForMarkup)\" file=\"\(path.escapedForMarkup)\" line=\"\(first.line)\" time=\"0.0\">",
      "      <error type=\"\(Verdict.invalid.rawValue)\" message=\"\(group.text.escapedForMarkup)\">\(text)</error>", "    </testcase>",
    ]
  }

  /// - Parameter cause: what is told once for several cases that could not run.
  private func lines(_ result: CaseResult, _ cause: SharedDiagnostics?) -> [String] {
    let (subject, id, path) = (result.subject.escapedForMarkup, result.id.escapedForMarkup, result.path.escapedForMarkup)
    let head = "    <testcase classname=\"\(subject)\" name=\"\(id)\" file=\"\(path)\""
    var lines = [head + (result.line.map { " line=\"\($0)\"" } ?? "") + " time=\"\(result.seconds)\">", "      <properties>"]
    let facts = [
      ("verdict", result.verdict.rawValue), ("expectation", result.expectation), ("runs", result.attemptWords),
      ("changed since the reference", result.changes.joined(separator: "; ")),
    ]
    for (name, value) in facts where !value.isEmpty {
      lines.append("        <property name=\"\(name)\" value=\"\(value.escapedForMarkup)\"/>")
    }
    for frame in result.frames {
      for limit in frame.comparison?.limits ?? [] {
        let level = limit.fail ?? limit.warn
        let name = "\(frame.check) \(frame.moment) \(limit.key)"
        lines.append("        <property name=\"\(name.escapedForMarkup)\" value=\"\(limit.value)\(level.map { " of \($0)" } ?? "")\"/>")
      }
    }
    lines.append("      </properties>")
    lines +=
      cause.map { ["      <skipped message=\"could not run because of \($0.diagnostics[0].text.escapedForMarkup)\"/>"] } ?? outcome(result)
    let pictures = result.frames.flatMap { frame in frame.pictures.sorted { $0.key < $1.key }.map { FolderPath.join(folder, $0.value) } }
    let attachments = pictures.map { "[[ATTACHMENT|\($0.escapedForMarkup)]]" }
    let notes = result.notes.map(\.escapedForMarkup)
    if !attachments.isEmpty || !notes.isEmpty {
      lines.append("      <system-out>" + (notes + attachments).joined(separator: "\n") + "</system-out>")
    }
    lines.append("    </testcase>")
    return lines
  }

  private func outcome(_ result: CaseResult) -> [String] {
    let type = result.verdict.rawValue
    let text = (result.diagnostics + (result.reproduce.isEmpty ? "" : "\(result.reproduce)\n") + result.approve).escapedForMarkup
    switch result.verdict {
    case .passed, .warning: return []
    case .expectedFailure where result.isFlakyAsExpected: return runs(result.attempts[...], "flaky")
    case .skipped, .expectedFailure, .notWorkedOut: return ["      <skipped message=\"\(result.reason.escapedForMarkup)\"/>"]
    case let verdict:
      let tag = verdict.isError ? "error" : "failure"
      return ["      <\(tag) type=\"\(type)\" message=\"\(result.reason.escapedForMarkup)\">\(text)</\(tag)>"]
        + runs(result.attempts.dropFirst(), "rerun")
    }
  }

  /// The runs that failed, in the elements that Maven Surefire made and Jenkins knows: `rerunFailure` beside a failure, `flakyFailure` in what is none.
  private func runs(_ attempts: ArraySlice<CaseResult.Attempt>, _ kind: String) -> [String] {
    attempts.filter(\.verdict.isFailure).map { attempt in
      let tag = kind + (attempt.verdict.isError ? "Error" : "Failure")
      let reason = (attempt.reason ?? "").escapedForMarkup
      let head = "      <\(tag) type=\"\(attempt.verdict.rawValue)\" message=\"\(reason)\">"
      return head + "<stackTrace>\(attempt.kind.rawValue): \(reason)</stackTrace></\(tag)>"
    }
  }
}

extension Verdict {
  /// Whether nothing could be compared.
  fileprivate var isError: Bool {
    switch self {
    case .crashed, .timedOut, .outOfMemory, .deviceLost, .invalid: true
    case .passed, .warning, .notWorkedOut, .failed, .sizeMismatch, .missingReference, .notDeterministic, .flaky, .orderDependent, .skipped,
      .expectedFailure, .unexpectedPass:
      false
    }
  }
}
