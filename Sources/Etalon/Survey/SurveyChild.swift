internal import EtalonDiagnostics
internal import EtalonSystem
internal import Foundation

/// A process that surveys one filter.
struct SurveyChild {
  let program: String
  let arguments: [String]
  /// The file that gets its records.
  let output: String
  /// Seconds after which it is ended.
  let timeout: Double

  /// Runs it to its end, and tells how that came where it was no good one.
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

  /// The last line that is whole: it knows most.
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
