import Foundation

/// Waits until one of some files changes.
///
/// It asks for modification times ten times a second: that works on every file system, also where a save replaces the file, and costs nothing that
/// could be measured.
struct FileWatcher {
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
