package import EtalonDiagnostics
internal import EtalonMedia
internal import Foundation
internal import Synchronization

/// The processes that work for this one, and the folders that they share with it, so that whoever ends it early leaves nothing behind.
///
/// **Concurrency**: usable from every thread; not from inside a signal handler, which may not take locks.
package enum WorkerProcesses {
  private static let running = Mutex<Set<pid_t>>([])
  private static let folders = Mutex<Set<String>>([])

  static func add(_ process: pid_t) { running.withLock { _ = $0.insert(process) } }

  static func remove(_ process: pid_t) { running.withLock { _ = $0.remove(process) } }

  /// Makes a folder for files that are of no use afterwards.
  ///
  /// - Parameter name: what its name begins with.
  package static func makeFolder(_ name: String) throws(RenderError) -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)").path
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make the folder '\(folder)'", underlying: error.localizedDescription)
    }
    folders.withLock { _ = $0.insert(folder) }
    return folder
  }

  package static func removeFolder(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
    folders.withLock { _ = $0.remove(folder) }
  }

  /// Ends all of them at once, and removes the folders and the half-written files of this process.
  package static func endAll() {
    for process in running.withLock({ $0 }) { kill(process, SIGKILL) }
    for folder in folders.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: folder) }
    TemporaryFiles.removeAll()
  }
}
