import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonTypes

/// `etalon check`: everything that can be said about filters without rendering them.
struct CheckCommand: ParsableCommand {
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

  @Flag(help: "Leave out the notes on what other players do differently.")
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
      var summary = CheckSummary(targets.diagnostics, notes: noNotes ? [] : targets.notes, report)
      let check = FilterCheck(timeout: limit, notes: !noNotes, dialect: try dialect.name())
      let graphs = targets.paths.filter(GraphDocument.isGraph)
      check.check(targets.paths.filter { !graphs.contains($0) }) { summary.add($0) }
      for path in graphs { summary.add(GraphCheck.check(path) { try request(path, folders: targets.folders) }, isGraph: true) }
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
