internal import CVulkan
internal import EtalonDiagnostics
internal import Synchronization

/// Owns a `VkDevice` with one compute queue, and knows whether it was given up.
///
/// Destroying objects of a device that is still busy with an endless kernel blocks for as long as the kernel runs. So a device that took too
/// long is abandoned: it and everything on it stays in memory until the process ends.
@safe
final class Device: @unchecked Sendable {
  let instance: Instance
  let physical: PhysicalDevice
  let handle: VkDevice
  let vk: UnsafeMutablePointer<EtalonDeviceFunctions>
  /// The one compute queue; only `WorkQueue` talks to it.
  let queue: VkQueue
  private let abandoned = Atomic<Bool>(false)

  init(_ physical: PhysicalDevice, of instance: Instance) throws(RenderError) {
    guard let family = physical.queueFamily, let features = physical.features else {
      preconditionFailure("an unusable device was chosen")
    }
    let handle = unsafe try Self.create(physical, family, features, instance)
    let vk = UnsafeMutablePointer<EtalonDeviceFunctions>.allocate(capacity: 1)
    let missing = LoaderLock.with { unsafe etalon_vulkan_load_device(instance.vk, handle, vk).map { unsafe String(cString: $0) } }
    if let missing {
      unsafe vk.deallocate()
      throw RenderError(.noDevice, "the driver of '\(physical.name)' has no function '\(missing)'")
    }
    var queue: VkQueue?
    unsafe vk.pointee.GetDeviceQueue(handle, family, 0, &queue)
    guard let queue = unsafe queue else { preconditionFailure("a device without the queue that it was made with") }
    self.instance = instance
    self.physical = physical
    unsafe self.handle = handle
    unsafe self.vk = vk
    unsafe self.queue = queue
  }

  private static func create(
    _ physical: PhysicalDevice, _ family: UInt32, _ features: DeviceFeatures, _ instance: Instance
  ) throws(RenderError) -> VkDevice {
    var handle: VkDevice?
    let result = withCallMemory { memory in
      var queue = unsafe VkDeviceQueueCreateInfo()
      unsafe queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO
      unsafe queue.queueFamilyIndex = family
      unsafe queue.queueCount = 1
      unsafe queue.pQueuePriorities = UnsafePointer(memory.pointer(to: Float(1)))
      let chain = features.makeChain()
      var info = unsafe VkDeviceCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO
      unsafe info.pNext = UnsafeRawPointer(chain.head)
      unsafe info.queueCreateInfoCount = 1
      unsafe info.pQueueCreateInfos = UnsafePointer(memory.pointer(to: queue))
      unsafe info.enabledExtensionCount = UInt32(features.extensions.count)
      unsafe info.ppEnabledExtensionNames = UnsafePointer(memory.pointer(to: features.extensions.map { unsafe memory.text($0) }))
      return withExtendedLifetime(chain) {
        LoaderLock.with { unsafe instance.vk.pointee.CreateDevice(physical.handle, &info, nil, &handle) }
      }
    }
    try check(result, "vkCreateDevice", "cannot open the Vulkan device '\(physical.name)'")
    guard let handle = unsafe handle else { preconditionFailure("vkCreateDevice succeeded without a device") }
    return unsafe handle
  }

  /// Whether the device took too long; then nothing on it is destroyed.
  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Gives the device up, keeping it and the instance alive until the process ends.
  func abandon() {
    guard !abandoned.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = unsafe Unmanaged.passRetained(self)
  }

  /// Gives an object a name for the validation layer and for capture tools.
  func name(_ object: OpaquePointer?, _ type: VkObjectType, _ name: @autoclosure () -> String) {
    guard let setName = unsafe instance.vk.pointee.SetDebugUtilsObjectNameEXT, instance.validationLog != nil else { return }
    withCallMemory { memory in
      var info = unsafe VkDebugUtilsObjectNameInfoEXT()
      unsafe info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT
      unsafe info.objectType = type
      unsafe info.objectHandle = UInt64(UInt(bitPattern: object))
      unsafe info.pObjectName = memory.text(name())
      _ = LoaderLock.with { unsafe setName(handle, &info) }
    }
  }

  deinit {
    precondition(!isAbandoned, "an abandoned device was destroyed")
    LoaderLock.with { unsafe vk.pointee.DestroyDevice(handle, nil) }
    unsafe vk.deallocate()
  }
}
