internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem

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

  private let folder: CacheFolder
  private let limit: Int
  /// How long frames are rendered at least before another is written.
  let interval: Duration

  /// Uses a folder, which is made when something is stored.
  ///
  /// - Parameter limit: bytes that all checkpoints may take together.
  /// - Parameter interval: how long frames are rendered at least before another is written; zero keeps every frame.
  package init(path: String, limit: Int = standardLimit, interval: Duration = .seconds(10)) {
    self.init(CacheFolder(path: path), limit: limit, interval: interval)
  }

  private init(_ folder: CacheFolder, limit: Int = standardLimit, interval: Duration = .seconds(10)) {
    (self.folder, self.limit, self.interval) = (folder, limit, interval)
  }

  /// The folder of the user: `$XDG_CACHE_HOME/etalon/checkpoints`, else `~/.cache/etalon/checkpoints`; nil when there is no home either.
  package static var user: CheckpointFolder? { CacheFolder(ofUser: "checkpoints").map { CheckpointFolder($0) } }

  /// Whether a state of so many bytes is worth its place: a quarter of the folder at most.
  func takes(_ byteCount: Int) -> Bool { byteCount <= limit / 4 }

  func path(of identity: CheckpointIdentity) -> String { "\(folder.path)/\(identity.fileName)" }

  /// The frames for which a recipe has checkpoints, the last one first.
  func frames(of recipe: String) -> [Int] {
    guard folder.isUsable else { return [] }
    return Set(folder.files.compactMap { CheckpointIdentity.frame(ofFile: $0.name, recipe: recipe) }).sorted(by: >)
  }

  func has(_ identity: CheckpointIdentity) -> Bool { folder.files.contains { $0.name == identity.fileName } }

  /// Opens the file of a checkpoint, if it is one that only this user can have written.
  func open(_ identity: CheckpointIdentity) -> RandomAccessFile? { folder.open(identity.fileName).map { RandomAccessFile(descriptor: $0) } }

  /// Sets when a checkpoint was used last to now.
  func markAsUsed(_ identity: CheckpointIdentity) { folder.markAsUsed(identity.fileName) }

  func remove(_ identity: CheckpointIdentity) { folder.remove(identity.fileName) }

  func write(_ file: CheckpointFile) throws(RenderError) {
    // What keeps the folder from being there keeps the file from being written, which tells why.
    _ = folder.make()
    if let doubt = folder.doubt {
      throw RenderError(.cannotWrite, "the folder '\(folder.path)' is not used", underlying: doubt)
    }
    try file.write(to: path(of: file.identity))
    folder.prune(CheckpointIdentity.suffix, toBytes: limit, count: Self.mostFiles)
  }
}
