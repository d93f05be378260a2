internal import Foundation

/// The few things that a cache does with files; none of them reports why it failed, because a cache that does not work is only slow.
enum CacheFile {
  /// One file of a folder.
  struct Listing {
    let name: String
    let size: Int
    /// Seconds since it was last changed or marked as used.
    let age: Double
  }

  /// What the names of unfinished files end in.
  static let temporarySuffix = ".tmp"

  /// The content of a file, nil when it cannot be read whole or is larger than `limit`.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, (0...limit).contains(Int(status.st_size)) else {
      return nil
    }
    let wanted = Int(status.st_size)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      while count < wanted {
        let got = unsafe Foundation.read(file, buffer.baseAddress?.advanced(by: count), wanted - count)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        count += got
      }
    }
    return bytes.count == wanted ? bytes : nil
  }

  /// Writes a file under a temporary name and renames it; says whether that worked.
  static func write(_ bytes: [UInt8], to path: String, in directory: String) -> Bool {
    guard makeDirectory(directory) else { return false }
    let temporary = "\(path).\(getpid()).\(UInt64.random(in: 0 ... .max))\(temporarySuffix)"
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let isWhole = writeAll(bytes, to: file)
    guard close(file) == 0, isWhole, unsafe rename(temporary, path) == 0 else {
      remove(temporary)
      return false
    }
    return true
  }

  /// Sets a file's time of change to now unless it is at most `seconds` old.
  static func markAsUsed(_ path: String, unlessWithin seconds: Double) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, age(of: status) > seconds else { return }
    _ = unsafe utimensat(AT_FDCWD, path, nil, 0)
  }

  /// The regular files of a folder, none when it cannot be read.
  static func list(_ directory: String) -> [Listing] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.compactMap { name in
      var status = stat()
      guard unsafe lstat(directory + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Listing(name: name, size: Int(status.st_size), age: age(of: status))
    }
  }

  static func remove(_ path: String) {
    _ = unsafe unlink(path)
  }

  private static func makeDirectory(_ path: String) -> Bool {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    return (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: attributes)) != nil
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let got = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress?.advanced(by: written), $0.count - written) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return false }
      written += got
    }
    return true
  }

  private static func age(of status: stat) -> Double {
    Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
  }
}
