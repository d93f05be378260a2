internal import CVulkan
internal import EtalonTypes
internal import Glibc

/// A file that holds the pipeline cache of one device and driver: a line with the hash of the data, then the data.
///
/// Drivers trust what they are given, so data that was cut off or changed is dropped here. Nothing in this file ever fails: without the cache,
/// things are slower.
struct PipelineCacheFile: Sendable {
  private static let signature = "etalon pipeline cache 1 "
  private static let maxByteCount = 256 << 20

  let folder: String
  private let path: String

  /// The file in a folder for a device.
  init(folder: String, for device: PhysicalDevice) {
    let uuid = device.cacheUUID.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    self.init(folder: folder, name: "\(uuid)-\(String(device.properties.driverVersion, radix: 16)).bin")
  }

  init(folder: String, name: String) {
    self.folder = folder
    path = "\(folder)/\(name)"
  }

  /// The folder for caches of this user: `$XDG_CACHE_HOME/etalon/vulkan`, or `~/.cache/etalon/vulkan`; nil without either.
  static var standardFolder: String? {
    if let cache = environmentValue("XDG_CACHE_HOME"), cache.hasPrefix("/") { return "\(cache)/etalon/vulkan" }
    return environmentValue("HOME").map { "\($0)/.cache/etalon/vulkan" }
  }

  /// The data, nil when there is no whole file.
  func load() -> [UInt8]? {
    guard let bytes = Self.read(path), bytes.count > Self.headerByteCount else { return nil }
    let data = Array(bytes[Self.headerByteCount...])
    return Array(bytes[..<Self.headerByteCount]) == Self.header(of: data) ? data : nil
  }

  /// Replaces the file in one step.
  func store(_ data: [UInt8]) {
    Self.makeFolders(folder)
    let temporary = "\(path).\(getpid()).tmp"
    guard Self.write(Self.header(of: data) + data, to: temporary), unsafe rename(temporary, path) == 0 else {
      unsafe unlink(temporary)
      return
    }
  }

  private static var headerByteCount: Int { signature.utf8.count + 64 + 1 }

  private static func header(of data: [UInt8]) -> [UInt8] {
    Array("\(signature)\(ContentHash(of: data))\n".utf8)
  }

  private static func read(_ path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_size > 0, status.st_size <= maxByteCount else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress.map { unsafe $0 + done }, $0.count - done) }
      guard count > 0 else { return nil }
      done += count
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress.map { unsafe $0 + done }, $0.count - done) }
      guard count > 0 else { break }
      done += count
    }
    return close(file) == 0 && done == bytes.count
  }

  private static func makeFolders(_ folder: String) {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/\(part)"
      unsafe mkdir(path, 0o700)
    }
  }
}
