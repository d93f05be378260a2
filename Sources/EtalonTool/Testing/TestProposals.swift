import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTypes

/// What `etalon test --propose` does: a tolerance for each case, in this process, without writing anything.
struct TestProposals {
  private let command: TestCommand

  /// Refuses the options of runs.
  init(_ command: TestCommand) throws(UsageError) {
    self.command = command
    let others: [(String, Bool)] = [
      ("--record", command.record != "never"), ("--json", command.json != nil), ("--previous", command.previous != nil),
      ("--junit", command.junit != nil), ("--report", command.report != nil), ("--github", command.github), ("--merge", command.merge),
      ("--jobs", command.running.jobs != nil), ("--shard", command.running.shard != nil),
      ("--warnings-as-errors", command.warningsAsErrors),
    ]
    guard let option = others.first(where: \.1)?.0 else { return }
    let help = option == "--json" ? "type '--json-lines -' for proposals as JSON" : "keep one of them"
    throw UsageError("usage.conflict", "'--propose' runs no test, so '\(option)' means nothing", help: help)
  }

  /// Prints the proposals; ends with 1 where no tolerance makes sense for a case.
  func print(_ failures: FailureReport) throws -> Int32 {
    let library = try command.libraries.open(with: command.paths)
    let selection = TestSelection(command.paths, in: library)
    failures.print(selection.diagnostics)
    let cases = CaseFilter(pattern: command.only, shard: nil).cases(of: selection.cases)
    guard !cases.isEmpty || !selection.diagnostics.isEmpty else {
      throw RenderError(
        .missingInput, "there is no case to propose for", help: command.only.map { ["no case matches '--only \($0)'"] } ?? [])
    }
    let timeout: Double
    do throws(DiagnosticsError) { timeout = try OptionText("--timeout", command.running.timeout).seconds(above: .zero).double } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
    let proposer = try CaseProposer(device: command.running.device, library: library, timeout: timeout)
    let interruption = Interruption.shared
    var worst = selection.diagnostics.contains { $0.severity == .error } ? EtalonDiagnostics.ExitCode.invalidInput : .success
    let file = command.jsonLines
    var json = ""
    if let file, file != "-" { try TextFile.refuseForeign(file, keys: ["id", "findings"]) }
    for (index, testCase) in cases.enumerated() where !interruption.isRequested {
      do {
        let found = try proposer.propose(testCase)
        json += JSONText.text(found)
        let lines = found.lines.map { $0.hasPrefix("#") ? $0.onOneLine : $0 }
        StandardOutput.write(file == "-" ? JSONText.text(found) : (index > 0 ? "\n" : "") + lines.map { $0 + "\n" }.joined())
        if found.proposal?.refusal != nil, worst == .success { worst = .picturesDiffer }
      } catch {
        let code = failures.exitCode(for: error)
        if worst == .success || worst == .picturesDiffer { worst = code }
      }
    }
    if let file, file != "-" { try TextFile.write(json, to: file) }
    if let signal = interruption.signalNumber { return 128 + signal }
    return worst.rawValue
  }
}
