internal import Etalon
package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import Foundation
internal import Synchronization

/// Surveys every filter in a process of its own, so that a crash or a hang affects one file only.
///
/// **Concurrency**: `run` blocks its thread; results come from several threads, one at a time and in the order of the targets.
package struct SurveyRunner: Sendable {
  private let program: String
  private let arguments: [String]
  private let jobs: Int
  private let timeout: Double

  /// - Parameters:
  ///   - program: the program that surveys one filter and prints a line of JSON for every step.
  ///   - arguments: what it is told before the file of its task.
  ///   - jobs: how many run at once.
  ///   - timeout: how many seconds a filter may take before its process is ended.
  package init(program: String, arguments: [String], jobs: Int, timeout: Double) {
    self.program = program
    self.arguments = arguments
    self.jobs = jobs
    self.timeout = timeout
  }

  /// Surveys all targets and hands over what came out; those that an interruption kept from ending are left out.
  package func run(
    _ targets: [SurveyTarget], observe: @escaping @Sendable (SurveyRecord) -> Void, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(RenderError) {
    let folder = try TemporaryFiles.makeFolder("etalon-survey")
    defer { TemporaryFiles.remove(folder) }
    let taken = Mutex(0)
    let results = OrderedResults(observe)
    SharedWork.perform(min(jobs, targets.count), mostlyWaits: true) { _ in
      while !isInterrupted() {
        let place = taken.withLock { taken in
          defer { taken += 1 }
          return taken
        }
        guard place < targets.count else { return }
        let record = survey(targets[place], "\(folder)/\(place)", isInterrupted)
        if !isInterrupted() { results.add(record, at: place) }
      }
    }
  }

  /// - Parameter place: where the files of the target go.
  private func survey(_ target: SurveyTarget, _ place: String, _ isInterrupted: () -> Bool) -> SurveyRecord {
    var path = target.name
    if let line = target.line {
      path = "\(place)/\(line.stem)-\(line.number).json"
      try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
      _ = FileManager.default.createFile(atPath: path, contents: line.bytes)
    }
    var record = record(of: path, taskFile: place + ".task", isInterrupted)
    if let line = target.line {
      let file = ShellWord.quoted("\(line.stem)-\(line.number).json")
      let source = "sed -n \(line.number)p \(ShellWord.quoted(line.path)) > \(file)\n"
      if !record.command.isEmpty { record.command = source + record.command.replacingOccurrences(of: ShellWord.quoted(path), with: file) }
      record.reason = record.reason.replacingOccurrences(of: path, with: target.name)
      record.diagnostics = record.diagnostics.replacingOccurrences(of: path, with: target.name)
    }
    record.name = target.name
    record.title = target.line.flatMap { ExportTitle(in: $0.bytes)?.text }
    return record
  }

  /// Runs the process of a filter to its end, and tells why, where it did not end well.
  private func record(of path: String, taskFile: String, _ isInterrupted: () -> Bool) -> SurveyRecord {
    _ = FileManager.default.createFile(atPath: taskFile, contents: Data(path.utf8))
    let start = ContinuousClock.now
    let process = WorkerProcess<String, SurveyRecord>(program: program, arguments: arguments, taskFile: taskFile, timeout: timeout)
    // The limit is for all lines together.
    let outcome = process.run(
      isInterrupted: { ContinuousClock.now - start > .seconds(timeout) || isInterrupted() }, observe: { _ in })
    var record = outcome.results.last ?? outcome.draft ?? SurveyRecord(name: "")
    let step = record.step.isEmpty ? "" : " while \(record.step)"
    switch outcome.ending {
    case .exit(0) where record.verdict != nil && record.step.isEmpty: return record
    case .exit(0): (record.verdict, record.reason) = (.failed, "ended without a result\(step)")
    case .exit(let code): (record.verdict, record.reason) = (.failed, "ended with code \(code)\(step)")
    case .signal(let number): (record.verdict, record.reason) = (.failed, "crashed with signal \(number)\(step)")
    case .slow where record.verdict == .differs, .interrupted where record.verdict == .differs:
      record.reason += "; no reason found within \(Self.text(timeout)) s"
    case .slow, .interrupted: (record.verdict, record.reason) = (.slow, "no result after \(Self.text(timeout)) s\(step)")
    case .notStarted:
      let line = outcome.errors.prefix { $0 != "\n" }
      (record.verdict, record.reason) = (.failed, String(line.hasPrefix("error: ") ? line.dropFirst(7) : line))
      return record
    }
    record.diagnostics += outcome.errors
    record.seconds = Double((ContinuousClock.now - start).components.seconds)
    return record
  }

  private static func text(_ seconds: Double) -> String { seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)" }
}

/// The title of a shader in an export of the site.
private struct ExportTitle {
  private struct Export: Decodable {
    struct Info: Decodable { let name: String? }
    struct Shader: Decodable { let info: Info? }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    let Shader: Shader?
    let info: Info?
  }

  let text: String

  /// Nil where there is none.
  init?(in bytes: Data) {
    guard let export = try? JSONDecoder().decode(Export.self, from: bytes), let name = (export.Shader?.info ?? export.info)?.name,
      !name.isEmpty
    else { return nil }
    text = name
  }
}

/// Surveys one filter in this process, and prints a line of JSON for every step.
///
/// **Concurrency**: blocks its thread.
package struct SurveyWorker {
  private let path: String
  private let print: (String) -> Void

  /// Reads the file of a task, which holds the path of the filter.
  package init(taskFile path: String, print: @escaping (String) -> Void) throws {
    ParentWatch.begin(taskFile: path)
    self.path = String(decoding: try FileReader.bytes(of: path, limit: 1 << 20), as: UTF8.self)
    self.print = print
  }

  /// Does all of it; only a crash ends it early.
  package func work(_ settings: SurveySettings) {
    defer { ParentWatch.letEnd() }
    var survey = FilterSurvey(path, settings) { record in
      print(WorkerMessage.Answer<String, SurveyRecord>(draft: record).line)
    }
    print(WorkerMessage.Answer<String, SurveyRecord>(result: survey.run()).line)
  }
}

// MARK: - order

/// Hands results on in the order of their places, however they arrive.
///
/// **Concurrency**: usable from every thread; results are handed on one at a time.
private final class OrderedResults<Result: Sendable>: Sendable {
  private struct State {
    var waiting: [Int: Result] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  private let handOver: @Sendable (Result) -> Void

  init(_ handOver: @escaping @Sendable (Result) -> Void) { self.handOver = handOver }

  func add(_ result: Result, at place: Int) {
    state.withLock { state in
      state.waiting[place] = result
      while let ready = state.waiting.removeValue(forKey: state.next) {
        handOver(ready)
        state.next += 1
      }
    }
  }
}
