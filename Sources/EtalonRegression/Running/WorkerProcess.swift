internal import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia
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
    /// What began and has no result, what was known of it, and the seconds since.
    var open: Stage?
    var draft: Result?
    var seconds = 0.0
    var ending = WorkerEnding.notStarted
    /// The end of what it printed to standard error.
    var errors = ""
  }

  /// Runs it to its end; the outcome names what began and has no result, and how the process ended.
  func run(isInterrupted: () -> Bool, observe: (Result) -> Void) -> Outcome {
    var outcome = Outcome()
    let process: ChildProcess
    do throws(RenderError) { process = try start() } catch {
      outcome.errors = error.text
      return outcome
    }
    var lines = GrowingLines(path: output)
    let decoder = JSONDecoder()
    var since = ContinuousClock.now
    var ending: WorkerEnding?
    func read() {
      for line in lines.next() {
        guard let answer = try? decoder.decode(WorkerMessage.Answer<Stage, Result>.self, from: Data(line)) else { continue }
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
    // Swift's backtracer outlives the process that crashed, and may take longer than the limit of a case.
    let additions = ["SWIFT_BACKTRACE": "enable=no"]
    return try ChildProcess(
      program, arguments + [taskFile], environment: additions, folder: folder, output: output, errors: errorFile)
  }

  /// The end of what it printed to standard error.
  private func errors() -> String {
    String(decoding: (FileManager.default.contents(atPath: errorFile) ?? Data()).suffix(4096), as: UTF8.self)
  }
}

// MARK: - the process that runs cases

/// The messages between a run and its processes: the task of a process, and its answers.
package enum WorkerMessage {
  /// The cases of a batch; a file, because there may be many.
  package struct Task: Sendable, Codable {
    package let settings: CaseRun.Settings
    /// Folders in which filters are looked up by name.
    package let libraries: [String]
    package let cases: [Reference]
  }

  /// A case by its place.
  package struct Reference: Sendable, Hashable, Codable {
    let id: String
    let path: String
    let isPlain: Bool

    init(_ testCase: TestCase) { (id, path, isPlain) = (testCase.id, testCase.path, testCase.isPlain) }

    private init(id: String, path: String, isPlain: Bool) { (self.id, self.path, self.isPlain) = (id, path, isPlain) }

    /// The same case in another folder.
    ///
    /// - Parameter place: gives a path there for one here.
    func moved(_ place: (String) -> String) -> Reference { Reference(id: place(id), path: place(path), isPlain: isPlain) }
  }

  /// A line of what it answers: something begins, has a result that is going to be explained, or its result.
  struct Answer<Stage: Sendable & Codable, Result: Sendable & Codable>: Sendable, Codable {
    var begin: Stage?
    var draft: Result?
    var result: Result?

    /// As it is printed.
    var line: String {
      guard let data = try? JSONEncoder().encode(self) else { preconditionFailure("answers always encode") }
      return String(decoding: data, as: UTF8.self) + "\n"
    }
  }
}

/// Runs the cases of a batch in this process, and prints a line of JSON when one begins and when it ends.
///
/// **Concurrency**: blocks its thread.
package struct TestWorker {
  private let task: WorkerMessage.Task
  private let run: CaseRun
  private let print: (String) -> Void

  /// Reads the file of a batch, and opens the device.
  package init(taskFile path: String, print: @escaping (String) -> Void) throws {
    ParentWatch.begin(taskFile: path)
    task = try JSONDecoder().decode(WorkerMessage.Task.self, from: Data(try FileReader.bytes(of: path, limit: 1 << 28)))
    run = try CaseRun(task.settings, library: FilterLibrary(try LibrarySearch(named: task.libraries)))
    self.print = print
  }

  /// Runs them; after a device was lost or took too long, nothing more can be done with it, and the rest is left to another process.
  package func work() {
    defer { ParentWatch.letEnd() }
    var files: [String: [TestCase]] = [:]
    for reference in task.cases {
      guard let testCase = Self.load(reference, &files) else { continue }
      answer(.init(begin: reference.id))
      var work = run.work(on: testCase)
      work.result = work.result.limited(to: task.settings.timeout)
      // The verdict is printed first, because finding the cause may end this process.
      if work.isOpen, task.settings.explains { answer(.init(draft: work.result)) }
      let result = task.settings.explains ? run.explained(work) : work.result
      answer(.init(result: result))
      if result.verdict == .deviceLost || result.verdict == .timedOut { return }
    }
  }

  /// The case that a reference names; files are read once.
  static func load(_ reference: WorkerMessage.Reference, _ files: inout [String: [TestCase]]) -> TestCase? {
    if reference.isPlain { return TestCase(plain: reference.path) }
    if files[reference.path] == nil, let bytes = try? FileReader.bytes(of: reference.path, limit: 1 << 20) {
      let source = SourceText(path: reference.path, bytes: bytes)
      files[reference.path] = CaseFileReader(source, owner: CaseFiles.owner(of: reference.path)).read().cases
    }
    return files[reference.path]?.first { $0.id == reference.id }
  }

  private func answer(_ answer: WorkerMessage.Answer<String, CaseResult>) { print(answer.line) }
}
