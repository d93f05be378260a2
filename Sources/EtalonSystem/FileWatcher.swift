internal import Foundation

/// Tells which of some files changed.
///
/// It asks for modification times when it is asked: that works on every file system, also where a save replaces the file, and costs nothing that
/// could be measured ten times a second.
///
/// **Concurrency**: a value; used by one thread at a time.
package struct FileWatcher: Sendable {
  private struct Stamp: Equatable {
    let modified: Date?
    let size: Int?
    /// A save that replaces the file gives it another number, even within the resolution of the time.
    let number: Int?
  }

  /// Seconds between two looks of those who wait for a change.
  package static let interval = 0.1
  private var stamps: [String: Stamp] = [:]

  /// Remembers how the files are now.
  package init(_ paths: Set<String> = []) {
    add(paths)
  }

  /// Remembers how files are now that were not watched before.
  package mutating func add(_ paths: Set<String>) {
    for path in paths where stamps[path] == nil { stamps[path] = Self.stamp(path) }
  }

  /// Watches these files and no others; those that were watched before keep what is remembered.
  package mutating func watch(_ paths: Set<String>) {
    stamps = stamps.filter { paths.contains($0.key) }
    add(paths)
  }

  private static func stamp(_ path: String) -> Stamp {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return Stamp(
      modified: attributes?[.modificationDate] as? Date, size: (attributes?[.size] as? NSNumber)?.intValue,
      number: (attributes?[.systemFileNumber] as? NSNumber)?.intValue)
  }

  /// The files that changed since this was asked last, sorted; those that are missing now among them.
  package mutating func takeChanges() -> [String] {
    var changed: [String] = []
    for (path, old) in stamps {
      let new = Self.stamp(path)
      if new != old {
        stamps[path] = new
        changed.append(path)
      }
    }
    return changed.sorted()
  }

  /// Returns when a file differs from how it was, or when `isInterrupted` says so.
  package func waitForChange(isInterrupted: () -> Bool) {
    while !isInterrupted(), stamps.allSatisfy({ Self.stamp($0) == $1 }) { Thread.sleep(forTimeInterval: Self.interval) }
  }
}
