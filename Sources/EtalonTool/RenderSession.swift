import Etalon
import EtalonDiagnostics
import EtalonMedia
import Foundation

/// One run of `etalon render`: prepares the shot, exports it, and again for every change under `--watch`.
struct RenderSession {
  let command: RenderCommand
  let request: RenderRequest
  let report: FailureReport
  /// Reads again what changes under `--watch`.
  let reread: () throws -> (RenderCommand, RenderRequest)
  let interruption = Interruption(cleanUp: TemporaryFiles.removeAll)

  /// Renders and returns the exit code.
  func run() throws -> Int32 {
    guard command.running.watch else { return try renderOnce() }
    return try watch()
  }

  private func renderOnce() throws -> Int32 {
    let renderer = ShotRenderer()
    if let sweep = try command.sweep(of: request) { return try render(sweep, with: renderer) }
    if let format = try command.streamFormat(for: request) { return try stream(format, with: renderer) }
    let destination = try command.destination(for: request)
    let shot = try renderer.prepare(request)
    try report(shot.warnings)
    let code = try export(shot, to: destination)
    try renderer.checkValidation()
    return code
  }

  private func export(_ shot: Shot, to destination: SequenceExport.Destination) throws -> Int32 {
    let display = command.running.progressDisplay(report)
    let interruption = interruption
    let export = SequenceExport(shot, to: destination) {
      display.show($0)
    } isInterrupted: {
      interruption.isRequested
    }
    let summary = try interruption.patiently { try export.run() }
    display.finish(summary)
    return code(summary)
  }

  /// Writes the frames to standard output.
  private func stream(_ format: FrameStreamFormat, with renderer: ShotRenderer) throws -> Int32 {
    let shot = try renderer.prepare(request)
    try report(shot.warnings)
    let interruption = interruption
    let export = PipeExport(shot, as: format) { (bytes: [UInt8]) throws(RenderError) in
      try StandardOutput.write(bytes)
    } isInterrupted: {
      interruption.isRequested
    }
    let summary: RenderSummary
    do {
      summary = try interruption.patiently { try export.run() }
    } catch {
      // What became of standard output is told at the end of the command.
      if StandardOutput.hasFailed { return ExitCode.success.rawValue }
      throw error
    }
    try renderer.checkValidation()
    return code(summary)
  }

  private func render(_ sweep: Sweep, with renderer: ShotRenderer) throws -> Int32 {
    let display = command.running.progressDisplay(report)
    let interruption = interruption
    let summary = try interruption.patiently {
      try sweep.run(request, with: renderer) {
        try report($0.warnings)
      } observe: {
        display.show($0)
      } isInterrupted: {
        interruption.isRequested
      }
    }
    display.finish(summary)
    return code(summary)
  }

  private func code(_ summary: RenderSummary) -> Int32 {
    if summary.failed > 0 { return ExitCode.someFramesFailed.rawValue }
    if summary.wasInterrupted, let signal = interruption.signalNumber { return 128 + signal }
    return ExitCode.success.rawValue
  }

  private func report(_ warnings: [Diagnostic]) throws {
    guard !warnings.isEmpty else { return }
    report.print(warnings)
    if command.running.warningsAsErrors {
      throw DiagnosticsError(
        [
          Diagnostic(
            "usage.warnings", "\(warnings.count) warning\(warnings.count == 1 ? "" : "s"), which '--warnings-as-errors' makes fail")
        ])
    }
  }

  /// Renders, waits for a change, renders again, until a signal; mistakes are printed and waited out.
  private func watch() throws -> Int32 {
    guard let named = request.namedFiles else {
      throw UsageError("usage.watch", "standard input cannot be watched", help: "name a file instead of '-'")
    }
    _ = try command.destination(for: request)
    var paths = Set(named)
    while !interruption.isRequested {
      // Looked at before they are read: a change during rendering counts.
      var watcher = FileWatcher(paths)
      do {
        let (command, request) = try reread()
        paths.formUnion(request.namedFiles ?? [])
        let destination = try command.destination(for: request)
        let shot = try ShotRenderer().prepare(request)
        paths.formUnion(shot.files)
        try report(shot.warnings)
        _ = try export(shot, to: destination)
      } catch {
        paths.formUnion(Self.files(of: error))
        _ = report.exitCode(for: error)
      }
      watcher.add(paths)
      StandardError.write("watching \(paths.sorted().joined(separator: ", ")); end with ^C\n")
      interruption.patiently { watcher.waitForChange { interruption.isRequested } }
    }
    return ExitCode.success.rawValue
  }

  /// The files that mistakes are in: an include with a mistake is watched, too.
  private static func files(of error: any Error) -> [String] {
    guard let error = error as? DiagnosticsError else { return [] }
    return error.diagnostics.flatMap(\.labels).map(\.source.path).filter { FileManager.default.fileExists(atPath: $0) }
  }
}

extension RunOptions {
  /// JSON where it was asked for, a bar on a terminal, nothing in a pipe.
  func progressDisplay(_ report: FailureReport) -> any ProgressDisplay {
    if json { return JSONProgress(report: report) }
    return isatty(STDERR_FILENO) == 1 ? TerminalProgress(report: report) : QuietProgress(report: report)
  }
}
