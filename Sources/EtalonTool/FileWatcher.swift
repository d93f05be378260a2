import Foundation

/// Waits until one of some files changes.
///
/// It asks for modification times ten times a second: that works on every file system, also where a save replaces the file, and costs nothing that
/// could be measured.
struct FileWatcher {
  private struct Stamp: Equatable {
    let modified: Date?
    let size: Int?
  }

  private static let interval = 0.1
  let paths: [String]
  private let stamps: [Stamp]

  /// Remembers how the files are now.
  init(_ paths: [String]) {
    self.paths = paths
    stamps = paths.map(Self.stamp)
  }

  private static func stamp(_ path: String) -> Stamp {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return Stamp(modified: attributes?[.modificationDate] as? Date, size: (attributes?[.size] as? NSNumber)?.intValue)
  }

  /// Returns when a file differs from how it was, or when `isInterrupted` says so.
  func waitForChange(isInterrupted: () -> Bool) {
    while !isInterrupted(), paths.map(Self.stamp) == stamps { Thread.sleep(forTimeInterval: Self.interval) }
  }
}
