import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonRegression
import EtalonTypes

/// `etalon approve`: makes pictures of a run the references of their cases.
struct ApproveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Makes pictures of a run of 'etalon test' the references of their cases.",
    discussion: """
      etalon approve etalon-test/results.json
      etalon approve out/results.json Filters/glow/tests/basics.yaml:soft

      Nothing is copied when the shader, the values, the inputs or the size of a case changed since the run.
      """)

  @Argument(help: ArgumentHelp("The results that 'etalon test' wrote.", valueName: "results.json"))
  var results: String

  @Argument(help: ArgumentHelp("Cases, or parts of their names. Default: all that have something to approve.", valueName: "case"))
  var cases: [String] = []

  @OptionGroup var libraries: LibraryOptions

  func run() throws {
    let failures = FailureReport(format: .text)
    do { try approve() } catch { throw ArgumentParser.ExitCode(failures.exitCode(for: error).rawValue) }
  }

  private func approve() throws {
    let found = try TestResults(contentsOf: results)
    let library = try libraries.open(with: found.paths)
    let copies = try Approval(found, place: ResultsPlace(json: results), library: library).approve(cases)
    for copy in copies {
      StandardOutput.write("\(copy.target.onOneLine)\n" + copy.changes.map { "  \($0.onOneLine)\n" }.joined())
    }
    StandardOutput.write(summary(copies.count(where: \.isWritten), of: copies.count) + "\n")
  }

  /// `2 references written; 7 hold the same pixels already`.
  private func summary(_ written: Int, of count: Int) -> String {
    let rest = count - written
    let holds = "\(rest == 1 ? "holds" : "hold") the same pixels already"
    if written == 0 { return "nothing written: \(rest.of("reference")) \(holds)" }
    return "\(written.of("reference")) written" + (rest > 0 ? "; \(rest) \(holds)" : "")
  }
}
