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
  /// A larger file cannot be one that Etalon wrote.
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

/// Everything that decides what the compiler returns.
struct CacheKey: Sendable {
  /// Raised whenever the same text would become other words for a reason that is in Etalon and not in the compiler.
  private static let formatVersion = "1"
  private static let target = "vulkan1.1 spirv1.3 zero debug"

  let lines: TokenLines
  let macros: [String: String]
  /// The filter and the pass.
  let name: String
  /// What the module's debug information calls the text; without control characters.
  let fileName: String
  let hash: ContentHash

  init(lines: TokenLines, macros: [String: String], name: String) {
    self.lines = lines
    self.macros = macros
    self.name = name
    fileName = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
    var hasher = ContentHasher()
    hasher.add("format", Self.formatVersion)
    hasher.add("compiler", Glslang.identity)
    hasher.add("target", Self.target)
    hasher.add("name", fileName)
    for (name, value) in macros.sorted(by: { $0.key < $1.key }) {
      hasher.add("macro", name)
      hasher.add("value", value)
    }
    hasher.add("text", lines.bytes)
    hash = hasher.finish()
  }
}

/// What is worth keeping of one compilation.
struct CacheEntry: Sendable, Hashable {
  let words: [UInt32]
  /// What the compiler wrote; kept as text because places are looked up anew for the file that is compiled now.
  let log: String

  init(words: [UInt32], log: String) {
    self.words = words
    self.log = log
  }

  private static let countLength = 8

  /// The bytes of a file: number of words, words, log; numbers are little-endian.
  var fileBytes: [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(Self.countLength + words.count * 4 + log.utf8.count)
    let count = UInt64(words.count)
    for shift in 0..<Self.countLength { payload.append(UInt8(truncatingIfNeeded: count >> UInt64(8 * shift))) }
    for word in words {
      for shift in 0..<4 { payload.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * shift))) }
    }
    return payload + Array(log.utf8)
  }

  /// Reads what `fileBytes` wrote; nil when the bytes are anything else.
  init?(fileBytes: [UInt8]) {
    let payload = fileBytes
    guard payload.count >= Self.countLength else { return nil }
    let count = payload[..<Self.countLength].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard count <= UInt64((payload.count - Self.countLength) / 4) else { return nil }
    let wordsEnd = Self.countLength + Int(count) * 4
    words = stride(from: Self.countLength, to: wordsEnd, by: 4).map { start in
      UInt32(payload[start]) | UInt32(payload[start + 1]) << 8 | UInt32(payload[start + 2]) << 16 | UInt32(payload[start + 3]) << 24
    }
    log = String(decoding: payload[wordsEnd...], as: UTF8.self)
  }
}
