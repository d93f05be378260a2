internal import CVulkan
internal import EtalonDiagnostics
internal import Synchronization

/// Throws when a Vulkan call failed; `action` says what could not be done, such as `cannot allocate 8 MiB for texture 'iChannel0'`.
///
/// `VK_NOT_READY`, `VK_TIMEOUT` and the other results that are not errors pass.
func check(_ result: VkResult, _ call: String, _ action: @autoclosure () -> String) throws(RenderError) {
  guard result.rawValue < 0 else { return }
  throw RenderError(result.code, action(), operation: call, underlying: result.text, help: result.help)
}

extension VkResult {
  private static let known: [(VkResult, String)] = [
    (VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"), (VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"),
    (VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED"), (VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST"),
    (VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED"), (VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT"),
    (VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT"), (VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT"),
    (VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER"), (VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS"),
    (VK_ERROR_FORMAT_NOT_SUPPORTED, "VK_ERROR_FORMAT_NOT_SUPPORTED"), (VK_ERROR_FRAGMENTED_POOL, "VK_ERROR_FRAGMENTED_POOL"),
    (VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN"), (VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY"),
    (VK_ERROR_FRAGMENTATION, "VK_ERROR_FRAGMENTATION"),
  ]

  /// The name of the constant, or the number of one that we do not know.
  var text: String { Self.known.first { $0.0 == self }?.1 ?? "VkResult \(rawValue)" }

  fileprivate var code: RenderError.Code {
    switch self {
    case VK_ERROR_INCOMPATIBLE_DRIVER, VK_ERROR_LAYER_NOT_PRESENT, VK_ERROR_EXTENSION_NOT_PRESENT, VK_ERROR_FEATURE_NOT_PRESENT,
      VK_ERROR_INITIALIZATION_FAILED, VK_ERROR_FORMAT_NOT_SUPPORTED:
      .noDevice
    case VK_ERROR_DEVICE_LOST: .deviceLost
    case VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_POOL_MEMORY, VK_ERROR_FRAGMENTED_POOL,
      VK_ERROR_FRAGMENTATION, VK_ERROR_MEMORY_MAP_FAILED, VK_ERROR_TOO_MANY_OBJECTS:
      .outOfMemory
    default: .tryAgain
    }
  }

  fileprivate var help: [String] {
    switch self {
    case VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_MEMORY_MAP_FAILED:
      ["render at a smaller size, or close other programs that use the device"]
    case VK_ERROR_DEVICE_LOST: ["the driver gave the device up; the same command may work again, or try '--device cpu'"]
    default: []
    }
  }
}

// MARK: Arguments

/// Memory that the arguments of C calls point into, released when the body of `withCallMemory` ends.
///
/// Vulkan's structures point to arrays and to each other; with one owner for all of them, no call needs a pyramid of closures.
@safe
final class CallMemory {
  private var releases: [() -> Void] = []

  fileprivate init() {}

  fileprivate func releaseAll() {
    for release in releases.reversed() { release() }
    releases = []
  }

  /// A copy of some values in a row; null for none.
  func pointer<Element>(to values: [Element]) -> UnsafeMutablePointer<Element>? {
    guard !values.isEmpty else { return nil }
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: values.count)
    unsafe pointer.initialize(from: values, count: values.count)
    releases.append {
      unsafe pointer.deinitialize(count: values.count)
      unsafe pointer.deallocate()
    }
    return unsafe pointer
  }

  /// A copy of one value.
  func pointer<Value>(to value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
    releases.append {
      unsafe pointer.deinitialize(count: 1)
      unsafe pointer.deallocate()
    }
    return unsafe pointer
  }

  /// A copy of a text that ends in a zero byte.
  func text(_ text: String) -> UnsafePointer<CChar>? {
    unsafe UnsafePointer(pointer(to: text.utf8CString.map { $0 }))
  }
}

/// Runs a body with memory for the arguments of the C calls in it.
func withCallMemory<Result, Failure: Error>(_ body: (CallMemory) throws(Failure) -> Result) throws(Failure) -> Result {
  let memory = CallMemory()
  defer { memory.releaseAll() }
  return try body(memory)
}

/// A `pNext` chain whose structures live as long as the chain.
@safe
final class StructureChain {
  private var links: [UnsafeMutableRawPointer] = unsafe []

  /// Appends a structure that starts with `sType` and `pNext`, as every one that may be chained does; `type` is its `sType`.
  func append<Structure: BitwiseCopyable>(_ structure: Structure, _ type: VkStructureType) -> UnsafeMutablePointer<Structure> {
    let pointer = UnsafeMutablePointer<Structure>.allocate(capacity: 1)
    unsafe pointer.initialize(to: structure)
    let link = UnsafeMutableRawPointer(pointer)
    unsafe link.assumingMemoryBound(to: VkBaseOutStructure.self).pointee.sType = type
    if let last = unsafe links.last {
      unsafe last.assumingMemoryBound(to: VkBaseOutStructure.self).pointee.pNext = link.assumingMemoryBound(to: VkBaseOutStructure.self)
    }
    unsafe links.append(link)
    return unsafe pointer
  }

  /// The first structure.
  var head: UnsafeMutableRawPointer? { unsafe links.first }

  deinit {
    for index in unsafe links.indices { unsafe links[index].deallocate() }
  }
}

// MARK: The loader's lock

/// Held while instances and devices come and go, while objects get names and while a device is asked for its functions.
///
/// For names and functions, the loader walks its lists of instances and devices and reads the devices in them without being kept from those that
/// another thread is just destroying (1.3.239 calls a null pointer, 1.4.309 reads a freed device).
enum LoaderLock {
  private static let mutex = Mutex(())

  /// Runs a body while no other thread is in one.
  static func with<Result: Sendable>(_ body: () -> Result) -> Result {
    mutex.withLock { _ in body() }
  }
}
