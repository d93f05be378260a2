import ArgumentParser
import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonSystem
import EtalonTypes
import Foundation
import Synchronization

/// A run of cases as a command asks for it.
struct TestSession {
  /// How many runs a case is given to show that its result varies.
  private static let mostRetries = 100

  private let command: TestCommand
  private let runner: TestRunner
  let device: TestDevice
  private let mode: RecordMode
  private let interruption = Interruption.shared
  let shard: TestResults.Shard?
  let place: ResultsPlace

  /// Reads the options, and opens the device; what makes no sense is thrown as usage errors.
  init(_ command: TestCommand) throws {
    self.command = command
    place = TestOutputs(command).place
    let running = command.running
    do {
      shard = try running.shard.map { text throws(DiagnosticsError) in
        let shard = try OptionText("--shard", text).shard()
        return TestResults.Shard(index: shard.number, count: shard.count)
      }
      mode = try OptionText("--record", command.record)
        .choice(of: ["never": .never, "missing": .missing, "failed": .failed, "all": .all])
      let jobs = try running.jobs.map { text throws(DiagnosticsError) in try OptionText("--jobs", text).frameNumber() }
      let processors = ProcessInfo.processInfo.activeProcessorCount
      guard let retries = Int(running.retries), (0...Self.mostRetries).contains(retries) else {
        throw OptionText("--retries", running.retries).error(
          "usage.retries", "expected a number from 0 to \(Self.mostRetries), found '\(running.retries)'", "not how often",
          help: ["type '--retries 3'"])
      }
      guard jobs ?? 1 > 0 else {
        throw OptionText("--jobs", "\(jobs ?? 0)").error("usage.jobs", "expected a number above 0", "too small", help: ["type '--jobs 1'"])
      }
      let timeout = try OptionText("--timeout", running.timeout).seconds(above: .zero).double
      device = try TestDevice(option: running.device)
      var settings = CaseRun.Settings(device: running.device, folder: place.folder, pictures: place.pictures, today: Self.today)
      settings.keepsAll = mode == .all
      settings.showsAll = command.report != nil
      settings.timeout = timeout
      runner = TestRunner(
        program: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), arguments: [TestCasesCommand._commandName],
        settings: settings, libraries: command.libraries.library + command.libraries.folders(among: command.paths), device: device,
        jobs: jobs ?? processors, retries: retries)
    } catch let error as DiagnosticsError {
      throw UsageError(diagnostics: error.diagnostics)
    }
  }

  /// The signal that ended the run early, if one did.
  var signalNumber: Int32? { interruption.signalNumber }

  /// Runs the cases that belong to the shard, and puts the errors behind them.
  ///
  /// - Parameter attempts: is told what could not be written after the cases ran.
  func run(_ all: [TestCase], in library: FilterLibrary, diagnosticResults: [CaseResult], _ attempts: inout Attempts) throws -> TestResults
  {
    let cases = CaseFilter(shard: shard).cases(of: all)
    let lines = try ResultLines(command.jsonLines)
    for result in diagnosticResults { lines?.write(result) }
    let previous = try previousResults()
    place.clear()
    let start = ContinuousClock.now
    var results = TestResults(device: device, command: Array(ProcessArguments.all.dropFirst()), started: Self.now)
    let content = shard.map { _ in SelectedCases.content(of: all, in: library) }
    results.selected = SelectedCases(all, paths: command.paths, only: command.only, content: content)
    if let shard { results.shards = [shard] }
    if let previous, command.previous != nil || results.isComparable(to: previous) { results.follow(previous) }
    let progress = TestProgress(count: cases.count)
    let (interruption, options, path, records) = (interruption, options, place.path, mode != .never)
    results.cases = try interruption.patiently {
      try runner.run(
        cases,
        observe: { result in
          progress.add(result)
          guard !records else { return }
          var complete = result
          complete.complete(options: options, approvingAt: path)
          lines?.write(complete)
        }, isInterrupted: { interruption.isRequested })
    }
    progress.finish()
    attempts.attempt { try Recorder(mode, folder: place.folder).record(&results) }
    for index in results.cases.indices { results.cases[index].complete(options: options, approvingAt: path) }
    let unfinished = Self.unfinished(results.cases.count, of: cases.count)
    for result in unfinished { lines?.write(result) }
    // Nothing is settled before it is recorded.
    if records { for result in results.cases { lines?.write(result) } }
    attempts.attempt { try lines?.close() }
    results.cases += diagnosticResults + unfinished
    let time = (ContinuousClock.now - start).components
    results.seconds = Double(time.seconds) + (Double(time.attoseconds) * 1e-16).rounded() / 100
    return results
  }

  /// What keeps the results of an interrupted run from being taken for those of the whole, or merged with others.
  private static func unfinished(_ done: Int, of count: Int) -> [CaseResult] {
    guard done < count else { return [] }
    return [
      CaseResult(
        Diagnostic("test.interrupted", "the run was interrupted: \(done) of \(count.of("case")) ran", help: ["run it again"]))
    ]
  }

  /// The results that are named, or those that the new ones replace.
  private func previousResults() throws(RenderError) -> TestResults? {
    if let path = command.previous { return try TestResults(contentsOf: path) }
    return place.earlierResults
  }

  /// What a single case needs to run as it did here.
  private var options: [String] {
    let libraries = command.libraries.library + command.libraries.folders(among: command.paths)
    let (device, timeout) = (command.running.device, command.running.timeout)
    return (device == "cpu" ? [] : ["--device", device]) + (timeout == TestRunOptions.usualTimeout ? [] : ["--timeout", timeout])
      + libraries.flatMap { ["--library", $0] }
  }

  private static var now: String { Date().formatted(.iso8601) }
  private static var today: String { String(now.prefix(10)) }
}

/// Shows how far a run is, on a terminal.
final class TestProgress: Sendable {
  private let count: Int
  private let done = Counter()
  private let isTerminal = isatty(STDERR_FILENO) == 1

  init(count: Int) { self.count = count }

  func add(_ result: CaseResult) {
    let number = done.next()
    if isTerminal { StandardError.rewrite("\(number)/\(count) \(result.verdict.rawValue) \(result.id.onOneLine)") }
  }

  func finish() {
    if isTerminal { StandardError.rewrite("") }
  }
}

/// Counts up from 1.
///
/// **Concurrency**: usable from every thread.
final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}

// MARK: proposals

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
        if found.proposal?.obstacle != nil, worst == .success { worst = .picturesDiffer }
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
