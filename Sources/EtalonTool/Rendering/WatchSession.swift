import Etalon
import EtalonDiagnostics
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

/// Waits until one of some files changes.
///
/// It asks for modification times ten times a second: that works on every file system, also where a save replaces the file, and costs nothing that
/// could be measured.
private struct FileWatcher {
  private struct Stamp: Equatable {
    let modified: Date?
    let size: Int?
    /// A save that replaces the file gives it another number, even within the resolution of the time.
    let number: Int?
  }

  private static let interval = 0.1
  private var stamps: [String: Stamp] = [:]

  /// Remembers how the files are now.
  init(_ paths: Set<String>) {
    add(paths)
  }

  /// Remembers how files are now that were not watched before.
  mutating func add(_ paths: Set<String>) {
    for path in paths where stamps[path] == nil { stamps[path] = Self.stamp(path) }
  }

  private static func stamp(_ path: String) -> Stamp {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return Stamp(
      modified: attributes?[.modificationDate] as? Date, size: (attributes?[.size] as? NSNumber)?.intValue,
      number: (attributes?[.systemFileNumber] as? NSNumber)?.intValue)
  }

  /// Returns when a file differs from how it was, or when `isInterrupted` says so.
  func waitForChange(isInterrupted: () -> Bool) {
    while !isInterrupted(), stamps.allSatisfy({ Self.stamp($0) == $1 }) { Thread.sleep(forTimeInterval: Self.interval) }
  }
}
