internal import EtalonSystem
internal import EtalonTypes

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

  private let folder: CacheFolder
  private let limit: Int

  /// Uses a folder, which is made when something is stored.
  package init(directory: String, limit: Int = defaultLimit) {
    self.init(CacheFolder(path: directory), limit: limit)
  }

  private init(_ folder: CacheFolder, limit: Int = defaultLimit) { (self.folder, self.limit) = (folder, limit) }

  /// The cache of the user: `$XDG_CACHE_HOME/etalon/spirv`, else `~/.cache/etalon/spirv`; nil when there is no home either.
  package static var user: KernelCache? { CacheFolder(ofUser: "spirv").map { KernelCache($0) } }

  func entry(for key: CacheKey) -> CacheEntry? {
    let name = Self.name(of: key)
    guard let bytes = folder.read(name, key: "\(key.hash)", limit: Self.largestFile), let entry = CacheEntry(fileBytes: bytes) else {
      return nil
    }
    folder.markAsUsed(name, unlessWithin: Self.freshness)
    return entry
  }

  func store(_ entry: CacheEntry, for key: CacheKey) {
    guard folder.write(entry.fileBytes, as: Self.name(of: key), key: "\(key.hash)") else { return }
    // Looking at the whole folder every time would cost more than it saves: one store in sixteen does.
    if key.hash.description.hasPrefix("0") { prune() }
  }

  /// Removes the files unused for longest until three quarters of the limit are left.
  func prune() {
    let total = folder.files.reduce(0) { $1.name.hasSuffix(Self.suffix) ? $0 + $1.size : $0 }
    if total > limit { folder.prune(Self.suffix, toBytes: limit / 4 * 3) }
  }

  private static func name(of key: CacheKey) -> String { "\(key.hash)\(suffix)" }
}
