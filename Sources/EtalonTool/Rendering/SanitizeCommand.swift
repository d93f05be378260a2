import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonInspection
import EtalonMedia
import EtalonTypes

/// `etalon sanitize`: what the texts of filters do that has no defined result, at their lines.
struct SanitizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sanitize",
    abstract: "Renders filters watched, and tells what they do that GLSL leaves undefined: line, pixel, operands.",
    discussion: """
      etalon sanitize plasma.glsl
      etalon sanitize ./Filters --size 64x64 --frames 0,10
      etalon sanitize graph.yaml --warnings-as-errors
      etalon sanitize 'photo.png | gaussian-blur sigma=8'
      etalon sanitize plasma.glsl --map where.png --map stability=stable.png

      A comment on its line says that a finding is meant: // etalon: allow pow-domain
      """)

  @Argument(
    help: ArgumentHelp(
      "Files, graph documents, filters by name, folders of filters, and stages in one argument, with ' | ' between.", valueName: "filter"))
  var filters: [String]

  @OptionGroup var libraries: LibraryOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frames. Default: 0; 0 and 10 of filters with state; 0, 5 and 10 of transitions; of graphs the first.", valueName: "range"))
  var frames: String?

  @OptionGroup var options: ObservedOptions

  @Option(help: ArgumentHelp("How findings are printed: text or json.", valueName: "form"))
  var diagnostics: DiagnosticsFormat = .text

  @Flag(help: "Let findings fail the command with code 65; those that no device shows only with --all.")
  var warningsAsErrors = false

  @Flag(help: "Tell of what is undefined and yet the same on every device, too: 'smoothstep' with falling edges.")
  var all = false

  @Option(
    help: ArgumentHelp(
      """
      A picture of the last frame, to be written: where findings happened, or with a word in front how many 'instructions' pixels take, where \
      their first 'nan' comes from, their 'stability' under errors that devices may make. What its colors stand for is printed. For one filter.
      """,
      valueName: "[what=]file.png"))
  var map: [String] = []

  @Flag(help: "Let maps replace files that Etalon did not write.")
  var overwrite = false

  @Flag(
    help: """
      Look only at edges, at the middle and at a grid of the picture, which takes a fifth of the time and may miss things. Passes that others \
      read are looked at as a whole.
      """)
  var quick = false

  func run() throws {
    let report = FailureReport(format: .text)
    let code: EtalonDiagnostics.ExitCode
    do { code = try sanitize(report) } catch { code = report.exitCode(for: error) }
    if code != .success { throw ArgumentParser.ExitCode(code.rawValue) }
  }

  private func sanitize(_ report: FailureReport) throws -> EtalonDiagnostics.ExitCode {
    let settings: InspectionSettings
    do { settings = try self.settings() } catch let error as DiagnosticsError { throw UsageError(diagnostics: error.diagnostics) }
    let chains = filters.filter { StageParser.isNeeded(for: [$0]) }
    let targets = CheckTargets(filters.filter { !chains.contains($0) }, in: try libraries.open())
    report.print(targets.diagnostics)
    let paths = targets.paths + chains
    let files = try mapFiles(of: paths)
    var summary = SanitizeSummary(isJSON: diagnostics == .json, showsAll: all)
    let interruption = Interruption.shared
    interruption.patiently {
      for path in paths where !interruption.isRequested {
        do {
          var request = try options.request(of: path, settings, libraries)
          request.cancellation = interruption.cancellation
          let result = try Sanitizer(isQuick: quick).run(request, maps: files) { interruption.isRequested }
          report.print([result.noteOfLength].compactMap(\.self))
          summary.add(path, result)
        } catch {
          summary.fail(report.exitCode(for: error))
        }
      }
    }
    if interruption.isRequested { interruption.cutShort() }
    summary.finish()
    if targets.diagnostics.contains(where: { $0.severity == .error }) { summary.fail(.invalidInput) }
    return summary.exitCode(findingsAreErrors: warningsAsErrors)
  }

  private func settings() throws -> InspectionSettings {
    var settings = try options.settings(frames: frames == nil ? nil : "--frames")
    if let frames {
      settings.frames = try FrameRangeParser.parse(frames)
      if let range = settings.frames {
        let option = OptionText("--frames", frames)
        try option.refuse(range, before: settings.clock.first, isGiven: options.first != nil)
        try settings.refuseFramesOutsideShot([option.label("outside")])
      }
    }
    return settings
  }

  /// Where maps go.
  private func mapFiles(of paths: [String]) throws -> [MapFile] {
    guard !map.isEmpty else { return [] }
    let files = try map.map { try mapFile($0) }
    if quick {
      throw UsageError("usage.conflict", "'--quick' looks only at parts of the picture that '--map' is to show", help: "keep one of them")
    }
    guard paths.count <= 1 else {
      throw UsageError("usage.map", "'--map' is the picture of one filter, and there are \(paths.count)", help: "name one filter")
    }
    for (index, file) in files.enumerated() where files[..<index].contains(where: { $0.path == file.path }) {
      throw UsageError("usage.same-name", "two maps are to be written to '\(file.path)'", help: "give them different names")
    }
    return files
  }

  /// `where.png`, or `stability=stable.png`.
  private func mapFile(_ text: String) throws -> MapFile {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if let kind = MapKind(rawValue: parts[0]) {
      guard parts.count == 2, !parts[1].isEmpty else {
        throw UsageError(
          "usage.map", "'--map \(text)' does not say where the picture goes", help: "type '--map \(parts[0])=\(parts[0]).png'")
      }
      try RenderCommand.checkExtension(parts[1], option: "--map")
      return MapFile(kind, parts[1], overwrites: overwrite)
    }
    if parts.count == 2, !parts[0].contains("/"), !parts[0].contains(".") {
      let kinds = MapKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw UsageError("usage.map", "there is no map of '\(parts[0])'", help: "maps: \(kinds)")
    }
    try RenderCommand.checkExtension(text, option: "--map")
    return MapFile(.findings, text, overwrites: overwrite)
  }
}

// MARK: results

/// Prints what a sanitizer finds, and counts it.
private struct SanitizeSummary {
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
  private let pixels: Int?
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
    pixels = finding.isPixelCountExact ? finding.pixelCount : nil
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
    let text: String
    let pixels: Int
  }

  private let version = 1
  private let filter: String
  private let kind: String
  private let map: String
  private let frame: Int
  private let pass: String
  private let legend: [Entry]
  private let notes: [String]

  init(_ filter: String, _ map: PictureMap, _ path: String) {
    self.filter = filter
    kind = map.kind.rawValue
    self.map = path
    (frame, pass, notes) = (map.frame, map.pass, map.notes)
    legend = map.legend.map { Entry(color: $0.colorText, text: $0.text, pixels: $0.pixelCount) }
  }
}
