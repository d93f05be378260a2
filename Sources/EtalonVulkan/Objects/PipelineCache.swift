internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonSystem
internal import Synchronization

/// Owns a `VkPipelineCache` that is kept in a file from run to run.
@safe
final class PipelineCache: @unchecked Sendable {
  private let device: Device
  private let file: PipelineCacheFile?
  let handle: VkPipelineCache
  /// What the file holds.
  private let saved: Mutex<[UInt8]>

  /// Fills the cache from the file, if there is one that fits the device; a cache is never a reason to fail.
  init(file: PipelineCacheFile?, on device: Device) throws(RenderError) {
    let data = file?.load() ?? []
    let usable = device.physical.accepts(cache: data) ? data : []
    var created: VkPipelineCache?
    let result = unsafe usable.withUnsafeBufferPointer { data in
      var info = unsafe VkPipelineCacheCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO
      unsafe info.initialDataSize = data.count
      unsafe info.pInitialData = UnsafeRawPointer(data.baseAddress)
      return unsafe device.vk.pointee.CreatePipelineCache(device.handle, &info, nil, &created)
    }
    try check(result, "vkCreatePipelineCache", "cannot make a pipeline cache on '\(device.physical.name)'")
    guard let handle = unsafe created else { preconditionFailure("vkCreatePipelineCache succeeded without a cache") }
    unsafe device.name(handle, VK_OBJECT_TYPE_PIPELINE_CACHE, "pipelines")
    self.device = device
    self.file = file
    unsafe self.handle = handle
    saved = Mutex(usable)
  }

  /// Writes the cache to its file if there is something new in it.
  func save() {
    guard let file else { return }
    var count = 0
    guard unsafe device.vk.pointee.GetPipelineCacheData(device.handle, handle, &count, nil) == VK_SUCCESS else { return }
    // Software drivers keep nothing in here beside the header.
    guard count > VulkanCacheHeader.byteCount else { return }
    var data = [UInt8](repeating: 0, count: count)
    guard unsafe device.vk.pointee.GetPipelineCacheData(device.handle, handle, &count, &data) == VK_SUCCESS else { return }
    data.removeLast(data.count - count)
    saved.withLock { saved in
      guard saved != data else { return }
      saved = data
      file.store(data)
    }
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroyPipelineCache(device.handle, handle, nil) }
  }
}

/// The header that Vulkan prescribes for the data of a pipeline cache.
enum VulkanCacheHeader {
  static let byteCount = 32
}

extension PhysicalDevice {
  /// Whether the header of cache data names this device and this driver.
  func accepts(cache data: [UInt8]) -> Bool {
    guard data.count >= VulkanCacheHeader.byteCount else { return false }
    func word(at offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(data[offset + $1]) << (8 * $1) } }
    return word(at: 0) == VulkanCacheHeader.byteCount && word(at: 4) == VK_PIPELINE_CACHE_HEADER_VERSION_ONE.rawValue
      && word(at: 8) == properties.vendorID && word(at: 12) == properties.deviceID && Array(data[16..<32]) == cacheUUID
  }

  /// What the driver changes whenever old cache data would not fit.
  fileprivate var cacheUUID: [UInt8] { unsafe withUnsafeBytes(of: properties.pipelineCacheUUID) { unsafe Array($0) } }
}

// MARK: Its file

/// A file that holds the pipeline cache of one device and driver.
///
/// Drivers trust what they are given, so data that was cut off or changed, or was written for another device, is dropped here. Nothing in this file
/// ever fails: without the cache, kernels are compiled again.
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
