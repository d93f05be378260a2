import Etalon
import EtalonDiagnostics
import EtalonTypes

/// Prints what checks find, and counts it.
struct CheckSummary {
  private let report: FailureReport
  private var counts: [Diagnostic.Severity?: Int] = [:]
  private var notes = 0
  private var graphs = 0
  /// What is wrong with libraries themselves, or with names that nobody has.
  private let problems: Int
  private var failures: [RenderError] = []
  private var worst: Diagnostic.Severity?
  /// JSON is one document, so its diagnostics wait for the end.
  private var waiting: [Diagnostic] = []

  /// Starts with what is wrong with the libraries themselves, and with what is passed over in them.
  init(_ diagnostics: [Diagnostic], notes: [Diagnostic], _ report: FailureReport) {
    self.report = report
    problems = diagnostics.count
    self.notes = notes.count
    show(diagnostics + notes)
    note(diagnostics.contains { $0.severity == .error } ? .error : diagnostics.isEmpty ? nil : .warning)
  }

  mutating func add(_ result: FilterCheck.Result, isGraph: Bool = false) {
    graphs += isGraph ? 1 : 0
    counts[result.severity, default: 0] += 1
    note(result.severity)
    notes += result.diagnostics.count { $0.severity == .note }
    if let failure = result.failure { failures.append(failure) }
    show(result.diagnostics, result.failure)
  }

  /// Prints what waited, and the summary.
  func finish() {
    if report.format == .json { StandardError.write(DiagnosticJSON().text(waiting)) }
    let total = counts.values.reduce(0, +)
    let parts = [(Diagnostic.Severity.error, "with errors"), (.warning, "with warnings"), (nil, "fine")].compactMap { severity, words in
      counts[severity].map { "\($0) \(words)" }
    }
    let further = [(notes, "note"), (problems, "other problem")].filter { $0.0 > 0 }.map { "; " + $0.0.of($0.1) }
    let details = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
    let filters = total - graphs
    let what = [
      filters > 0 || graphs == 0 ? filters.of("filter") : nil, graphs > 0 ? graphs.of("graph") : nil,
    ].compactMap(\.self)
    StandardOutput.write("checked \(what.joined(separator: " and "))\(details)\(further.joined())\n")
  }

  /// The code of the command: a filter that is wrong weighs more than a file that cannot be read.
  func exitCode(warningsAreErrors: Bool) -> ExitCode {
    if let failure = failures.first { return failures.count == counts[.error] ? ExitCode(failure.code) : .invalidInput }
    if worst == .error { return .invalidInput }
    return warningsAreErrors && worst == .warning ? .invalidInput : .success
  }

  private mutating func note(_ severity: Diagnostic.Severity?) {
    if severity == .error || worst == nil { worst = severity ?? worst }
  }

  private mutating func show(_ diagnostics: [Diagnostic], _ failure: RenderError? = nil) {
    switch report.format {
    case .json: waiting += diagnostics + (failure?.diagnostics ?? [])
    case .text:
      report.print(diagnostics)
      if let failure { _ = report.exitCode(for: failure) }
    }
  }
}
