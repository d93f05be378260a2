internal import Dispatch
package import EtalonDiagnostics
internal import Foundation
internal import Synchronization

/// Runs cases in batches, each in a process of its own, so that a crash or a hang is the business of one case.
///
/// Cases that fail are run again alone, to tell failures from flakes.
///
/// **Concurrency**: `run` blocks its thread; results come from several threads, one at a time.
package struct TestRunner: Sendable {
  /// The most cases of a process.
  private static let largestBatch = 40
  /// The most failures that are tried again; more are no flakes.
  private static let mostRetries = 20

  private let program: String
  private let arguments: [String]
  private let settings: CaseRun.Settings
  private let libraries: [String]
  private let device: TestDevice
  private let jobs: Int
  private let timeout: Double

  /// - Parameters:
  ///   - program: the program that runs a batch and prints a line of JSON for every case.
  ///   - arguments: what it is told before the file of the batch.
  ///   - libraries: folders in which filters are looked up by name.
  ///   - jobs: how many processes run at once.
  ///   - timeout: how many seconds a case may take before its process is ended.
  package init(
    program: String, arguments: [String], settings: CaseRun.Settings, libraries: [String], device: TestDevice, jobs: Int, timeout: Double
  ) {
    (self.program, self.arguments, self.settings, self.libraries) = (program, arguments, settings, libraries)
    (self.device, self.jobs, self.timeout) = (device, jobs, timeout)
  }

  /// Runs all of them, and gives the results in the order of the cases; those that an interruption kept from ending are left out.
  package func run(
    _ cases: [TestCase], observe: @escaping @Sendable (CaseResult) -> Void, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(RenderError) -> [CaseResult] {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let batches = Self.batches(cases, size: max(1, min(Self.largestBatch, (cases.count + jobs - 1) / jobs)))
    let found = Mutex<[String: CaseResult]>([:])
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, batches.count))) { _ in
      while !isInterrupted() {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < batches.count else { return }
        for result in work(batches[index], "\(folder)/\(index)", isInterrupted) {
          found.withLock { $0[result.id] = result }
          observe(result)
        }
      }
    }
    var results = found.withLock { $0 }
    try retry(batches, &results, folder, isInterrupted)
    return cases.compactMap { testCase in
      results[testCase.id].map { ExpectationCheck(device: device, today: settings.today).settled($0, testCase) }
    }
  }

  private static func batches(_ cases: [TestCase], size: Int) -> [[TestCase]] {
    stride(from: 0, to: cases.count, by: size).map { Array(cases[$0..<min($0 + size, cases.count)]) }
  }

  // MARK: a batch

  /// Runs a batch to its end, with a new process after each that ended early.
  private func work(_ batch: [TestCase], _ file: String, _ isInterrupted: () -> Bool) -> [CaseResult] {
    var results: [CaseResult] = []
    var rest = batch
    var attempt = 0
    while !rest.isEmpty, !isInterrupted() {
      attempt += 1
      let answer = process(rest, "\(file)-\(attempt)").run(isInterrupted: isInterrupted) { _ in }
      results += answer.results
      let done = Set(answer.results.map(\.id))
      rest.removeAll { done.contains($0.id) }
      guard answer.ending != .interrupted, let first = rest.first else { break }
      // Who began has no result because of itself; where nobody began, the first one is to blame, so that there is an end.
      let id = answer.open ?? (answer.results.isEmpty ? first.id : nil)
      guard let id, let culprit = rest.first(where: { $0.id == id }) else { continue }
      results.append(ended(culprit, answer.ending, answer.errors))
      rest.removeAll { $0.id == id }
    }
    return results
  }

  private func process(_ cases: [TestCase], _ file: String) -> WorkerProcess<String, CaseResult> {
    let task = WorkerMessage.Task(settings: settings, libraries: libraries, cases: cases.map(WorkerMessage.Reference.init))
    guard let data = try? JSONEncoder().encode(task) else { preconditionFailure("tasks always encode") }
    _ = FileManager.default.createFile(atPath: file, contents: data)
    return WorkerProcess(program: program, arguments: arguments, taskFile: file, timeout: timeout)
  }

  private func ended(_ testCase: TestCase, _ ending: WorkerEnding, _ errors: String) -> CaseResult {
    var result = CaseResult(testCase)
    result.diagnostics = errors
    let first = errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
    switch ending {
    case .signal(let number): (result.verdict, result.reason) = (.crashed, "its process crashed with signal \(number)\(first)")
    case .exit(let code): (result.verdict, result.reason) = (.crashed, "its process ended with code \(code) and without a result\(first)")
    case .slow: (result.verdict, result.reason) = (.timedOut, "no result within \(timeout) s")
    case .notStarted, .interrupted: (result.verdict, result.reason) = (.crashed, "cannot start '\(program)'")
    }
    if ending == .slow { result.seconds = timeout }
    return result
  }

  // MARK: trying again

  private func retry(
    _ batches: [[TestCase]], _ results: inout [String: CaseResult], _ folder: String, _ isInterrupted: () -> Bool
  ) throws(RenderError) {
    var tries = 0
    for (index, batch) in batches.enumerated() {
      for (place, testCase) in batch.enumerated() {
        guard let result = results[testCase.id], result.verdict.isWorthAnotherTry, !isInterrupted() else { continue }
        tries += 1
        guard tries <= Self.mostRetries else {
          results[testCase.id]?.notes.append("not tried again: more than \(Self.mostRetries) cases failed")
          continue
        }
        results[testCase.id] = classified(result, testCase, after: batch[..<place], "\(folder)/again-\(index)-\(place)", isInterrupted)
      }
    }
  }

  /// Runs a failure alone: what fails there, too, is one; what does not hangs on chance, or on what ran before.
  private func classified(
    _ failure: CaseResult, _ testCase: TestCase, after earlier: ArraySlice<TestCase>, _ file: String, _ isInterrupted: () -> Bool
  ) -> CaseResult {
    var result = failure
    func attempt(_ kind: String, _ cases: [TestCase]) -> Bool {
      let answers = work(cases, "\(file)-\(result.attempts.count)", isInterrupted)
      guard let again = answers.first(where: { $0.id == testCase.id }) else { return true }
      result.attempts.append(.init(kind: kind, verdict: again.verdict))
      return again.verdict.isWorthAnotherTry
    }
    if attempt("alone", [testCase]) { return result }
    guard !attempt("alone", [testCase]), !earlier.isEmpty, attempt("batch", earlier + [testCase]) else {
      result.verdict = .flaky
      result.reason = "fails sometimes: \(failure.reason)"
      return result
    }
    result.verdict = .orderDependent
    result.reason = "fails only after others in the same process: \(failure.reason)"
    return result
  }

  private func temporaryFolder() throws(RenderError) -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-test-\(UUID().uuidString)").path
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make the folder '\(folder)'", underlying: error.localizedDescription)
    }
    return folder
  }
}
