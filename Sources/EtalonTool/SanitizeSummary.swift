import Etalon
import EtalonDiagnostics
import Foundation

/// Prints what a sanitizer finds, and counts it.
struct SanitizeSummary {
  private let isJSON: Bool
  private var filters = 0
  private var failures = 0
  private var counts: [FindingSeverity: Int] = [:]
  private var waived = 0
  private var frames = 0
  private var worst = EtalonDiagnostics.ExitCode.success

  init(isJSON: Bool) { self.isJSON = isJSON }

  mutating func add(_ path: String, _ result: Sanitizer.Result, _ report: FailureReport) {
    filters += 1
    frames += result.frameCount
    waived += result.waivedCount
    for finding in result.findings { counts[finding.severity, default: 0] += 1 }
    if isJSON {
      for finding in result.findings { StandardOutput.write(FindingJSON(path, finding).line) }
    } else {
      StandardOutput.write(DiagnosticPrinter().text(result.findings.map(\.diagnostic)))
    }
  }

  mutating func fail(_ code: EtalonDiagnostics.ExitCode) {
    failures += 1
    if worst == .success { worst = code }
  }

  func finish() {
    guard !isJSON, filters > 0 else { return }
    let total = counts.values.reduce(0, +)
    let parts = FindingSeverity.allCases.compactMap { severity in counts[severity].map { "\($0) \(severity.rawValue)" } }
    var line = "sanitized \(Self.count(filters, "filter")), \(Self.count(frames, "frame")): "
    line += total == 0 ? "nothing found" : "\(Self.count(total, "finding")) (\(parts.joined(separator: ", ")))"
    if failures > 0 { line += "; \(failures == 1 ? "1 other" : "\(failures) others") could not be rendered" }
    if waived > 0 { line += "; \(waived) allowed by comments" }
    StandardOutput.write(line + "\n")
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// The code of the command.
  func exitCode(findingsAreErrors: Bool) -> EtalonDiagnostics.ExitCode {
    if worst != .success { return worst }
    return findingsAreErrors && !counts.isEmpty ? .invalidInput : .success
  }
}

/// A finding as a line of JSON for programs.
private struct FindingJSON: Encodable {
  private struct Place: Encodable {
    let path: String
    let line: Int
    let column: Int
  }

  private let version = 1
  private let filter: String
  private let id: String
  private let severity: String
  private let message: String
  private let place: Place?
  private let calls: [Place]
  private let count: Int
  private let frame: Int
  private let pixel: [Int]?
  private let operands: [String: String]
  private let rule: String
  private let help: [String]

  init(_ filter: String, _ finding: Finding) {
    self.filter = filter
    id = finding.id
    severity = finding.severity.rawValue
    message = finding.message
    let labels = finding.diagnostic.labels.map { label in
      let (line, column) = label.source.position(at: label.range.lowerBound)
      return Place(path: label.source.path, line: line, column: column)
    }
    place = labels.first
    calls = Array(labels.dropFirst())
    count = finding.count
    frame = finding.frame
    pixel = finding.pixel
    operands = Dictionary(finding.operands.map { ($0.name, $0.value) }) { first, _ in first }
    rule = finding.rule
    help = finding.help
  }

  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("strings and integers always encode") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
