import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTypes
import Foundation

/// `etalon mutate`: how many small mistakes in filters their cases notice.
struct MutateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate",
    abstract: "Changes filters in small ways, and tells which of the changes their cases notice.",
    discussion: """
      etalon mutate ./Filters
      etalon mutate ./Filters --count 50 --seed 7 --only 'blur/*.glsl' --json mutants.json

      The files are changed in a copy. A change that no case notices is looked at from many sides; one that shows nowhere does not count.
      """)

  @Argument(help: ArgumentHelp("Folders with filters and cases, or filters.", valueName: "folder"))
  var paths: [String]

  @OptionGroup var libraries: LibraryOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("How many mutants are tried, beside those that are refused.", valueName: "number"))
  var count: String = "200"

  @Option(parsing: .unconditional, help: ArgumentHelp("Chooses the mutants; the same number gives the same ones.", valueName: "number"))
  var seed: String = "1"

  @Option(help: ArgumentHelp("Only files whose path contains this, or ends like this where it has a *.", valueName: "pattern"))
  var only: String?

  @Option(help: ArgumentHelp("All mutants with what became of them, to be written.", valueName: "file.json"))
  var json: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The share that the cases have to notice; with less, the command ends with code 1.", valueName: "percent"))
  var atLeast: String = "95"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many files are worked on at once. Default: one for every processor.", valueName: "number"))
  var jobs: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest that a case may take as it is, and a frame when something is changed, in seconds.", valueName: "seconds"))
  var timeout: String = "10"

  @Flag(help: "Print every mutant, as soon as it is known what became of it.")
  var verbose = false

  func run() throws {
    let failures = FailureReport(format: .text)
    let code: Int32
    do { code = try mutate(failures) } catch { code = failures.exitCode(for: error).rawValue }
    if code != 0 { throw ArgumentParser.ExitCode(code) }
  }

  private func mutate(_ failures: FailureReport) throws -> Int32 {
    let session = try MutationSession(self)
    if let json { try TextFile.refuseForeign(json, keys: ["mutants", "seed"]) }
    let selection = TestSelection(paths, in: try libraries.open(with: paths))
    failures.print(selection.diagnostics)
    if selection.diagnostics.contains(where: { $0.severity == .error }) { return EtalonDiagnostics.ExitCode.invalidInput.rawValue }
    if let code = try session.codeOfFailures(selection.cases) { return code }
    let results = try session.run(selection.cases)
    if let signal = session.signalNumber { return 128 + signal }
    guard !results.mutants.isEmpty else {
      throw RenderError(.missingInput, "there is nothing to change", help: only.map { ["no file matches '--only \($0)'"] } ?? [])
    }
    if let json { try TextFile.write(results.json, to: json) }
    StandardOutput.write(MutationText(results).text)
    // Where nothing shows, nothing is known about the cases.
    return (results.counts.share ?? 0) * 100 >= session.atLeast ? 0 : EtalonDiagnostics.ExitCode.picturesDiffer.rawValue
  }
}
