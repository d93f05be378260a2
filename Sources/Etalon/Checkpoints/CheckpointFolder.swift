internal import EtalonDiagnostics
internal import Foundation

/// The checkpoints of a user, one file each, shared by all processes.
///
/// Files appear whole or not at all. When they together grow past the limit, those unused for longest go.
///
/// **Concurrency**: an immutable value; several processes may use one folder.
package struct CheckpointFolder: Sendable, Hashable {
  /// Bytes that the files of one folder may take together: 4 GiB.
  package static let standardLimit = 4 << 30
  /// So many files are kept at most, however small they are.
  private static let mostFiles = 4096
  /// Temporary files older than this, in seconds, were left behind by a process that ended.
  private static let oldestTemporary = 3600.0

  private let path: String
  private let limit: Int
  /// How long frames are rendered at least before another is written.
  let interval: Duration

  /// Uses a folder, which is made when something is stored.
  ///
  /// - Parameter limit: bytes that all checkpoints may take together.
  /// - Parameter interval: how long frames are rendered at least before another is written; zero keeps every frame.
  package init(path: String, limit: Int = standardLimit, interval: Duration = .seconds(10)) {
    self.path = path
    self.limit = limit
    self.interval = interval
  }

  /// The folder of the user: `$XDG_CACHE_HOME/etalon/checkpoints`, else `~/.cache/etalon/checkpoints`; nil when there is no home either.
  package static var user: CheckpointFolder? {
    CacheFolder.path("checkpoints", environment: ProcessInfo.processInfo.environment).map { CheckpointFolder(path: $0) }
  }

  /// Whether a state of so many bytes is worth its place: a quarter of the folder at most.
  func takes(_ byteCount: Int) -> Bool { byteCount <= limit / 4 }

  func path(of identity: CheckpointIdentity) -> String { "\(path)/\(identity.fileName)" }

  /// The frames for which a recipe has checkpoints, the last one first.
  func frames(of recipe: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(names.compactMap { CheckpointIdentity.frame(ofFile: $0, recipe: recipe) }).sorted(by: >)
  }

  func has(_ identity: CheckpointIdentity) -> Bool { FileStamp(path: path(of: identity)) != nil }

  /// Sets when a checkpoint was used last to now.
  func markAsUsed(_ identity: CheckpointIdentity) { _ = unsafe utimensat(AT_FDCWD, path(of: identity), nil, 0) }

  func remove(_ identity: CheckpointIdentity) { _ = unsafe unlink(path(of: identity)) }

  func write(_ file: CheckpointFile) throws(RenderError) {
    let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    // What keeps the folder from being there keeps the file from being written, which tells why.
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: owner)
    try file.write(to: path(of: file.identity))
    prune()
  }

  /// Removes the files unused for longest until the others fit the limits, and what ended processes left behind.
  private func prune() {
    var files: [(path: String, stamp: FileStamp)] = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      let file = "\(path)/\(name)"
      guard let stamp = FileStamp(path: file) else { continue }
      if name.hasSuffix(CheckpointIdentity.suffix) {
        files.append((file, stamp))
      } else if name.hasSuffix(".tmp"), Double(FileStamp.now() - stamp.modified) > Self.oldestTemporary * 1e9 {
        _ = unsafe unlink(file)
      }
    }
    var (total, count) = (files.reduce(0) { $0 + $1.stamp.size }, files.count)
    for file in files.sorted(by: { $0.stamp.modified < $1.stamp.modified }) where total > limit || count > Self.mostFiles {
      _ = unsafe unlink(file.path)
      total -= file.stamp.size
      count -= 1
    }
  }
}
