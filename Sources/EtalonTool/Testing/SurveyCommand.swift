import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonInspection
import EtalonMedia
import EtalonRegression
import EtalonTypes
import Foundation
import Synchronization

/// `etalon survey`: every filter of some folders on several devices, and what became of each.
struct SurveyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "survey",
    abstract: "Renders every filter of some folders on several devices and compares the pictures.",
    discussion: """
      etalon survey ./Filters --report survey.html
      etalon survey exports.jsonl --missing-input test-card --size 160x90
      etalon survey ./Filters --only 'blur*' --device cpu,vulkan --json
      etalon survey exports.jsonl --shard 2/5 --json > 2.jsonl
      etalon survey --merge 1.jsonl 2.jsonl 3.jsonl 4.jsonl 5.jsonl
      """)

  @Argument(
    help: ArgumentHelp(
      "Folders, files, filters by name, and .jsonl files with a ShaderToy export on every line; results with --merge.", valueName: "filter")
  )
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

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Survey one part of the filters: 2/5 is the second of five.", valueName: "number/count"))
  var shard: String?

  @Flag(help: "Put what --json printed in several runs together instead of surveying anything.")
  var merge = false

  @Flag(help: "Print a line of JSON for every filter on standard output, instead of tables.")
  var json = false

  func run() throws {
    let failures = FailureReport(format: .text)
    let code: Int32
    do { code = try survey(failures) } catch { code = failures.exitCode(for: error).rawValue }
    if code != 0 { throw ArgumentParser.ExitCode(code) }
  }

  private func survey(_ failures: FailureReport) throws -> Int32 {
    if merge { return try merged() }
    let settings = try usage { try options.settings() }
    let runner = try usage { try makeRunner() }
    let part: Shard? = try usage { try shard.map { text throws(DiagnosticsError) in try OptionText("--shard", text).shard() } }
    if let report { try SurveyPage.check(report) }
    let targets = try SurveyTargets(filters, in: try libraries.open(), only: only)
    failures.print(targets.diagnostics)
    guard !targets.targets.isEmpty else {
      let empty = filters.filter { $0.hasSuffix(".jsonl") }.map { "'\($0)' has no line with anything on it" }
      throw RenderError(.missingInput, "there is no filter to survey", help: only.map { ["no path matches '--only \($0)'"] } ?? empty)
    }
    // A part of few filters may be empty.
    let wanted = part.map { Array(targets.targets[$0.block(of: targets.targets.count)]) } ?? targets.targets
    let results = SurveyResults(count: wanted.count, isJSON: json, keepsPictures: report != nil)
    if json, let part { StandardOutput.write(JSONText.text(SurveyPart(part, of: targets.targets.count))) }
    let interruption = Interruption.shared
    try interruption.patiently {
      try runner.run(wanted, observe: { results.add($0) }, isInterrupted: { interruption.isRequested })
    }
    results.finish()
    if let report { try SurveyPage(results.records, results.summary, settings).write(to: report) }
    if let signal = interruption.signalNumber { return 128 + signal }
    return results.code
  }

  /// Prints the results of several runs as those of one.
  private func merged() throws -> Int32 {
    if report != nil {
      throw UsageError(
        "usage.conflict", "'--report' shows pictures, and what '--json' printed has none", help: "write a page in each run")
    }
    if let shard {
      throw UsageError("usage.conflict", "'--merge' surveys nothing, so '--shard \(shard)' means nothing", help: "leave it out")
    }
    let results = SurveyResults(count: 0, isJSON: json, keepsPictures: false)
    for record in try SurveyRecord.read(filters) { results.add(record) }
    results.finish()
    return results.code
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

/// `etalon survey-filter`: surveys one filter and prints JSON for every step.
///
/// A survey runs it in a process of its own for every filter.
struct SurveyFilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "survey-filter", abstract: "Surveys one filter and prints JSON; 'etalon survey' runs it.", shouldDisplay: false)

  @Argument var task: String
  @OptionGroup var options: SurveyOptions

  func run() throws {
    do {
      try SurveyWorker(taskFile: task) { StandardOutput.write($0) }.work(try options.settings())
    } catch {
      throw ArgumentParser.ExitCode(FailureReport(format: .text).exitCode(for: error).rawValue)
    }
  }
}

/// How filters of a survey are rendered; shared by the survey and the process of each filter.
struct SurveyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The devices to compare; the first is what the others are measured by.", valueName: "device,…"))
  var device: String = "cpu,vulkan"

  @Option(parsing: .unconditional, help: ArgumentHelp("Width and height in pixels.", valueName: "WxH"))
  var size: String = "320x180"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frames. Default: 0; 0 and 10 of filters with state; 0, 5 and 10 of transitions; 60 where these show one color.",
      valueName: "range"))
  var frames: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("A moment instead of frames, in seconds.", valueName: "seconds"))
  var time: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The length of the shot that the frames belong to: 10s or 10 for seconds, 48f for frames. Default: these frames.",
      valueName: "length")
  )
  var duration: String?

  @OptionGroup var pictures: InputPictureOptions

  @Option(
    help: ArgumentHelp(
      "What stands in for a picture of ShaderToy's site that is missing: fail, test-card, or lookalike: pictures, videos and songs of Etalon's; others fail.",
      valueName: "what"))
  var missingInput: String = "fail"

  @OptionGroup var dialect: DialectOption

  func settings() throws -> SurveySettings {
    var settings = SurveySettings()
    settings.devices = device.split(separator: ",").map(String.init)
    guard !settings.devices.isEmpty else {
      throw OptionText("--device", device).error(
        "usage.device", "expected the names of devices", "no device", help: ["type '--device cpu,vulkan'"])
    }
    settings.inspection = try inspectionSettings()
    return settings
  }

  private func inspectionSettings() throws -> InspectionSettings {
    var settings = InspectionSettings()
    settings.size = try OptionText("--size", size).size()
    settings.frames = try frames.map { try FrameRangeParser.parse($0) }
    if let range = settings.frames { try OptionText("--frames", frames ?? "").refuse(range, before: 0, isGiven: false) }
    settings.time = try time.map { try OptionText("--time", $0).seconds(notBefore: .zero) }
    if let conflict = conflict { throw conflict }
    settings.shot = try duration.map { try OptionText("--duration", $0).frames(clock: ShotClock()) }
    try settings.refuseFramesOutsideShot([OptionText("--duration", duration ?? "").label("too short")])
    settings.pictures = pictures.i
    settings.assets = pictures.assets
    settings.standIns = try OptionText("--missing-input", missingInput).standIn().standIns
    settings.dialect = try dialect.name()
    return settings
  }

  private var conflict: DiagnosticsError? {
    guard frames != nil, let time else { return nil }
    return OptionText("--time", time).error(
      "usage.conflict", "'--frames' and '--time' both say which frames are wanted", "the second", help: ["keep one of them"])
  }

  /// The same on the command line of another process.
  var words: [String] {
    var words = ["--device", device, "--size", size, "--missing-input", missingInput]
    for (option, value) in [
      ("--frames", frames), ("--time", time), ("--duration", duration), ("--assets", pictures.assets), ("--dialect", dialect.dialect),
    ] {
      if let value { words += [option, value] }
    }
    return words + pictures.i.flatMap { ["-i", $0] }
  }
}

/// Prints the results of a survey as they come, and keeps them.
///
/// **Concurrency**: usable from every thread.
private final class SurveyResults: Sendable {
  private struct State {
    var records: [SurveyRecord] = []
    var summary = SurveySummary()
  }

  private let state = Mutex(State())
  private let count: Int
  private let isJSON: Bool
  private let keepsPictures: Bool
  private let isTerminal = isatty(STDERR_FILENO) == 1

  init(count: Int, isJSON: Bool, keepsPictures: Bool) {
    (self.count, self.isJSON, self.keepsPictures) = (count, isJSON, keepsPictures)
  }

  var code: Int32 {
    summary.failureCount == 0 ? EtalonDiagnostics.ExitCode.success.rawValue : EtalonDiagnostics.ExitCode.picturesDiffer.rawValue
  }
  var records: [SurveyRecord] { state.withLock { $0.records } }
  var summary: SurveySummary { state.withLock { $0.summary } }

  func add(_ record: SurveyRecord) {
    let done = state.withLock { state in
      state.records.append(keepsPictures ? record : record.withoutPictures)
      state.summary.add(record)
      return state.records.count
    }
    if isJSON { StandardOutput.write(JSONText.text(record.withoutPictures)) }
    if isTerminal, count > 0 { StandardError.rewrite("\(done)/\(count) \(record.verdict?.rawValue ?? "") \(record.name.onOneLine)") }
  }

  /// Prints what is not fine, and the table.
  func finish() {
    if isTerminal { StandardError.rewrite("") }
    guard !isJSON else { return }
    var table = TextTable()
    for record in records { if let row = row(record) { table.add(row) } }
    var lines = table.lines(indent: 0)
    if !lines.isEmpty { lines.append("") }
    var counts = TextTable()
    for row in summary.rows { counts.add(row) }
    lines += counts.lines(indent: 0)
    StandardOutput.write(lines.map { $0 + "\n" }.joined())
  }

  /// Filters with a good verdict have no line of their own.
  private func row(_ record: SurveyRecord) -> [String]? {
    guard let verdict = record.verdict, verdict != .agrees, verdict != .renders else { return nil }
    return [verdict.rawValue, record.name.onOneLine, record.reason.onOneLine]
  }
}
