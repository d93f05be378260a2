import Etalon
import EtalonDiagnostics
import EtalonSystem
import Foundation

/// `etalon render --watch`: renders, waits for a change, renders again, until a signal, whose exit code it has; errors in files are printed and waited
/// out.
struct WatchSession {
  let command: RenderCommand
  let report: FailureReport
  let interruption: Interruption

  /// Returns the exit code; throws what no change of a file could help.
  func run() throws -> Int32 {
    try refuseOptions()
    var paths = try namedFiles()
    while !interruption.isRequested {
      // The files are looked at before they are read, so that a change during rendering counts.
      var watcher = FileWatcher(paths)
      do {
        let (command, request) = try command.reading()
        paths.formUnion(request.namedFiles ?? [])
        let session = RenderSession(command: command, request: request, report: report, interruption: interruption)
        let destination = try command.destination(for: request)
        let shot = try session.prepared(ShotRenderer())
        paths.formUnion(shot.files)
        _ = try session.export(shot, to: destination)
      } catch {
        paths.formUnion(Self.files(of: error))
        _ = report.exitCode(for: error)
      }
      watcher.add(paths)
      StandardError.write("watching \(paths.sorted().joined(separator: ", ")); end with ^C\n")
      interruption.patiently { watcher.waitForChange { interruption.isRequested } }
    }
    return interruption.signalNumber.map { 128 + $0 } ?? ExitCode.success.rawValue
  }

  /// Refuses what is rendered once.
  private func refuseOptions() throws {
    try command.refuseBesideStream()
    try command.farm.refuse(for: "'--watch'")
    guard command.values.sweep.isEmpty else {
      throw UsageError("usage.conflict", "'--watch' renders frames again, and no '--sweep'", help: "leave out one of them")
    }
  }

  /// The files that are known before anything is rendered.
  private func namedFiles() throws -> Set<String> {
    let (command, request): (RenderCommand, RenderRequest)
    do { (command, request) = try self.command.reading() } catch {
      guard let document = try self.command.document(), isDiagnostic(error, in: document) else { throw error }
      return [document]
    }
    guard let named = request.namedFiles else {
      throw UsageError("usage.watch", "standard input cannot be watched", help: "name a file instead of '-'")
    }
    _ = try command.destination(for: request)
    return Set(named)
  }

  /// Whether a graph document is to blame, and not the command line.
  private func isDiagnostic(_ error: any Error, in document: String) -> Bool {
    guard error is UsageError else { return true }
    guard let text = try? GraphDocument.read(document) else { return false }
    return (try? RenderRequestParser(command: command, document: text).request()) != nil
  }

  /// The files that errors are in: an include with an error is watched, too.
  private static func files(of error: any Error) -> [String] {
    guard let error = error as? DiagnosticsError else { return [] }
    return error.diagnostics.flatMap(\.labels).map(\.source.path).filter { FileManager.default.fileExists(atPath: $0) }
  }
}
