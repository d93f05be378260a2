import Etalon
import EtalonDiagnostics
import EtalonTypes

/// Prints what a sanitizer finds, and counts it.
struct SanitizeSummary {
  private let isJSON: Bool
  /// Whether findings are printed that every device bears alike.
  private let showsAll: Bool
  private var filters = 0
  private var failures = 0
  private var counts: [FindingSeverity: Int] = [:]
  private var folded = 0
  private var waived = 0
  private var frames = 0
  private var worst = EtalonDiagnostics.ExitCode.success

  init(isJSON: Bool, showsAll: Bool) { (self.isJSON, self.showsAll) = (isJSON, showsAll) }

  private func isFolded(_ finding: Finding) -> Bool { !showsAll && finding.severity.isFolded }

  mutating func add(_ path: String, _ result: Sanitizer.Result) {
    filters += 1
    frames += result.frameCount
    waived += result.waivedCount
    let told = result.findings.filter { !isFolded($0) }
    for finding in told { counts[finding.severity, default: 0] += 1 }
    folded += result.findings.count - told.count
    if isJSON {
      for finding in result.findings { StandardOutput.write(JSONText.text(FindingJSON(path, finding))) }
    } else {
      StandardOutput.write(DiagnosticPrinter().text(told.map(\.diagnostic)))
    }
    for (file, map) in result.maps {
      StandardOutput.write(isJSON ? JSONText.text(MapJSON(path, map, file.path)) : Self.legend(map, file.path))
    }
  }

  private static func legend(_ map: PictureMap, _ path: String) -> String {
    var table = TextTable()
    for entry in map.legend { table.add([entry.colorText, entry.text, entry.pixelCount.of("pixel")]) }
    var lines = ["\(path): \(map.kind.rawValue) of frame \(map.frame) of pass '\(map.pass)', \(map.size)"] + table.lines()
    lines += map.notes.map { "  \($0)" }
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
    var line = "sanitized \(filters.of("filter")), \(frames.of("frame")): "
    line += total == 0 ? "nothing found" : "\(total.of("finding")) (\(parts.joined(separator: ", ")))"
    if failures > 0 { line += "; \(failures.of("other")) could not be rendered" }
    if waived > 0 { line += "; \(waived) allowed by comments" }
    StandardOutput.write(line + "\n")
    if folded > 0 {
      StandardOutput.write("\(folded.of("more finding")) that no device shows (portable-in-practice): '--all' tells where\n")
    }
  }

  /// The code of the command.
  func exitCode(findingsAreErrors: Bool) -> EtalonDiagnostics.ExitCode {
    if worst != .success { return worst }
    return findingsAreErrors && !counts.isEmpty ? .invalidInput : .success
  }
}
