internal import EtalonDiagnostics
internal import EtalonSystem
internal import Foundation

/// How a process ended that has not given all of its results.
enum WorkerEnding: Hashable {
  case exit(Int32)
  case signal(Int32)
  case slow
  case notStarted
  case interrupted
}

/// A process that works on a batch, and prints a line of JSON when something begins and when it has a result.
struct WorkerProcess<Stage: Sendable & Codable, Result: Sendable & Codable> {
  /// How often what it printed is looked at, in seconds.
  private static var pause: Double { 0.02 }
  /// How long a process may take to be gone after it was killed, in seconds.
  private static var farewell: Double { 5 }

  let program: String
  let arguments: [String]
  /// The file of its task; what it prints goes beside it.
  let taskFile: String
  /// Seconds that may pass between two lines.
  let timeout: Double
  /// Its working folder; nil for that of this process.
  var folder: String?

  private var output: String { taskFile + ".out" }
  private var errorFile: String { taskFile + ".err" }

  /// What a process left that came to its end.
  struct Outcome {
    var results: [Result] = []
    /// Who began and has no result, what was known of it, and the seconds since.
    var open: Stage?
    var draft: Result?
    var seconds = 0.0
    var ending = WorkerEnding.notStarted
    /// The end of what it printed about itself.
    var errors = ""
  }

  /// Runs it to its end; whoever began and has no result is told how that came.
  func run(isInterrupted: () -> Bool, observe: (Result) -> Void) -> Outcome {
    var outcome = Outcome()
    let process: ChildProcess
    do throws(RenderError) { process = try start() } catch {
      outcome.errors = error.text
      return outcome
    }
    var lines = GrowingLines(path: output)
    var since = ContinuousClock.now
    var ending: WorkerEnding?
    func read() {
      for answer in lines.next(as: WorkerMessage.Answer<Stage, Result>.self) {
        since = .now
        if let stage = answer.begin { outcome.open = stage }
        outcome.draft = answer.draft
        guard let result = answer.result else { continue }
        outcome.open = nil
        outcome.results.append(result)
        observe(result)
      }
    }
    var end = process.wait(Self.pause)
    while end == nil {
      read()
      let isLate = ContinuousClock.now - since > .seconds(timeout)
      if isLate || isInterrupted() {
        process.end(within: Self.farewell)
        ending = isLate ? .slow : .interrupted
        break
      }
      end = process.wait(Self.pause)
    }
    read()
    outcome.seconds = (ContinuousClock.now - since) / .seconds(1)
    (outcome.ending, outcome.errors) = (ending ?? Self.ending(end), errors())
    return outcome
  }

  private static func ending(_ end: ChildProcess.Ending?) -> WorkerEnding {
    switch end {
    case .exit(let code): .exit(code)
    case .signal(let number): .signal(number)
    case nil: .notStarted
    }
  }

  private func start() throws(RenderError) -> ChildProcess {
    // Swift's backtracer outlives the process that crashed, and takes longer than many a case may.
    let additions = ["SWIFT_BACKTRACE": "enable=no"]
    return try ChildProcess(
      program, arguments + [taskFile], environment: additions, folder: folder, output: output, errors: errorFile)
  }

  /// The end of what it printed about itself.
  private func errors() -> String {
    String(decoding: (FileManager.default.contents(atPath: errorFile) ?? Data()).suffix(4096), as: UTF8.self)
  }
}

/// The whole lines of a file that another process writes.
private struct GrowingLines {
  let path: String
  private var offset: UInt64 = 0
  private var rest = Data()

  init(path: String) { self.path = path }

  mutating func next<Answer: Decodable>(as type: Answer.Type) -> [Answer] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.readToEnd(), !data.isEmpty else { return [] }
    offset += UInt64(data.count)
    rest += data
    guard let end = rest.lastIndex(of: 0x0A) else { return [] }
    let whole = rest[rest.startIndex..<end]
    rest = Data(rest[rest.index(after: end)...])
    let decoder = JSONDecoder()
    return whole.split(separator: 0x0A).compactMap { try? decoder.decode(type, from: Data($0)) }
  }
}
