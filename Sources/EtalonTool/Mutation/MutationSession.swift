import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonSystem
import EtalonTypes
import Foundation

/// A run of mutants as a command asks for it.
struct MutationSession {
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

  /// Cases that fail before anything is changed notice nothing: prints them, and gives the code of the command; nil when all pass.
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
