import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

/// `etalon survey`: every filter of some folders on several devices, and what became of each.
struct SurveyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "survey",
    abstract: "Renders every filter of some folders on several devices and compares the pictures.",
    discussion: """
      etalon survey ./Filters --report survey.html
      etalon survey exports.jsonl --assets ./textures --missing-input test-card --size 160x90
      etalon survey ./Filters --only 'blur*' --device cpu,vulkan --json
      """)

  @Argument(
    help: ArgumentHelp("Folders, files, filters by name, and .jsonl files with a ShaderToy export on every line.", valueName: "filter"))
  var filters: [String]

  @OptionGroup var libraries: LibraryOptions
  @OptionGroup var options: SurveyOptions

  @Option(help: ArgumentHelp("An HTML page with all pictures, to be written.", valueName: "file.html"))
  var report: String?

  @Option(help: ArgumentHelp("Only filters whose path contains this, or ends like this where it has a *.", valueName: "pattern"))
  var only: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many filters are rendered at once. Default: one for every two processors.", valueName: "number"))
  var jobs: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The longest that one filter may take on all devices, in seconds.", valueName: "seconds"))
  var timeout: String = "60"

  @Flag(help: "Print a line of JSON for every filter on standard output, instead of tables.")
  var json = false

  func run() throws {
    let failures = FailureReport(format: .text)
    let code: Int32
    do { code = try survey(failures) } catch { code = failures.exitCode(for: error).rawValue }
    if code != 0 { throw ArgumentParser.ExitCode(code) }
  }

  private func survey(_ failures: FailureReport) throws -> Int32 {
    let settings = try usage { try options.settings() }
    let runner = try usage { try makeRunner() }
    if let report { try SurveyPage.check(report) }
    let targets = try SurveyTargets(filters, in: try libraries.open(), only: only)
    failures.print(targets.diagnostics)
    guard !targets.targets.isEmpty else {
      throw RenderError(.missingInput, "there is no filter to survey", help: only.map { ["no path matches '--only \($0)'"] } ?? [])
    }
    let results = SurveyResults(count: targets.targets.count, isJSON: json, keepsPictures: report != nil)
    let interruption = Interruption.shared
    try interruption.patiently {
      try runner.run(targets.targets, observe: { results.add($0) }, isInterrupted: { interruption.isRequested })
    }
    results.finish()
    if let report { try SurveyPage(results.records, results.summary, settings).write(to: report) }
    if let signal = interruption.signalNumber { return 128 + signal }
    return results.summary.failureCount == 0
      ? EtalonDiagnostics.ExitCode.success.rawValue : EtalonDiagnostics.ExitCode.picturesDiffer.rawValue
  }

  private func makeRunner() throws -> SurveyRunner {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let jobs = try jobs.map { try OptionText("--jobs", $0).frameNumber() } ?? max(1, processors / 2)
    guard jobs > 0 else {
      throw OptionText("--jobs", "\(jobs)").error("usage.jobs", "expected a number above 0", "too small", help: ["type '--jobs 1'"])
    }
    let seconds = try OptionText("--timeout", timeout).seconds(above: .zero).double
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return SurveyRunner(
      program: program, arguments: [SurveyFilterCommand._commandName] + options.words, jobs: jobs, timeout: seconds)
  }

  private func usage<Result>(_ parse: () throws -> Result) throws -> Result {
    do { return try parse() } catch let error as DiagnosticsError { throw UsageError(diagnostics: error.diagnostics) }
  }
}
