import Glibc

/// What changes about a file when somebody writes it.
struct FileStamp: Sendable, Hashable, Codable {
  let size: Int
  /// Nanoseconds of the last change of the content.
  let modified: Int
  /// Nanoseconds of the last change of anything, which nobody can set back.
  let changed: Int

  /// The stamp of a file as it is now, links followed; nil when there is none.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    size = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// The moment that stamps of this moment would have.
  static func now() -> Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }
}
