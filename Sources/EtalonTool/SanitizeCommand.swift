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

      A comment on its line says that a finding is meant: // etalon: allow pow-domain
      """)

  @Argument(help: ArgumentHelp("Files, graph documents, filters by name, and folders of filters.", valueName: "filter"))
  var filters: [String]

  @OptionGroup var libraries: LibraryOptions
  @OptionGroup var options: SanitizeOptions

  @Option(help: ArgumentHelp("How findings are printed: text or json.", valueName: "form"))
  var diagnostics: DiagnosticsFormat = .text

  @Flag(help: "Let findings fail the command with code 65.")
  var warningsAsErrors = false

  func run() throws {
    let report = FailureReport(format: .text)
    let code: EtalonDiagnostics.ExitCode
    do { code = try sanitize(report) } catch { code = report.exitCode(for: error) }
    if code != .success { throw ArgumentParser.ExitCode(code.rawValue) }
  }

  private func sanitize(_ report: FailureReport) throws -> EtalonDiagnostics.ExitCode {
    let settings: SanitizeSettings
    do { settings = try options.settings() } catch let error as DiagnosticsError { throw UsageError(diagnostics: error.diagnostics) }
    let targets = CheckTargets(filters, in: try libraries.open())
    report.print(targets.diagnostics)
    var summary = SanitizeSummary(isJSON: diagnostics == .json)
    let interruption = Interruption(cleanUp: TemporaryFiles.removeAll)
    interruption.patiently {
      for path in targets.paths where !interruption.isRequested {
        do {
          let request = GraphDocument.isGraph(path) ? try graphRequest(path, settings) : try settings.request(of: path)
          summary.add(path, try Sanitizer().run(request) { interruption.isRequested }, report)
        } catch {
          summary.fail(report.exitCode(for: error))
        }
      }
    }
    summary.finish()
    if targets.diagnostics.contains(where: { $0.severity == .error }) { summary.fail(.invalidInput) }
    return summary.exitCode(findingsAreErrors: warningsAsErrors)
  }

  /// What `render` makes of a graph document.
  private func graphRequest(_ path: String, _ settings: SanitizeSettings) throws -> RenderRequest {
    let document = try GraphDocument.read(path)
    var command = try RenderCommand.parse([path])
    command.libraries = libraries
    do {
      let request = try RenderRequestParser(command: DocumentOptions(text: document).applied(to: command), document: document).request()
      return settings.applied(to: request)
    } catch let error as UsageError {
      throw DiagnosticsError(error.diagnostics)
    }
  }
}

/// What is rendered of every filter.
struct SanitizeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width and height in pixels. Default: 320x180; of graphs what they say.", valueName: "WxH"))
  var size: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frames. Default: 0; 0 and 10 of filters with state; 0, 5 and 10 of transitions; of graphs the first.", valueName: "range"))
  var frames: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("A moment instead of frames, in seconds.", valueName: "seconds"))
  var time: String?

  @Option(
    name: .short, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A picture for image inputs, or a WAV file for those that show sounds, in their order; the last is for all that follow. Default: test cards, and silence.",
      valueName: "picture"))
  var i: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A value for a parameter, or for a constant of a shader.", valueName: "NAME=value"))
  var set: [String] = []

  @Option(help: ArgumentHelp("A folder with the pictures that ShaderToy offers, by file name or title.", valueName: "folder"))
  var assets: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The longest that compiling, or a frame, may take, in seconds.", valueName: "seconds"))
  var timeout: String?

  @OptionGroup var dialect: DialectOption

  func settings() throws -> SanitizeSettings {
    var settings = SanitizeSettings()
    settings.size = try size.map { try OptionText("--size", $0).size() }
    settings.frames = try frames.map { try FrameRangeParser.parse($0) }
    if let range = settings.frames { try OptionText("--frames", frames ?? "").refuse(range, before: 0, isGiven: false) }
    settings.time = try time.map { try OptionText("--time", $0).seconds(notBefore: .zero) }
    if frames != nil, let time {
      throw OptionText("--time", time).error(
        "usage.conflict", "'--frames' and '--time' both say which frames are wanted", "the second", help: ["keep one of them"])
    }
    settings.pictures = i
    settings.assets = assets
    settings.dialect = try dialect.name()
    settings.timeout = try timeout.map { try OptionText("--timeout", $0).seconds(above: .zero).double }
    for text in set {
      let (name, value) = try OptionText("--set", text).assignment(example: "SPEED=2.5")
      settings.values.append(.init(name: name, value: value))
    }
    return settings
  }
}
