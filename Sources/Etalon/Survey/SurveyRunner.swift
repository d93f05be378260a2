package import EtalonDiagnostics
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
  ///   - program: the program that surveys one filter and prints a record in JSON for every step, one a line.
  ///   - arguments: what it is told before the path of the filter.
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
    let queue = SurveyQueue(targets)
    let results = OrderedResults(observe)
    SharedWork.perform(min(jobs, targets.count), mostlyWaits: true) { _ in
      while !isInterrupted(), let (place, target) = queue.next() {
        let record = survey(target, place, folder, isInterrupted)
        if !isInterrupted() { results.add(record, at: place) }
      }
    }
  }

  private func survey(_ target: SurveyTarget, _ place: Int, _ folder: String, _ isInterrupted: () -> Bool) -> SurveyRecord {
    var path = target.name
    if let line = target.line {
      path = "\(folder)/\(place)/\(line.stem)-\(line.number).json"
      try? FileManager.default.createDirectory(atPath: "\(folder)/\(place)", withIntermediateDirectories: false)
      _ = FileManager.default.createFile(atPath: path, contents: line.bytes)
    }
    let child = SurveyChild(program: program, arguments: arguments + [path], output: "\(folder)/\(place).records", timeout: timeout)
    var record = child.run(isInterrupted: isInterrupted)
    if let line = target.line {
      let file = ShellWord.quoted("\(line.stem)-\(line.number).json")
      let source = "sed -n \(line.number)p \(ShellWord.quoted(line.path)) > \(file)\n"
      if !record.command.isEmpty { record.command = source + record.command.replacingOccurrences(of: ShellWord.quoted(path), with: file) }
      record.reason = record.reason.replacingOccurrences(of: path, with: target.name)
      record.diagnostics = record.diagnostics.replacingOccurrences(of: path, with: target.name)
    }
    record.name = target.name
    return record
  }
}

/// The targets that no thread has taken yet.
private final class SurveyQueue: Sendable {
  private let targets: [SurveyTarget]
  private let taken = Mutex(0)

  init(_ targets: [SurveyTarget]) { self.targets = targets }

  func next() -> (place: Int, SurveyTarget)? {
    let place = taken.withLock { taken in
      defer { taken += 1 }
      return taken
    }
    return place < targets.count ? (place, targets[place]) : nil
  }
}

// MARK: a process for each file

/// A process that surveys one filter.
private struct SurveyChild {
  let program: String
  let arguments: [String]
  /// The file that gets its records.
  let output: String
  /// Seconds after which it is ended.
  let timeout: Double

  /// Runs it to its end, and tells why, where it did not end well.
  func run(isInterrupted: () -> Bool) -> SurveyRecord {
    var record = SurveyRecord(name: "")
    let start = ContinuousClock.now
    let ending: Ending
    do throws(RenderError) { ending = try self.ending(isInterrupted) } catch {
      (record.verdict, record.reason) = (.failed, [error.message, error.underlying].compactMap(\.self).joined(separator: ": "))
      return record
    }
    record = lastRecord() ?? record
    guard record.verdict == nil || ending != .success || !record.step.isEmpty else { return record }
    let step = record.step.isEmpty ? "" : " while \(record.step)"
    switch ending {
    case .success: (record.verdict, record.reason) = (.failed, "ended without a result\(step)")
    case .code(let code): (record.verdict, record.reason) = (.failed, "ended with code \(code)\(step)")
    case .signal(let number): (record.verdict, record.reason) = (.failed, "crashed with signal \(number)\(step)")
    case .slow where record.verdict == .differs: record.reason += "; no reason found within \(Self.text(timeout)) s"
    case .slow: (record.verdict, record.reason) = (.slow, "no result after \(Self.text(timeout)) s\(step)")
    }
    record.diagnostics += errors()
    record.seconds = Double((ContinuousClock.now - start).components.seconds)
    return record
  }

  private enum Ending: Equatable {
    case success
    case code(Int32)
    case signal(Int32)
    case slow
  }

  private var errorFile: String { output + ".errors" }

  private func ending(_ isInterrupted: () -> Bool) throws(RenderError) -> Ending {
    let process = try ChildProcess(program, arguments, output: output, errors: errorFile)
    let deadline = ContinuousClock.now + .seconds(timeout)
    while true {
      switch process.wait(0.1) {
      case .exit(0): return .success
      case .exit(let code): return .code(code)
      case .signal(let number): return .signal(number)
      case nil where ContinuousClock.now > deadline || isInterrupted():
        process.end()
        return .slow
      case nil: break
      }
    }
  }

  /// The last line that is whole: each record holds what those before it hold.
  private func lastRecord() -> SurveyRecord? {
    let data = FileManager.default.contents(atPath: output) ?? Data()
    let decoder = JSONDecoder()
    for line in data.split(separator: 0x0A).reversed() {
      if let record = try? decoder.decode(SurveyRecord.self, from: Data(line)) { return record }
    }
    return nil
  }

  /// The end of what it printed about itself.
  private func errors() -> String {
    let data = FileManager.default.contents(atPath: errorFile) ?? Data()
    return String(decoding: data.suffix(4096), as: UTF8.self)
  }

  private static func text(_ seconds: Double) -> String { seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)" }
}

// MARK: order

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
