package import EtalonDiagnostics
internal import Foundation
internal import Glibc
internal import Synchronization

/// The files and folders of this process that are not complete yet or of no use afterwards, so that code that ends it early can remove them.
///
/// Their names are random and tell who made them, so that no two processes write one file, also in containers that share a folder. The first that
/// a process makes in a folder also removes what processes left there that have ended, or that nothing was written to for an hour by the clock of the folder's
/// file system.
///
/// **Concurrency**: usable from every thread; not from inside a signal handler, which may not take locks.
package enum TemporaryFiles {
  /// After so many seconds without a change, what a process of another machine or container made counts as left behind.
  private static let lease = 3600

  private static let paths = Mutex<Set<String>>([])
  private static let sweptFolders = Mutex<Set<String>>([])

  /// How many files and folders are being written.
  package static var count: Int { paths.withLock { $0.count } }

  /// Removes all of them; the writes that are under way fail when they finish.
  package static func removeAll() {
    let left = paths.withLock { paths in
      defer { paths.removeAll() }
      return paths
    }
    for path in left { discard(path) }
  }

  /// Has the next file in each folder remove again what processes left there that have ended, because one may have ended since.
  package static func sweepAgain() { sweptFolders.withLock { $0.removeAll() } }

  /// Makes a file that is going to be renamed; returns its path and its descriptor for writing.
  ///
  /// - Returns: nil when the system refuses, which `errno` tells.
  package static func makeFile(for path: String, permissions: UInt32 = 0o666) -> (path: String, descriptor: Int32)? {
    let (folder, name) = split(path)
    while true {
      let temporary = folder + TemporaryName.new(for: name)
      let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { return nil }
      _ = paths.withLock { $0.insert(temporary) }
      sweep(folder) {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.st_mtim.tv_sec : nil
      }
      return (temporary, descriptor)
    }
  }

  /// Makes a folder that is going to be renamed.
  ///
  /// - Returns: nil when the system refuses, which `errno` tells.
  package static func makeFolder(for path: String) -> String? {
    makeFolder(for: path, permissions: 0o777) { temporary in
      var status = stat()
      return unsafe stat(temporary, &status) == 0 ? status.st_mtim.tv_sec : nil
    }
  }

  private static func makeFolder(for path: String, permissions: mode_t, now: (String) -> Int?) -> String? {
    let (folder, name) = split(path)
    while true {
      let temporary = folder + TemporaryName.new(for: name)
      let code = unsafe mkdir(temporary, permissions)
      if code != 0, errno == EEXIST { continue }
      guard code == 0 else { return nil }
      _ = paths.withLock { $0.insert(temporary) }
      sweep(folder) { now(temporary) }
      return temporary
    }
  }

  /// Makes a folder in the system's folder for temporary files, for files that are of no use afterwards.
  ///
  /// - Parameter name: what its name begins with.
  package static func makeFolder(_ name: String) throws(RenderError) -> String {
    let place = FileManager.default.temporaryDirectory.path
    // A folder may be in use for hours without a new file in it, so that its age tells nothing.
    guard let folder = makeFolder(for: "\(place)/\(name)", permissions: 0o700, now: { _ in nil }) else {
      throw RenderError(
        .cannotWrite, "cannot make a folder in '\(place)'", operation: "mkdir", underlying: unsafe String(cString: strerror(errno)))
    }
    return folder
  }

  /// Whether a name is one that this type makes.
  package static func isName(_ name: String) -> Bool { TemporaryName(name) != nil }

  /// Gives a file or folder back that has its place now; false when `removeAll` took it away.
  @discardableResult package static func release(_ path: String) -> Bool { paths.withLock { $0.remove(path) != nil } }

  /// Removes a file or folder of this process.
  package static func remove(_ path: String) { if release(path) { discard(path) } }

  /// Removes what is at a path, links not followed; a folder goes with everything in it.
  private static func discard(_ path: String) {
    if unsafe unlink(path) != 0, errno == EISDIR || errno == EPERM { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The folder of a path with its final slash, empty for a bare name, and the last part.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let behind = path.utf8.index(after: slash)
    return (String(path[..<behind]), String(path[behind...]))
  }
}

extension TemporaryFiles {
  /// Removes what others left in a folder, once in the life of this process.
  ///
  /// - Parameter now: the time by the clock of the file system, which another machine may keep.
  private static func sweep(_ folder: String, now: () -> Int?) {
    if sweptFolders.withLock({ $0.insert(folder).inserted }) { sweep(folder, now: now()) }
  }

  /// Removes what others left in a folder.
  ///
  /// - Parameter now: nil where age tells nothing.
  static func sweep(_ folder: String, now: Int?) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [] {
      guard let temporary = TemporaryName(name), temporary.maker != .current else { continue }
      let path = folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { continue }
      let isLapsed = now.map { $0 - status.st_mtim.tv_sec > lease } ?? false
      if temporary.maker.hasEnded || isLapsed { discard(path) }
    }
  }
}
