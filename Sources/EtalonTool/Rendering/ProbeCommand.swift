import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonInspection
import EtalonMedia
import EtalonTypes

/// `etalon probe`: what the variables of a shader are for one pixel, line by line.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Renders one pixel of a filter and tells what each line of its text assigns, or makes a picture of a variable.",
    discussion: """
      etalon probe plasma.glsl --pixel 160,90
      etalon probe plasma.glsl --pixel 0,0 --frame 48 --size 1920x1080 --set SPEED=2
      etalon probe plasma.glsl --watch-variable uv -o uv.png
      etalon probe plasma.glsl --watch-variable color@42 -o color.png --raw color.pfm

      Lines come in the order in which they are reached first; of a line in a loop the first eight values are shown.
      """)

  @Argument(help: ArgumentHelp("A file, a graph document, or a filter by name.", valueName: "filter"))
  var filter: String

  @OptionGroup var libraries: LibraryOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("The pixel: columns from the left, rows from the bottom.", valueName: "x,y"))
  var pixel: String?

  @Option(
    help: ArgumentHelp(
      "A variable, or a part of one, whose last value in each pixel becomes a picture; with a line, the value that the line assigned.",
      valueName: "name[@line]"))
  var watchVariable: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("Where the picture of the variable goes.", valueName: "file.png"))
  var output: String?

  @Option(help: ArgumentHelp("Where the numbers of the variable go as they are.", valueName: "file.pfm"))
  var raw: String?

  @Flag(help: "Replace files that Etalon did not write.")
  var overwrite = false

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
    try checkOptions()
    let settings: InspectionSettings
    do { settings = try self.settings() } catch let error as DiagnosticsError { throw UsageError(diagnostics: error.diagnostics) }
    if let pixel {
      let prober: Prober
      do { prober = try self.prober(pixel) } catch let error as DiagnosticsError { throw UsageError(diagnostics: error.diagnostics) }
      return try observe(report, settings) { request, interruption in
        guard let result = try prober.run(request, isInterrupted: { interruption.isRequested }) else { return }
        report.print(result.warnings)
        StandardOutput.write(text(of: result, pixel))
      }
    }
    let (prober, files) = try variable()
    return try observe(report, settings) { request, interruption in
      guard let picture = try prober.run(request, to: files, isInterrupted: { interruption.isRequested }) else { return }
      report.print(picture.warnings)
      StandardOutput.write(text(of: picture))
    }
  }

  /// Reads the request and hands it over.
  private func observe(
    _ report: FailureReport, _ settings: InspectionSettings, _ body: (RenderRequest, Interruption) throws -> Void
  ) throws -> EtalonDiagnostics.ExitCode {
    let targets = CheckTargets([filter], in: try libraries.open())
    report.print(targets.diagnostics)
    guard let path = targets.paths.first else { return .invalidInput }
    guard targets.paths.count == 1 else {
      throw UsageError("usage.probe", "'\(filter)' holds \(targets.paths.count.of("filter"))", help: "name one of them")
    }
    var chosen = settings
    if settings.frames == nil, settings.time == nil, !GraphDocument.isGraph(path) { chosen.frames = FrameRange([settings.clock.first]) }
    var request = try options.request(of: path, chosen, libraries)
    let interruption = Interruption.shared
    request.cancellation = interruption.cancellation
    do {
      try interruption.patiently { try body(request, interruption) }
      if interruption.isRequested { interruption.cutShort() }
    } catch let error as ProbeError {
      throw usage(error)
    }
    return .success
  }

  private func checkOptions() throws {
    if pixel == nil, watchVariable == nil {
      throw UsageError(
        "usage.probe", "nothing says what is to be looked at", help: "type '--pixel 160,90', or '--watch-variable uv -o uv.png'")
    }
    if pixel != nil, watchVariable != nil {
      throw UsageError("usage.conflict", "'--pixel' looks at one pixel, and '--watch-variable' at all of them", help: "keep one of them")
    }
    if pixel != nil, let option = output.map({ _ in "-o" }) ?? raw.map({ _ in "--raw" }) {
      throw UsageError(
        "usage.conflict", "'\(option)' is for the picture of a variable", help: "add '--watch-variable NAME', or leave it out")
    }
  }

  /// `uv`, or `uv@12`, and where it goes.
  private func variable() throws -> (VariableProber, VariableProber.Files) {
    let parts = (watchVariable ?? "").split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    let line = parts.count == 2 ? Int(parts[1]) : nil
    guard !parts[0].isEmpty, parts.count == 1 || parts.count == 2 && line.map({ $0 > 0 }) ?? false else {
      throw UsageError(
        "usage.variable", "expected a variable, and a line after '@' where one is meant, found '\(watchVariable ?? "")'",
        help: "type '--watch-variable uv', or '--watch-variable uv@12'")
    }
    guard let output else {
      throw UsageError("usage.no-output", "nothing says where the picture of '\(parts[0])' goes", help: "type '-o \(parts[0]).png'")
    }
    try RenderCommand.checkExtension(output, option: "--output")
    if let raw, !raw.lowercased().hasSuffix(".pfm") {
      throw UsageError("usage.format", "'--raw' writes PFM files, and '\(raw)' does not end in .pfm", help: "type '--raw \(parts[0]).pfm'")
    }
    return (
      VariableProber(variable: parts[0], line: line, pass: pass), .init(picture: output, numbers: raw, overwrites: overwrite)
    )
  }

  private func settings() throws -> InspectionSettings {
    var settings = try options.settings(frames: frame == nil ? nil : "--frame")
    if let frame {
      let text = OptionText("--frame", frame), number = try text.frameNumber()
      let first = settings.clock.first
      guard number >= first else {
        throw text.error(
          "usage.before-first", "frames count from \(first), found \(number)", "before the first", help: ["type '--frame \(first)'"])
      }
      settings.frames = FrameRange([number])
      try settings.refuseFramesOutsideShot([text.label("outside")])
    }
    return settings
  }

  private func prober(_ pixel: String) throws -> Prober {
    let parts = pixel.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x >= 0, y >= 0 else {
      throw OptionText("--pixel", pixel).error(
        "usage.pixel", "expected a column and a row, both from 0 on, found '\(pixel)'", "not a pixel", help: ["type '--pixel 160,90'"])
    }
    return Prober(x: x, y: y, pass: pass)
  }

  // MARK: Texts

  private func text(of result: Prober.Result, _ pixel: String) -> String {
    var lines = result.lines.map(\.text)
    if lines.isEmpty { lines.append("no line assigns anything to a variable of its own") }
    if result.lostCount > 0 { lines.append("… and \(result.lostCount) assignments after these that were too many to keep") }
    if let color = result.color {
      lines.append(
        "color = (\(color.map { "\($0)" }.joined(separator: ", "))) at pixel (\(pixel)) of frame \(result.frame), \(result.size)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func text(of picture: VariablePicture) -> String {
    let path = output ?? ""
    var lines = ["\(path): '\(watchVariable ?? "")' of frame \(picture.frame), \(picture.size)"]
    if let range = picture.range { lines.append("  black is \(range.lowerBound), white is \(range.upperBound)") }
    if picture.componentCount > 1 {
      let names = ["red is x", "green is y", "blue is z", "w is not shown"]
      lines.append("  \(names.prefix(picture.componentCount).joined(separator: ", "))")
    }
    if picture.notFiniteCount > 0 { lines.append("  NaN or infinity in \(picture.notFiniteCount.of("pixel")): magenta") }
    let missing = picture.size.pixelCount - picture.assignedCount
    if missing > 0 { lines.append("  \(missing.of("pixel never gets", "pixels never get")) there: transparent") }
    return lines.map { $0 + "\n" }.joined()
  }

  private func usage(_ error: ProbeError) -> UsageError {
    switch error {
    case .outside(let x, let y, let size):
      let error = OptionText("--pixel", pixel ?? "").error(
        "usage.pixel", "pixel (\(x), \(y)) is not in a picture of \(size)", "outside",
        help: ["columns go from 0 to \(size.width - 1), rows from 0 at the bottom to \(size.height - 1) at the top"])
      return UsageError(diagnostics: error.diagnostics)
    case .variable(let name, let line, let known):
      let place = line.map { " at line \($0)" } ?? ""
      let near = NearestName.find(name, in: known).map { "did you mean '\($0)'?" }
      return UsageError(
        "usage.variable", "nothing assigns '\(name)'\(place)",
        help: near ?? (known.isEmpty ? "the pass assigns no variables there" : "variables: \(known.prefix(20).joined(separator: ", "))"))
    case .pass(let name, let known):
      let error = OptionText("--pass", name).error(
        "usage.pass", "there is no pass '\(name)' that renders pixels", "no such pass", help: ["passes: \(known.joined(separator: ", "))"])
      return UsageError(diagnostics: error.diagnostics)
    }
  }
}
