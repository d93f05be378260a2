package import EtalonDiagnostics
internal import EtalonTypes
internal import Foundation
internal import Synchronization

/// A folder for what can be made again, shared by the processes of one user; a cache that does not work is only slow.
///
/// Files appear whole or not at all. Each has the hash of its content and of its key, what it was made for, at its start, so that one that is damaged, or
/// that was copied to the name of another, counts as missing. The content of a cache decides what is rendered: so only regular files that belong to the user, in a
/// folder that belongs to the user, both of which only the user may write, are read; what is not used for that reason is noted once.
///
/// **Concurrency**: an immutable value; several processes may use one folder.
package struct CacheFolder: Sendable, Hashable {
  /// One file of a folder.
  package struct Listing: Sendable {
    package let name: String
    /// Bytes.
    package let size: Int
    /// Seconds since it was last changed or marked as used.
    package let age: Double
  }

  private static let signature = "etalon cache 2 "
  private static let hashLength = 64

  package let path: String

  /// Uses a folder, which is made when something is written.
  package init(path: String) { self.path = path }

  /// A folder of the user: `$XDG_CACHE_HOME/etalon/<name>`, else `~/.cache/etalon/<name>`; nil when there is no home either.
  package init?(ofUser name: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    // The specification of these variables has relative paths ignored.
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
      self.init(path: "\(folder)/etalon/\(name)")
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      self.init(path: "\(home)/.cache/etalon/\(name)")
    } else {
      return nil
    }
  }

  // MARK: Reading

  /// The content of a file that was written for a key; nil for every other file, and for larger ones.
  package func read(_ name: String, key: String, limit: Int) -> [UInt8]? {
    guard let descriptor = open(name) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, (0...limit).contains(Int(status.st_size)) else { return nil }
    let bytes = Self.bytes(of: descriptor, count: Int(status.st_size))
    guard let bytes, bytes.count >= Self.headerLength,
      Self.header(key, bytes[Self.headerLength...]).elementsEqual(bytes[..<Self.headerLength])
    else { return nil }
    return Array(bytes[Self.headerLength...])
  }

  /// Opens a file for reading, if it is one that only this user can have written.
  package func open(_ name: String) -> Int32? {
    guard isTrusted(orMissing: false) else { return nil }
    let file = "\(path)/\(name)"
    let descriptor = unsafe Foundation.open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ELOOP { CacheNotes.add(file, "is not used: it is a link", help: "remove it: rm '\(file)'") }
      return nil
    }
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0 {
      guard let doubt = Self.doubt(status, isFolder: false) else { return descriptor }
      CacheNotes.add(file, "is not used: \(doubt)", help: "remove it: rm '\(file)'")
    }
    close(descriptor)
    return nil
  }

  /// The regular files of the folder, none when it cannot be read.
  package var files: [Listing] {
    let now = Date().timeIntervalSince1970
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).compactMap { name in
      var status = stat()
      guard unsafe lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Listing(
        name: name, size: Int(status.st_size), age: now - (Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) * 1e-9))
    }
  }

  /// Whether the folder can be used for reading and writing; it may be missing.
  package var isUsable: Bool { isTrusted(orMissing: true) }

  /// Why the folder is not used: it may be the work of others; nil for one that is used, and for one that is missing.
  package var doubt: String? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Self.doubt(status, isFolder: true) : nil
  }

  private func isTrusted(orMissing mayBeMissing: Bool) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return mayBeMissing }
    guard let doubt = Self.doubt(status, isFolder: true) else { return true }
    CacheNotes.add(
      path, "is not used: \(doubt)", help: "type 'chmod go-w \(path)' if the folder is yours, or name another with XDG_CACHE_HOME")
    return false
  }

  /// Why something may be the work of others; nil for what only this user can have written.
  private static func doubt(_ status: stat, isFolder: Bool) -> String? {
    guard status.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG) else { return isFolder ? "it is no folder" : "it is no regular file" }
    guard status.st_uid == geteuid() else { return "it belongs to another user (\(status.st_uid), not \(geteuid()))" }
    return status.st_mode & 0o022 == 0 ? nil : "others may write to it (mode \(String(status.st_mode & 0o7777, radix: 8)))"
  }

  private static func bytes(of descriptor: Int32, count wanted: Int) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      while count < wanted {
        let got = unsafe Foundation.read(descriptor, buffer.baseAddress?.advanced(by: count), wanted - count)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        count += got
      }
    }
    return bytes.count == wanted ? bytes : nil
  }

  // MARK: Writing

  /// Writes a file for a key, in the place of any of its name; says whether that worked.
  @discardableResult package func write(_ bytes: [UInt8], as name: String, key: String) -> Bool {
    guard make(), let (temporary, descriptor) = TemporaryFiles.makeFile(for: "\(path)/\(name)", permissions: 0o600) else { return false }
    let isWhole = Self.write(Self.header(key, bytes[...]), to: descriptor) && Self.write(bytes, to: descriptor)
    guard close(descriptor) == 0, isWhole, unsafe rename(temporary, "\(path)/\(name)") == 0 else {
      TemporaryFiles.remove(temporary)
      return false
    }
    TemporaryFiles.release(temporary)
    return true
  }

  /// Makes the folder, for this user only; says whether there is one that can be used.
  package func make() -> Bool {
    guard isUsable else { return false }
    let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: owner)
    return isTrusted(orMissing: false)
  }

  package func remove(_ name: String) { _ = unsafe unlink("\(path)/\(name)") }

  /// Sets a file's time of change to now unless it is at most some seconds old.
  package func markAsUsed(_ name: String, unlessWithin seconds: Double = 0) {
    var status = stat()
    guard unsafe lstat("\(path)/\(name)", &status) == 0 else { return }
    if Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec) < seconds { return }
    _ = unsafe utimensat(AT_FDCWD, "\(path)/\(name)", nil, AT_SYMLINK_NOFOLLOW)
  }

  /// Removes files with an ending, those unused for longest first, until the others take at most so many bytes and are at most so many.
  package func prune(_ suffix: String, toBytes limit: Int, count most: Int = .max) {
    let files = files.filter { $0.name.hasSuffix(suffix) }
    var (total, count) = (files.reduce(0) { $0 + $1.size }, files.count)
    for file in files.sorted(by: { $0.age > $1.age }) where total > limit || count > most {
      remove(file.name)
      total -= file.size
      count -= 1
    }
  }

  private static var headerLength: Int { signature.utf8.count + 2 * hashLength + 2 }

  /// The line that a file begins with.
  private static func header(_ key: String, _ content: ArraySlice<UInt8>) -> [UInt8] {
    Array("\(signature)\(ContentHash(of: Array(key.utf8))) \(ContentHash(of: Array(content)))\n".utf8)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let got = unsafe bytes.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return false }
      written += got
    }
    return true
  }
}

/// What is worth saying about caches, each folder and file once in the life of a process.
///
/// **Concurrency**: usable from every thread.
package enum CacheNotes {
  private static let state = Mutex((known: Set<String>(), waiting: [Diagnostic]()))

  static func add(_ path: String, _ what: String, help: String) {
    state.withLock { state in
      guard state.known.insert(path).inserted else { return }
      state.waiting.append(Diagnostic("cache.not-trusted", "the cache '\(path)' \(what)", severity: .warning, help: [help]))
    }
  }

  /// What was found since it was asked last.
  package static func takeAll() -> [Diagnostic] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
