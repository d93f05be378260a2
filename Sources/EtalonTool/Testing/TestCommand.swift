import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTypes
import Foundation

/// `etalon test`: whether filters and graphs still give the approved pictures.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Renders the cases of filters and graphs and compares them with their references.",
    discussion: """
      etalon test ./Filters
      etalon test gaussian-blur --record missing
      etalon test ./Filters --only 'blur*' --device vulkan --junit junit.xml
      etalon test ./Filters --report report.html
      etalon test ./Filters/glow --propose
      etalon test --merge shard-1.json shard-2.json --json results.json

      Without --json, pictures and results of what is not fine are written into the folder 'etalon-test'.
      """)

  @Argument(help: ArgumentHelp("Folders, filters, files of cases, and single cases as FILE:NAME; results with --merge.", valueName: "path"))
  var paths: [String]

  @OptionGroup var libraries: LibraryOptions
  @OptionGroup var running: TestRunOptions

  @Option(help: ArgumentHelp("Only cases whose name contains this, or ends like this where it has a *.", valueName: "pattern"))
  var only: String?

  @Option(help: ArgumentHelp("Which references are written: never, missing, failed or all. Writing any fails the run.", valueName: "mode"))
  var record: String = "never"

  @Option(
    help: ArgumentHelp(
      "All results, to be written; pictures go beside it. '-' is standard output, instead of text.", valueName: "file.json"))
  var json: String?

  @Option(
    help: ArgumentHelp(
      "Results of an earlier run, so that the report shows what changed. Default: those that --json replaces.", valueName: "file.json"))
  var previous: String?

  @Option(help: ArgumentHelp("A JUnit report, to be written; '-' is standard output, instead of text.", valueName: "file.xml"))
  var junit: String?

  @Option(help: ArgumentHelp("A report for people, to be written: one file with all pictures.", valueName: "file.html"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "A line of JSON for every case, written as soon as it is settled; '-' is standard output, instead of text.", valueName: "file.jsonl"))
  var jsonLines: String?

  @Flag(help: "Print failures as annotations of GitHub Actions, too.")
  var github = false

  @Flag(help: "Put the results of several runs together instead of running anything.")
  var merge = false

  @Flag(
    help: ArgumentHelp(
      "Print the tightest tolerance that each case needs for all devices here and for errors that devices may make, with what was measured."
    ))
  var propose = false

  @Flag(help: "Let warnings fail the command with code 1.")
  var warningsAsErrors = false

  func run() throws {
    let failures = FailureReport(format: .text)
    let code: Int32
    do { code = try test(failures) } catch { code = failures.exitCode(for: error).rawValue }
    if code != 0 { throw ArgumentParser.ExitCode(code) }
  }

  private func test(_ failures: FailureReport) throws -> Int32 {
    if propose { return try TestProposals(self).print(failures) }
    // Checked before the work, whose results could not be written afterwards.
    try TestOutputs(self).check()
    if merge { return try merged(failures) }
    let session = try TestSession(self)
    let library = try libraries.open(with: paths)
    let selection = TestSelection(paths, in: library, on: session.device)
    // Where the results are text, errors are told among them.
    let tellsErrors = TestOutputs(self).printsText && session.shard?.index ?? 1 == 1
    failures.print(selection.diagnostics.filter { $0.severity != .error || !tellsErrors })
    let all = CaseFilter(pattern: only).cases(of: selection.cases)
    // A shard of few cases may be empty, and has results; a pattern that matches nothing is an error.
    let hasErrors = selection.diagnostics.contains { $0.severity == .error }
    guard !all.isEmpty || hasErrors else {
      throw RenderError(.missingInput, "there is no case to run", help: only.map { ["no case matches '--only \($0)'"] } ?? [])
    }
    // Every shard finds all of them; only one shard prints them.
    let diagnosticResults = session.shard?.index ?? 1 == 1 ? selection.diagnosticResults : []
    var attempts = Attempts()
    let results = try session.run(all, in: library, diagnosticResults: diagnosticResults, &attempts)
    finish(results, session.place, &attempts)
    let failure = attempts.code(failures)
    if let signal = session.signalNumber { return 128 + signal }
    if let failure { return failure }
    let code = results.exitCode(warningsAreErrors: warningsAsErrors)
    return hasErrors ? EtalonDiagnostics.ExitCode.invalidInput.rawValue : code.rawValue
  }

  private func merged(_ failures: FailureReport) throws -> Int32 {
    let parts = try paths.map { path throws(RenderError) in (path: path, results: try TestResults(contentsOf: path)) }
    var results = try ResultsMerge.merge(parts)
    failures.print(parts.compactMap { ResultsPlace(json: $0.path).missingPictures(of: $0.results) })
    if let previous { results.follow(try TestResults(contentsOf: previous)) }
    let place = TestOutputs(self).place
    results.approve(with: place.path)
    let lines = try ResultLines(jsonLines)
    var attempts = Attempts()
    attempts.attempt { try place.gather(results, from: paths) }
    for result in results.cases { lines?.write(result) }
    attempts.attempt { try lines?.close() }
    finish(results, place, &attempts)
    return attempts.code(failures) ?? results.exitCode(warningsAreErrors: warningsAsErrors).rawValue
  }

  private func finish(_ results: TestResults, _ place: ResultsPlace, _ attempts: inout Attempts) {
    TestOutputs(self).write(results, place, &attempts)
  }
}

/// How cases are run; shared by the commands that do so.
struct TestRunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The device: cpu, vulkan, or the number or a part of the name of a device. Default: cpu.", valueName: "device"))
  var device: String = "cpu"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many cases run at once, each in a process of its own. Default: one for every processor.", valueName: "number"))
  var jobs: String?

  @Option(help: ArgumentHelp("Only a part of the cases, as 2/5.", valueName: "part/parts"))
  var shard: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The longest that one case may take, in seconds.", valueName: "seconds"))
  var timeout: String = Self.usualTimeout

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How often what fails is tried again, each time in a new process, to tell failures from flakes.", valueName: "number"))
  var retries: String = "3"

  static let usualTimeout = "60"
}

extension LibraryOptions {
  /// The libraries, with the folders among some paths as the first ones: what is tested is found before what is installed.
  func open(with paths: [String]) throws(RenderError) -> FilterLibrary {
    var options = self
    options.library += folders(among: paths)
    return try options.open()
  }

  /// The folders among some paths that hold filters.
  func folders(among paths: [String]) -> [String] {
    paths.filter { path in
      var isFolder: ObjCBool = false
      return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        && FilterLibrary.filter(inFolder: path) == nil
    }
  }
}

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

/// `etalon approve`: makes pictures of a run the references of their cases.
struct ApproveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Makes pictures of a run of 'etalon test' the references of their cases.",
    discussion: """
      etalon approve
      etalon approve glow/tests/basics.yaml:soft
      etalon approve out/results.json glow/tests/basics.yaml:soft

      Nothing is copied when the shader, the values, the inputs or the size of a case changed since the run.
      """)

  @Argument(
    help: ArgumentHelp(
      "The results that 'etalon test' wrote, a file that ends in .json (default: those of the last run, \(ResultsPlace.usual)), and cases, or parts of their names (default: all that have something to approve).",
      valueName: "results.json|case"))
  var words: [String] = []

  @OptionGroup var libraries: LibraryOptions

  func run() throws {
    let failures = FailureReport(format: .text)
    do { try approve() } catch { throw ArgumentParser.ExitCode(failures.exitCode(for: error).rawValue) }
  }

  private func approve() throws {
    let isNamed = words.first?.hasSuffix(".json") ?? false
    let results = isNamed ? words[0] : ResultsPlace.usual
    let cases = Array(words.dropFirst(isNamed ? 1 : 0))
    guard isNamed || FileManager.default.fileExists(atPath: results) else {
      throw RenderError(
        .missingInput, "there are no results of a run in '\(results)'",
        help: ["run 'etalon test' first, in this folder, or name the file that it wrote: etalon approve out/results.json"])
    }
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
