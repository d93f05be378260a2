import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonRegression

/// `etalon test-cases`: runs some cases and prints JSON when one begins and when it ends.
///
/// `etalon test` runs it in a process of its own for every batch.
struct TestCasesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-cases", abstract: "Runs some cases and prints JSON; 'etalon test' runs it.", shouldDisplay: false)

  @Argument var task: String

  func run() throws {
    do {
      try TestWorker(taskFile: task) { StandardOutput.write($0) }.work()
    } catch {
      throw ArgumentParser.ExitCode(FailureReport(format: .text).exitCode(for: error).rawValue)
    }
  }
}
