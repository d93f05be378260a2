import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonInspection
import EtalonTypes

/// `etalon check`: everything that can be said about filters without rendering them.
struct FilterCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reads and compiles filters and graphs without rendering, and tells what is wrong and what their pictures rely on.",
    discussion: """
      etalon check plasma.glsl
      etalon check gaussian-blur ./Filters --warnings-as-errors
      etalon check graph.yaml
      """)

  @Argument(
    help: ArgumentHelp(
      "Files, graph documents, filters by name, folders of filters, and .jsonl files with an export on every line.", valueName: "filter"))
  var filters: [String]

  @OptionGroup var libraries: LibraryOptions
  @OptionGroup var dialect: DialectOption

  @Flag(help: "Leave out all notes, those on what other players do differently too.")
  var noNotes = false

  @Option(parsing: .unconditional, help: ArgumentHelp("The longest that compiling one filter may take, in seconds.", valueName: "seconds"))
  var timeout: String?

  @Option(help: ArgumentHelp("How findings are printed: text or json.", valueName: "form"))
  var diagnostics: DiagnosticsFormat = .text

  @Flag(help: "Let warnings fail the command with code 65.")
  var warningsAsErrors = false

  func run() throws {
    let report = FailureReport(format: diagnostics)
    let code: EtalonDiagnostics.ExitCode
    do {
      let limit = try timeLimit()
      let library = try libraries.open()
      let targets = CheckTargets(filters, in: library)
      let wrong = targets.diagnostics.filter { !noNotes || $0.severity != .note }
      var summary = CheckSummary(wrong, notes: noNotes ? [] : targets.notes, report)
      let check = FilterCheck(timeout: limit, notes: !noNotes, dialect: try dialect.name())
      let graphs = targets.paths.filter(GraphDocument.isGraph)
      check.check(targets.paths.filter { !graphs.contains($0) }) { summary.add($0) }
      for path in graphs {
        summary.add(GraphCheck.check(path, notes: !noNotes) { try request(path, folders: targets.folders) }, isGraph: true)
      }
      summary.finish()
      code = summary.exitCode(warningsAreErrors: warningsAsErrors)
    } catch {
      code = report.exitCode(for: error)
    }
    if code != .success { throw ArgumentParser.ExitCode(code.rawValue) }
  }

  /// What `render` makes of a graph document.
  ///
  /// - Parameter folders: the libraries that are checked, whose documents apply each other's filters.
  private func request(_ path: String, folders: [String]) throws -> RenderRequest {
    let document = try GraphDocument.draft(path)
    var command = try RenderCommand.parse([path])
    command.libraries = libraries
    command.libraries.library += folders
    command.running.timeout = timeout
    do {
      var request = try RenderRequestParser(command: command, document: document).request()
      request.fillsOpenInputs = true
      return request
    } catch let error as UsageError {
      throw DiagnosticsError(error.diagnostics)
    }
  }

  private func timeLimit() throws -> Duration? {
    do throws(DiagnosticsError) {
      return try timeout.map { text throws(DiagnosticsError) in
        .seconds(try OptionText("--timeout", text).seconds(above: .zero).double)
      }
    } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
  }
}

/// Prints what checks find, and counts it.
private struct CheckSummary {
  private let report: FailureReport
  private var counts: [Diagnostic.Severity?: Int] = [:]
  private var notes = 0
  private var graphs = 0
  /// What is wrong with libraries themselves, or with names that no filter has.
  private let others: Int
  private var failures: [RenderError] = []
  private var worst: Diagnostic.Severity?
  /// JSON is one document, so its diagnostics wait for the end.
  private var waiting: [Diagnostic] = []

  /// Starts with what is wrong with the libraries themselves, and with what is passed over in them.
  init(_ diagnostics: [Diagnostic], notes: [Diagnostic], _ report: FailureReport) {
    self.report = report
    others = diagnostics.count
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
    let further = [(notes, "note"), (others, "other problem")].filter { $0.0 > 0 }.map { "; " + $0.0.of($0.1) }
    let details = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
    let filters = total - graphs
    let what = [
      filters > 0 || graphs == 0 ? filters.of("filter") : nil, graphs > 0 ? graphs.of("graph") : nil,
    ].compactMap(\.self)
    StandardOutput.write("checked \(what.joined(separator: " and "))\(details)\(further.joined())\n")
  }

  /// The code of the command: a filter that is wrong weighs more than a file that cannot be read.
  func exitCode(warningsAreErrors: Bool) -> EtalonDiagnostics.ExitCode {
    if let failure = failures.first { return failures.count == counts[.error] ? EtalonDiagnostics.ExitCode(failure.code) : .invalidInput }
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
