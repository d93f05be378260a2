import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonRegression

/// `etalon mutate-file`: tries the mutants of one file and prints JSON when one begins and when it ends.
///
/// `etalon mutate` runs it in a process of its own for every file.
struct MutateFileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate-file", abstract: "Tries the mutants of a file and prints JSON; 'etalon mutate' runs it.", shouldDisplay: false)

  @Argument var task: String

  func run() throws {
    do {
      try MutationWorker(taskFile: task) { StandardOutput.write($0) }.work()
    } catch {
      throw ArgumentParser.ExitCode(FailureReport(format: .text).exitCode(for: error).rawValue)
    }
  }
}
