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

  /// - Parameter mapPath: where the map of the result was written.
  mutating func add(_ path: String, _ result: Sanitizer.Result, map mapPath: String?) {
    filters += 1
    frames += result.frameCount
    waived += result.waivedCount
    for finding in result.findings { counts[finding.severity, default: 0] += 1 }
    if isJSON {
      for finding in result.findings { StandardOutput.write(jsonLine(FindingJSON(path, finding))) }
    } else {
      StandardOutput.write(DiagnosticPrinter().text(result.findings.map(\.diagnostic)))
    }
    if let map = result.map, let mapPath {
      StandardOutput.write(isJSON ? jsonLine(MapJSON(path, map, mapPath)) : Self.legend(map, mapPath))
    }
  }

  private static func legend(_ map: FindingMap, _ path: String) -> String {
    var table = TextTable()
    for entry in map.legend { table.add([entry.colorText, entry.id, count(entry.pixelCount, "pixel")]) }
    var lines = ["\(path): frame \(map.frame) of pass '\(map.pass)', \(map.size)"] + table.lines()
    if map.legend.isEmpty { lines.append("  nothing happened in this pass") }
    if map.elsewhere > 0 { lines.append("  \(count(map.elsewhere, "finding")) in other passes") }
    return lines.map { $0 + "\n" }.joined()
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
}

/// What a map shows, as a line of JSON for programs.
private struct MapJSON: Encodable {
  private struct Entry: Encodable {
    let color: String
    let id: String
    let pixels: Int
  }

  private let version = 1
  private let filter: String
  private let map: String
  private let frame: Int
  private let pass: String
  private let legend: [Entry]
  private let elsewhere: Int

  init(_ filter: String, _ map: FindingMap, _ path: String) {
    self.filter = filter
    self.map = path
    (frame, pass, elsewhere) = (map.frame, map.pass, map.elsewhere)
    legend = map.legend.map { Entry(color: $0.colorText, id: $0.id, pixels: $0.pixelCount) }
  }
}

private func jsonLine(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { preconditionFailure("strings and integers always encode") }
  return String(decoding: data, as: UTF8.self) + "\n"
}
