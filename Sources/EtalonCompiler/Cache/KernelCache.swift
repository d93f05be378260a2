internal import EtalonTypes
internal import Foundation

/// Compiled kernels on disk, one file each, shared by all processes of a user.
///
/// Files appear whole or not at all, a damaged one counts as missing, and a folder that cannot be written is no error: then there is no
/// cache. When the files together grow past the limit, those unused for longest go.
///
/// **Concurrency**: an immutable value; several processes may use one folder.
package struct KernelCache: Sendable {
  /// Bytes that the files of one folder may take together: 256 MiB.
  package static let defaultLimit = 256 << 20
  /// A larger file cannot be one of ours.
  private static let largestFile = 256 << 20
  private static let suffix = ".kernel"
  /// A file counts as used today when its time of change is at most this old, in seconds.
  private static let freshness = 24.0 * 3600
  /// Temporary files older than this, in seconds, were left behind by a process that ended.
  private static let oldestTemporary = 3600.0

  let directory: String
  private let limit: Int

  /// Uses a folder, which is made when something is stored.
  package init(directory: String, limit: Int = defaultLimit) {
    self.directory = directory
    self.limit = limit
  }

  /// The cache of the user: `$XDG_CACHE_HOME/etalon/spirv`, else `~/.cache/etalon/spirv`; nil when there is no home either.
  package static var user: KernelCache? { KernelCache(environment: ProcessInfo.processInfo.environment) }

  init?(environment: [String: String]) {
    // The specification of these variables has relative paths ignored.
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
      self.init(directory: folder + "/etalon/spirv")
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      self.init(directory: home + "/.cache/etalon/spirv")
    } else {
      return nil
    }
  }

  func entry(for key: CacheKey) -> CacheEntry? {
    let path = path(of: key)
    guard let bytes = CacheFile.read(path, limit: Self.largestFile), let entry = CacheEntry(fileBytes: bytes) else { return nil }
    CacheFile.markAsUsed(path, unlessWithin: Self.freshness)
    return entry
  }

  func store(_ entry: CacheEntry, for key: CacheKey) {
    guard CacheFile.write(entry.fileBytes, to: path(of: key), in: directory) else { return }
    // Looking at the whole folder every time would cost more than it saves: one store in sixteen does.
    if key.hash.description.hasPrefix("0") { prune() }
  }

  /// Removes the files unused for longest until three quarters of the limit are left, and what ended processes left behind.
  func prune() {
    let files = CacheFile.list(directory)
    for file in files where file.name.hasSuffix(CacheFile.temporarySuffix) && file.age > Self.oldestTemporary {
      CacheFile.remove(directory + "/" + file.name)
    }
    let kernels = files.filter { $0.name.hasSuffix(Self.suffix) }
    var total = kernels.reduce(0) { $0 + $1.size }
    guard total > limit else { return }
    for file in kernels.sorted(by: { $0.age > $1.age }) {
      guard total > limit / 4 * 3 else { return }
      CacheFile.remove(directory + "/" + file.name)
      total -= file.size
    }
  }

  private func path(of key: CacheKey) -> String { "\(directory)/\(key.hash)\(Self.suffix)" }
}
