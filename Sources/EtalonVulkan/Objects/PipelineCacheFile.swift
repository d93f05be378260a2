internal import CVulkan
internal import EtalonSystem

/// A file that holds the pipeline cache of one device and driver.
///
/// Drivers trust what they are given, so data that was cut off or changed, or was written for another device, is dropped here. Nothing in this file
/// ever fails: without the cache, things are slower.
struct PipelineCacheFile: Sendable {
  private static let maxByteCount = 256 << 20
  /// Of so many devices and drivers the caches are kept, those that were used last.
  private static let mostFiles = 16
  private static let suffix = ".bin"

  private let folder: CacheFolder
  private let name: String
  /// What the data is made for.
  private let key: String

  /// The file in a folder for a device.
  init(folder: String, for device: PhysicalDevice) {
    let uuid = device.cacheUUID.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    let properties = device.properties
    self.init(
      folder: folder, name: "\(uuid)-\(String(properties.driverVersion, radix: 16))\(Self.suffix)",
      key: "\(uuid) \(properties.vendorID) \(properties.deviceID) \(properties.driverVersion) \(device.name)")
  }

  init(folder: String, name: String, key: String) {
    self.folder = CacheFolder(path: folder)
    (self.name, self.key) = (name, key)
  }

  /// The folder for caches of this user; nil when there is no home.
  static var standardFolder: String? { CacheFolder(ofUser: "vulkan")?.path }

  /// The data, nil when there is no whole file.
  func load() -> [UInt8]? {
    let data = folder.read(name, key: key, limit: Self.maxByteCount)
    if data != nil { folder.markAsUsed(name, unlessWithin: 24 * 3600) }
    return data
  }

  /// Replaces the file in one step.
  func store(_ data: [UInt8]) {
    if data.count <= Self.maxByteCount, folder.write(data, as: name, key: key) {
      folder.prune(Self.suffix, toBytes: 2 * Self.maxByteCount, count: Self.mostFiles)
    }
  }
}
