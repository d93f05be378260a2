import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonSystem
import EtalonTypes
import Foundation

/// `etalon mutate`: how many small defects in filters their cases notice.
struct MutateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate",
    abstract: "Changes filters in small ways, and tells which of the changes their cases notice.",
    discussion: """
      etalon mutate ./Filters
      etalon mutate ./Filters --count 50 --only 'blur/*.glsl' --json mutants.json

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
    // Without a mutant that changes a picture, nothing is known about the cases.
    return (results.counts.share ?? 0) * 100 >= session.atLeast ? 0 : EtalonDiagnostics.ExitCode.picturesDiffer.rawValue
  }
}

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

// MARK: a run

/// A run of mutants as a command asks for it.
private struct MutationSession {
  private let command: MutateCommand
  private let count: Int
  private let seed: Int
  private let jobs: Int
  private let timeout: Double
  private let interruption = Interruption.shared
  /// The share that the cases have to notice, in percent.
  let atLeast: Double

  /// Reads the options; what makes no sense is thrown as usage errors.
  init(_ command: MutateCommand) throws {
    self.command = command
    do {
      count = try Self.number("--count", command.count, atLeast: 1)
      seed = try Self.number("--seed", command.seed, atLeast: 0)
      jobs =
        try command.jobs.map { text throws(DiagnosticsError) in try Self.number("--jobs", text, atLeast: 1) }
        ?? ProcessInfo.processInfo.activeProcessorCount
      timeout = try OptionText("--timeout", command.timeout).seconds(above: .zero).double
      atLeast = try Self.percent(OptionText("--at-least", command.atLeast))
    } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
  }

  /// The signal that ended the run early, if one did.
  var signalNumber: Int32? { interruption.signalNumber }

  /// Prints the cases that fail before a mutant is made, because they cannot notice one, and gives the code of the command; nil when all pass.
  func codeOfFailures(_ cases: [TestCase]) throws -> Int32? {
    let place = ResultsPlace(json: "\(try TemporaryFiles.makeFolder("etalon-mutate"))/r.json")
    defer { TemporaryFiles.remove(place.folder) }
    var settings = CaseRun.Settings(device: "cpu", folder: place.folder, pictures: place.pictures, today: today)
    settings.timeout = timeout
    let device = try TestDevice(option: "cpu")
    let runner = TestRunner(
      program: try program, arguments: [TestCasesCommand._commandName], settings: settings, libraries: libraries, device: device,
      jobs: jobs)
    var results = TestResults(device: device, command: [], started: today)
    let interruption = interruption
    results.cases = try interruption.patiently {
      try runner.run(cases, observe: { _ in }, isInterrupted: { interruption.isRequested })
    }
    let failing = results.cases.filter(\.verdict.isFailure)
    guard !failing.isEmpty else { return nil }
    for result in failing { StandardError.write("\(result.verdict.rawValue)  \(result.id.onOneLine): \(result.reason.onOneLine)\n") }
    StandardError.write("\(failing.count.of("case fails", "cases fail")) before anything is changed\n")
    return results.exitCode().rawValue
  }

  func run(_ cases: [TestCase]) throws -> MutationResults {
    let runner = try MutationRunner(
      program: try program, arguments: [MutateFileCommand._commandName], cases: cases, folders: try folders, libraries: libraries,
      jobs: jobs,
      timeout: timeout, today: today)
    let progress = MutationProgress(count: count, isVerbose: command.verbose)
    let interruption = interruption
    defer { progress.finish() }
    return try interruption.patiently {
      try runner.run(
        count: count, seed: UInt64(seed), only: command.only, observe: { progress.add($0) },
        isInterrupted: { interruption.isRequested })
    }
  }

  private var program: String { get throws { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } }

  private var libraries: [String] { command.libraries.library + command.libraries.folders(among: command.paths) }

  /// The folders that are copied: those that were named, and those of files that were.
  private var folders: [String] {
    get throws(RenderError) {
      try command.paths.map { path throws(RenderError) in
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
          throw RenderError(.missingInput, "'\(path)' is neither a folder nor a file", help: ["name the folder that the filter lies in"])
        }
        return isFolder.boolValue ? path : URL(filePath: path).deletingLastPathComponent().relativePath
      }
    }
  }

  private var today: String { String(Date().formatted(.iso8601).prefix(10)) }

  private static func number(_ name: String, _ text: String, atLeast least: Int) throws(DiagnosticsError) -> Int {
    let option = OptionText(name, text)
    let number = try option.frameNumber()
    guard number >= least else {
      throw option.error(
        "usage.number", "expected a number of at least \(least), found '\(text)'", "too small", help: ["type '\(name) \(max(1, least))'"])
    }
    return number
  }

  private static func percent(_ option: OptionText) throws(DiagnosticsError) -> Double {
    guard let percent = Double(option.text), (0...100).contains(percent) else {
      throw option.error("usage.percent", "expected 0 to 100, found '\(option.text)'", "not a share", help: ["type '--at-least 95'"])
    }
    return percent
  }
}

/// Shows how far a run is, on a terminal, or every mutant.
final class MutationProgress: Sendable {
  private let count: Int
  private let isVerbose: Bool
  private let done = Counter()
  private let isTerminal = isatty(STDERR_FILENO) == 1

  init(count: Int, isVerbose: Bool) { (self.count, self.isVerbose) = (count, isVerbose) }

  func add(_ result: MutantResult) {
    let verdict = result.verdict.rawValue
    if isVerbose {
      let reason = result.reason.isEmpty ? [] : ["    \(result.reason.onOneLine)"]
      let lines = MutationText.diff(result.mutant) + reason
      return StandardError.write("\(verdict)  " + lines.map { $0 + "\n" }.joined())
    }
    guard result.verdict != .refused else { return }
    let number = done.next()
    if isTerminal { StandardError.rewrite("\(number)/\(count) \(verdict) \(result.mutant.place.onOneLine)") }
  }

  func finish() {
    if isTerminal, !isVerbose { StandardError.rewrite("") }
  }
}

/// The results of mutants as text for people: those that no case noticed, then tables by kind and by file.
private struct MutationText {
  private let results: MutationResults

  init(_ results: MutationResults) { self.results = results }

  var text: String {
    var lines = results.survivors.flatMap(Self.lines)
    if !lines.isEmpty { lines.append("") }
    lines += table("kind", results.byKind.map { ($0.kind.rawValue, $0.counts) }) + [""]
    lines += table("file", results.byFile.map { ($0.path.onOneLine, $0.counts) }) + [""]
    lines.append(summary)
    return lines.map { $0 + "\n" }.joined()
  }

  /// A mutant as a change of one line.
  static func diff(_ mutant: Mutant) -> [String] {
    ["\(mutant.place.onOneLine): \(mutant.kind.rawValue)", "  - \(mutant.before.onOneLine)", "  + \(mutant.after.onOneLine)"]
  }

  private static func lines(_ result: MutantResult) -> [String] {
    guard let change = result.change else { return diff(result.mutant) }
    let levels = change.levels == change.levels.rounded() ? "\(Int(change.levels))" : "\((change.levels * 100).rounded() / 100)"
    return ["survived  \(diff(result.mutant)[0])"] + diff(result.mutant).dropFirst()
      + [
        "    changes \(change.pixels.of("pixel")) by up to \(levels) level\(levels == "1" ? "" : "s") at \(change.moment): \(change.look.onOneLine)"
      ]
  }

  private func table(_ title: String, _ rows: [(name: String, counts: MutationResults.Counts)]) -> [String] {
    var table = TextTable()
    table.add([title, "mutants", "refused", "equivalent", "noticed", "survived", "share"])
    for (name, counts) in rows + [("all", results.counts)] {
      let numbers = [counts.mutants, counts.refused, counts.equivalent, counts.noticed, counts.survived]
      table.add([name] + numbers.map { "\($0)" } + [Self.percent(counts.share)])
    }
    return table.lines(indent: 0)
  }

  private var summary: String {
    let counts = results.counts
    guard let share = counts.share else {
      return
        "\(counts.mutants.of("mutant")), seed \(results.seed): none of them shows, so that nothing is known about the cases; try more with --count, "
        + "and see whether the cases bear everything"
    }
    return "\(counts.mutants) of \(results.possible.of("mutant")), seed \(results.seed): "
      + "\(counts.noticed) of the \(counts.noticed + counts.survived) that show are noticed, \(Self.percent(share))"
  }

  /// With one decimal, rounded down, so that 100 % is all of them.
  private static func percent(_ share: Double?) -> String { share.map { "\(($0 * 1000).rounded(.down) / 10) %" } ?? "–" }
}
