import ArgumentParser
import Etalon
import EtalonDiagnostics
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
      etalon sanitize plasma.glsl --map where.png

      A comment on its line says that a finding is meant: // etalon: allow pow-domain
      """)

  @Argument(help: ArgumentHelp("Files, graph documents, filters by name, and folders of filters.", valueName: "filter"))
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

  @Flag(help: "Let findings fail the command with code 65.")
  var warningsAsErrors = false

  @Option(
    help: ArgumentHelp(
      "A picture of where in the last frame it happened, to be written; what its colors stand for is printed. For one filter.",
      valueName: "file.png"))
  var map: String?

  @Flag(help: "Let the map replace a file that Etalon did not write.")
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
    let targets = CheckTargets(filters, in: try libraries.open())
    report.print(targets.diagnostics)
    let file = try mapFile(of: targets.paths)
    var summary = SanitizeSummary(isJSON: diagnostics == .json)
    let interruption = Interruption(cleanUp: TemporaryFiles.removeAll)
    interruption.patiently {
      for path in targets.paths where !interruption.isRequested {
        do {
          let request = try options.request(of: path, settings, libraries)
          summary.add(path, try Sanitizer(isQuick: quick).run(request, map: file) { interruption.isRequested }, map: map)
        } catch {
          summary.fail(report.exitCode(for: error))
        }
      }
    }
    summary.finish()
    if targets.diagnostics.contains(where: { $0.severity == .error }) { summary.fail(.invalidInput) }
    return summary.exitCode(findingsAreErrors: warningsAsErrors)
  }

  private func settings() throws -> SanitizeSettings {
    var settings = try options.settings(frames: frames == nil ? nil : "--frames")
    if let frames {
      settings.frames = try FrameRangeParser.parse(frames)
      if let range = settings.frames { try OptionText("--frames", frames).refuse(range, before: 0, isGiven: false) }
    }
    return settings
  }

  /// Where the map goes; nil where there is to be none.
  private func mapFile(of paths: [String]) throws -> MapFile? {
    guard let map else { return nil }
    try RenderCommand.checkExtension(map, option: "--map")
    if quick {
      throw UsageError("usage.conflict", "'--quick' looks only at parts of the picture that '--map' is to show", help: "keep one of them")
    }
    guard paths.count <= 1 else {
      throw UsageError("usage.map", "'--map' is the picture of one filter, and there are \(paths.count)", help: "name one filter")
    }
    return MapFile(map, overwrites: overwrite)
  }
}
