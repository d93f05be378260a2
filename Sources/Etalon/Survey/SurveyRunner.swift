package import EtalonDiagnostics
internal import EtalonSystem
internal import Foundation
internal import Synchronization

/// Surveys every filter in a process of its own, so that a crash or a hang is the business of one file.
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

/// The targets that nobody took yet.
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
