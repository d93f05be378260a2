import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes

/// `etalon probe`: what the variables of a shader are for one pixel, line by line.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Renders one pixel of a filter and tells what each line of its text assigns.",
    discussion: """
      etalon probe plasma.glsl --pixel 160,90
      etalon probe plasma.glsl --pixel 0,0 --frame 48 --size 1920x1080 --set SPEED=2

      Lines come in the order in which they are reached first; of a line in a loop the first eight values are shown.
      """)

  @Argument(help: ArgumentHelp("A file, a graph document, or a filter by name.", valueName: "filter"))
  var filter: String

  @OptionGroup var libraries: LibraryOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("The pixel: columns from the left, rows from the bottom.", valueName: "x,y"))
  var pixel: String

  @Option(parsing: .unconditional, help: ArgumentHelp("The frame. Default: 0; of graphs the first.", valueName: "number"))
  var frame: String?

  @Option(help: ArgumentHelp("A pass instead of the one that renders the result, by its name in 'etalon plan'.", valueName: "name"))
  var pass: String?

  @OptionGroup var options: ObservedOptions

  func run() throws {
    let report = FailureReport(format: .text)
    let code: EtalonDiagnostics.ExitCode
    do { code = try probe(report) } catch { code = report.exitCode(for: error) }
    if code != .success { throw ArgumentParser.ExitCode(code.rawValue) }
  }

  private func probe(_ report: FailureReport) throws -> EtalonDiagnostics.ExitCode {
    let (settings, prober): (SanitizeSettings, Prober)
    do { (settings, prober) = (try self.settings(), try self.prober()) } catch let error as DiagnosticsError {
      throw UsageError(diagnostics: error.diagnostics)
    }
    let targets = CheckTargets([filter], in: try libraries.open())
    report.print(targets.diagnostics)
    guard let path = targets.paths.first else { return .invalidInput }
    guard targets.paths.count == 1 else {
      throw UsageError("usage.probe", "'\(filter)' holds \(targets.paths.count) filters", help: "name one of them")
    }
    var chosen = settings
    if settings.frames == nil, settings.time == nil, !GraphDocument.isGraph(path) { chosen.frames = FrameRange([0]) }
    let request = try options.request(of: path, chosen, libraries)
    let interruption = Interruption(cleanUp: {})
    let result: Prober.Result?
    do {
      result = try interruption.patiently { try prober.run(request) { interruption.isRequested } }
    } catch let refusal as ProbeRefusal {
      throw usage(refusal)
    }
    guard let result else { return .success }
    report.print(result.warnings)
    StandardOutput.write(text(of: result))
    return .success
  }

  private func settings() throws -> SanitizeSettings {
    var settings = try options.settings(frames: frame == nil ? nil : "--frame")
    if let frame {
      let text = OptionText("--frame", frame), number = try text.frameNumber()
      guard number >= 0 else {
        throw text.error("usage.before-first", "frames count from 0, found \(number)", "before the first", help: ["type '--frame 0'"])
      }
      settings.frames = FrameRange([number])
    }
    return settings
  }

  private func prober() throws -> Prober {
    let parts = pixel.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x >= 0, y >= 0 else {
      throw OptionText("--pixel", pixel).error(
        "usage.pixel", "expected a column and a row, both from 0 on, found '\(pixel)'", "not a pixel", help: ["type '--pixel 160,90'"])
    }
    return Prober(x: x, y: y, pass: pass)
  }

  // MARK: Texts

  private func text(of result: Prober.Result) -> String {
    var lines = result.lines.map(\.text)
    if lines.isEmpty { lines.append("no line assigns anything to a variable of its own") }
    if result.lostCount > 0 { lines.append("… and \(result.lostCount) assignments after these that were too many to keep") }
    if let color = result.color {
      lines.append(
        "color = (\(color.map { "\($0)" }.joined(separator: ", "))) at pixel (\(pixel)) of frame \(result.frame), \(result.size)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func usage(_ refusal: ProbeRefusal) -> UsageError {
    switch refusal {
    case .outside(let x, let y, let size):
      let error = OptionText("--pixel", pixel).error(
        "usage.pixel", "pixel (\(x), \(y)) is not in a picture of \(size)", "outside",
        help: ["columns go from 0 to \(size.width - 1), rows from 0 at the bottom to \(size.height - 1) at the top"])
      return UsageError(diagnostics: error.diagnostics)
    case .pass(let name, let known):
      let error = OptionText("--pass", name).error(
        "usage.pass", "there is no pass '\(name)' that renders pixels", "no such pass", help: ["passes: \(known.joined(separator: ", "))"])
      return UsageError(diagnostics: error.diagnostics)
    }
  }
}
