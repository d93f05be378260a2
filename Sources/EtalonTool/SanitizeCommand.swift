import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
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
    let settings: SanitizeSettings
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

  private func settings() throws -> SanitizeSettings {
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
