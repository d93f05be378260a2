/// Failures and warnings in the form that GitHub Actions shows beside the lines of a file.
package struct GitHubAnnotations {
  private let results: TestResults
  private let project: ProjectPath

  package init(_ results: TestResults, project: ProjectPath = ProjectPath()) { (self.results, self.project) = (results, project) }

  package var text: String {
    let nothing = results.comparesNothing ? "::error title=nothing compared::all cases are compared with the device that they ran on\n" : ""
    return nothing
      + results.cases.compactMap { result -> String? in
        guard result.verdict.isFailure || result.verdict == .warning || result.isFlakyAsExpected else { return nil }
        let level = result.verdict.isFailure ? "error" : result.verdict == .warning ? "warning" : "notice"
        let title = "\(result.verdict.rawValue): " + [result.subject, result.name].filter { !$0.isEmpty }.joined(separator: " ")
        let runs = result.attempts.isEmpty ? "" : "runs: \(result.attemptWords)"
        let lines = [result.reason, runs, result.reproduce, result.approve].filter { !$0.isEmpty }
        return "::\(level) \(place(of: result))title=\(property(title))::\(message(lines.joined(separator: "\n")))\n"
      }.joined()
  }

  /// GitHub shows what it finds in the files of a change, whose names begin at the root of the project; empty where no file is known.
  private func place(of result: CaseResult) -> String {
    guard !result.path.isEmpty else { return "" }
    return "file=\(property(project.text(result.path)))," + (result.line.map { "line=\($0)," } ?? "")
  }

  private func message(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private func property(_ text: String) -> String { message(text).replacing(":", with: "%3A").replacing(",", with: "%2C") }
}
