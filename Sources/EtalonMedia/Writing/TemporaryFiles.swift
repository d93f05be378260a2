import Glibc
import Synchronization

/// The half-written files of this process, so that whoever ends it early can remove them.
///
/// **Concurrency**: usable from every thread; not from inside a signal handler, which may not take locks.
package enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Removes all half-written files; the writes that are under way fail when they finish.
  package static func removeAll() {
    let left = paths.withLock { paths in
      defer { paths.removeAll() }
      return paths
    }
    for path in left { _ = unsafe unlink(path) }
  }

  /// How many files are being written.
  package static var count: Int { paths.withLock { $0.count } }

  /// Claims a name; false when another write of this process has it.
  static func add(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }

  /// Gives a name back; false when `removeAll` took the file away.
  @discardableResult static func remove(_ path: String) -> Bool { paths.withLock { $0.remove(path) != nil } }
}
