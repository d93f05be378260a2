import Etalon
import Foundation
import Synchronization

/// Prints the results of a survey as they come, and keeps them.
///
/// **Concurrency**: usable from every thread.
final class SurveyResults: Sendable {
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

  var records: [SurveyRecord] { state.withLock { $0.records } }
  var summary: SurveySummary { state.withLock { $0.summary } }

  func add(_ record: SurveyRecord) {
    let done = state.withLock { state in
      state.records.append(keepsPictures ? record : record.withoutPictures)
      state.summary.add(record)
      return state.records.count
    }
    if isJSON { StandardOutput.write(JSONText.text(record.withoutPictures)) }
    if isTerminal { StandardError.rewrite("\(done)/\(count) \(record.verdict?.rawValue ?? "") \(record.name.onOneLine)") }
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
