import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTypes
import Foundation

/// A run of cases as a command asks for it.
struct TestSession {
  private let command: TestCommand
  private let runner: TestRunner
  let device: TestDevice
  private let mode: RecordMode
  private let interruption = Interruption(cleanUp: TemporaryFiles.removeAll)
  let shard: TestResults.Shard?
  let place: ResultsPlace

  /// Reads the options, and opens the device; what makes no sense is thrown as usage errors.
  init(_ command: TestCommand) throws {
    self.command = command
    place = ResultsPlace(json: command.json)
    try place.refuseForeignFile()
    let running = command.running
    do {
      shard = try running.shard.map { text throws(DiagnosticsError) in try Self.shard(OptionText("--shard", text)) }
      mode = try OptionText("--record", command.record)
        .choice(of: ["never": .never, "missing": .missing, "failed": .failed, "all": .all])
      let jobs = try running.jobs.map { text throws(DiagnosticsError) in try OptionText("--jobs", text).frameNumber() }
      let processors = ProcessInfo.processInfo.activeProcessorCount
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
        // A process that hangs is ended by its parent, when it could not end the work itself.
        jobs: jobs ?? processors, timeout: timeout + 5)
    } catch let error as DiagnosticsError {
      throw UsageError(diagnostics: error.diagnostics)
    }
  }

  /// The signal that ended the run early, if one did.
  var signalNumber: Int32? { interruption.signalNumber }

  func run(_ cases: [TestCase], jsonLines: Bool, only: String?) throws -> TestResults {
    let previous = try previousResults()
    place.clear()
    let start = ContinuousClock.now
    var results = TestResults(device: device, command: Array(CommandLine.arguments.dropFirst()), started: Self.now)
    results.paths = command.paths
    if let shard { results.shards = [shard] }
    if let previous, command.previous != nil || results.isComparable(to: previous) { results.follow(previous) }
    let progress = TestProgress(count: cases.count)
    let interruption = interruption
    results.cases = try interruption.patiently {
      try runner.run(cases, observe: { progress.add($0) }, isInterrupted: { interruption.isRequested })
    }
    progress.finish()
    try Recorder(mode, folder: place.folder).record(&results)
    results.approving(at: place.path, options: options)
    let time = (ContinuousClock.now - start).components
    results.seconds = Double(time.seconds) + (Double(time.attoseconds) * 1e-16).rounded() / 100
    if jsonLines { for result in results.cases { StandardOutput.write(JSONText.text(result)) } }
    return results
  }

  /// The results that are named, or those that the new ones replace.
  private func previousResults() throws(RenderError) -> TestResults? {
    if let path = command.previous { return try TestResults(contentsOf: path) }
    return try? TestResults(contentsOf: place.path)
  }

  /// What a single case needs to run as it did here.
  private var options: [String] {
    let libraries = command.libraries.library + command.libraries.folders(among: command.paths)
    return (command.running.device == "cpu" ? [] : ["--device", command.running.device]) + libraries.flatMap { ["--library", $0] }
  }

  private static var now: String { Date().formatted(.iso8601) }
  private static var today: String { String(now.prefix(10)) }

  /// `2/5`.
  private static func shard(_ option: OptionText) throws(DiagnosticsError) -> TestResults.Shard {
    let parts = option.text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard parts.count == 2, parts[1] >= 1, (1...parts[1]).contains(parts[0]) else {
      throw option.error("usage.shard", "expected a part of several, found '\(option.text)'", "not a part", help: ["type '--shard 2/5'"])
    }
    return TestResults.Shard(index: parts[0], count: parts[1])
  }
}

/// Shows how far a run is, on a terminal.
final class TestProgress: Sendable {
  private let count: Int
  private let done = Counter()
  private let isTerminal = isatty(STDERR_FILENO) == 1

  init(count: Int) { self.count = count }

  func add(_ result: CaseResult) {
    let number = done.next()
    if isTerminal { StandardError.write("\r\u{1B}[K\(number)/\(count) \(result.verdict.rawValue) \(result.id.onOneLine)") }
  }

  func finish() {
    if isTerminal { StandardError.write("\r\u{1B}[K") }
  }
}
