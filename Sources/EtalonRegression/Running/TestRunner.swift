package import EtalonDiagnostics
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation
internal import Synchronization

/// Runs cases in batches, each in a process of its own, so that a crash or a hang ends one case only.
///
/// Cases that fail are run again alone, to tell failures from flakes.
///
/// **Concurrency**: `run` blocks its thread; results come from several threads, one at a time.
package struct TestRunner: Sendable {
  /// The most cases of a process.
  private static let largestBatch = 40
  /// The most failures that are tried again; more are no flakes.
  ///
  /// Cases that are said to be flaky do not count.
  private static let mostRetries = 20

  private let program: String
  private let arguments: [String]
  private let settings: CaseRun.Settings
  private let libraries: [String]
  private let device: TestDevice
  private let jobs: Int
  private let patience: Double
  private let retries: Int

  /// - Parameters:
  ///   - program: the program that runs a batch and prints a line of JSON for every case.
  ///   - arguments: what it is told before the file of the batch.
  ///   - libraries: folders in which filters are looked up by name.
  ///   - jobs: how many processes run at once.
  ///   - patience: how many seconds beyond the limit of the settings a process has to end by itself what takes too long.
  ///   - retries: how often a failure is tried again, each time in a new process.
  package init(
    program: String, arguments: [String], settings: CaseRun.Settings, libraries: [String], device: TestDevice, jobs: Int,
    patience: Double = 5, retries: Int = Reruns.usualCount
  ) {
    (self.program, self.arguments, self.settings, self.libraries) = (program, arguments, settings, libraries)
    (self.device, self.jobs, self.patience, self.retries) = (device, jobs, patience, retries)
  }

  /// Runs all of them, and gives the results in the order of the cases; those that an interruption kept from ending are left out.
  ///
  /// - Parameter observe: is told of every result when nothing about it will change any more: what fails, after it was tried again.
  package func run(
    _ cases: [TestCase], observe: @escaping @Sendable (CaseResult) -> Void, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(RenderError) -> [CaseResult] {
    let folder = try TemporaryFiles.makeFolder("etalon-test")
    defer { TemporaryFiles.remove(folder) }
    let batches = Self.batches(cases, size: max(1, min(Self.largestBatch, (cases.count + jobs - 1) / jobs)))
    let results = SettledResults(ExpectationCheck(device: device, today: settings.today), observe)
    inParallel(batches.count) { index in
      guard !isInterrupted() else { return }
      let batch = batches[index]
      work(batch, "\(folder)/\(index)", isInterrupted) { result in
        if let place = batch.firstIndex(where: { $0.id == result.id }) { results.add(result, batch[place], after: batch[..<place]) }
      }
    }
    let reruns = Reruns(count: retries) { cases, file, explains in
      var found: [CaseResult] = []
      work(cases, "\(folder)/again-\(file)", explains: explains, isInterrupted) { found.append($0) }
      return found
    }
    let open = results.takeOpen(limit: Self.mostRetries, retries: retries)
    inParallel(open.count) { index in
      let (result, testCase, earlier) = open[index]
      results.settle(isInterrupted() ? result : reruns.classified(result, testCase, after: earlier, "\(index)"), testCase)
    }
    let settled = results.all
    return cases.compactMap { settled[$0.id] }
  }

  /// Does something for every number below a count, several at once.
  private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let next = Mutex(0)
    SharedWork.perform(max(1, min(jobs, count)), mostlyWaits: true) { _ in
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < count else { return }
        body(index)
      }
    }
  }

  private static func batches(_ cases: [TestCase], size: Int) -> [[TestCase]] {
    stride(from: 0, to: cases.count, by: size).map { Array(cases[$0..<min($0 + size, cases.count)]) }
  }

  // MARK: a batch

  /// Runs a batch to its end, with a new process after each that ended early.
  ///
  /// - Parameter observe: is told of every result as soon as it is there.
  private func work(
    _ batch: [TestCase], _ file: String, explains: Bool = true, _ isInterrupted: () -> Bool, _ observe: (CaseResult) -> Void
  ) {
    var rest = batch
    var attempt = 0
    while !rest.isEmpty, !isInterrupted() {
      attempt += 1
      let answer = process(rest, "\(file)-\(attempt)", explains).run(isInterrupted: isInterrupted, observe: observe)
      let done = Set(answer.results.map(\.id))
      rest.removeAll { done.contains($0.id) }
      guard answer.ending != .interrupted, let first = rest.first else { break }
      // A case that began and has no result ended the process; where none began the first one is taken, so that the loop ends.
      let id = answer.open ?? (answer.results.isEmpty ? first.id : nil)
      guard let id, let culprit = rest.first(where: { $0.id == id }) else { continue }
      observe(ended(culprit, answer).limited(to: settings.timeout))
      rest.removeAll { $0.id == id }
    }
  }

  private func process(_ cases: [TestCase], _ file: String, _ explains: Bool) -> WorkerProcess<String, CaseResult> {
    var settings = settings
    settings.explains = explains
    let task = WorkerMessage.Task(settings: settings, libraries: libraries, cases: cases.map(WorkerMessage.Reference.init))
    guard let data = try? JSONEncoder().encode(task) else { preconditionFailure("tasks always encode") }
    _ = FileManager.default.createFile(atPath: file, contents: data)
    return WorkerProcess(
      program: program, arguments: arguments, taskFile: file, timeout: settings.timeout.map { $0 + patience } ?? 1e9)
  }

  /// The result of a case that its process did not give.
  private func ended(_ testCase: TestCase, _ outcome: WorkerProcess<String, CaseResult>.Outcome) -> CaseResult {
    let first = outcome.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
    let limit = secondsText(settings.timeout ?? 0)
    if let draft = outcome.draft {
      return draft.notJudged(outcome.ending == .slow ? "judging took longer than \(limit) s" : "\(Self.words(outcome.ending))\(first)")
    }
    var result = CaseResult(testCase)
    (result.seconds, result.diagnostics) = ((outcome.seconds * 1000).rounded() / 1000, outcome.errors)
    switch outcome.ending {
    case .slow:
      (result.verdict, result.reason) = (.timedOut, "took longer than \(limit) s, and its process was ended")
      result.notes.append(CaseResult.moreTime)
    case .notStarted, .interrupted: (result.verdict, result.reason) = (.crashed, "cannot start '\(program)'")
    case .signal, .exit: (result.verdict, result.reason) = (.crashed, "\(Self.words(outcome.ending))\(first)")
    }
    return result
  }

  private static func words(_ ending: WorkerEnding) -> String {
    switch ending {
    case .signal(SIGKILL): "its process was ended with signal 9, as systems do that run out of memory"
    case .signal(let number): "its process crashed with signal \(number)"
    case .exit(let code): "its process ended with code \(code) and without a result"
    case .slow, .notStarted, .interrupted: "its process was ended"
    }
  }
}

/// Gathers the results of a run, and tells of each when it is settled: at once, or after it was tried again.
///
/// **Concurrency**: usable from every thread; `observe` is called by one at a time.
private final class SettledResults: Sendable {
  /// A result whose verdict depends on further runs, and the cases that ran before it in the same process.
  typealias Open = (result: CaseResult, testCase: TestCase, earlier: [TestCase])

  private struct State {
    var all: [String: CaseResult] = [:]
    var open: [Open] = []
  }

  private let state = Mutex(State())
  private let expectations: ExpectationCheck
  private let observe: @Sendable (CaseResult) -> Void

  init(_ expectations: ExpectationCheck, _ observe: @escaping @Sendable (CaseResult) -> Void) {
    (self.expectations, self.observe) = (expectations, observe)
  }

  /// Takes a result, which may have to be tried again.
  func add(_ result: CaseResult, _ testCase: TestCase, after earlier: ArraySlice<TestCase>) {
    guard expectations.isOpen(result, testCase) else { return settle(result, testCase) }
    state.withLock { $0.open.append((result, testCase, Array(earlier))) }
  }

  /// Those that are to be tried again, in the order of their names; of the others each is settled with a note.
  func takeOpen(limit: Int, retries: Int) -> [Open] {
    let open = state.withLock { $0.open }.sorted { $0.result.id < $1.result.id }
    var failures = 0
    return open.filter { found in
      guard retries > 0 else {
        settle(found.result, found.testCase)
        return false
      }
      guard !expectations.expectsFlakes(found.testCase) else { return true }
      failures += 1
      guard failures > limit else { return true }
      var result = found.result
      result.notes.append("not tried again: more than \(limit.of("case")) failed")
      settle(result, found.testCase)
      return false
    }
  }

  /// Takes a result, and compares it with what its case expects.
  func settle(_ result: CaseResult, _ testCase: TestCase) {
    let settled = expectations.settled(result, testCase)
    state.withLock { state in
      state.all[settled.id] = settled
      observe(settled)
    }
  }

  /// The settled results by their cases.
  var all: [String: CaseResult] { state.withLock { $0.all } }
}
