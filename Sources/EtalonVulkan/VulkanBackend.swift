package import EtalonDiagnostics
package import EtalonPlan
internal import EtalonSPIRV
internal import EtalonSystem
package import EtalonTypes
internal import Synchronization

/// Executes plans on a Vulkan compute queue.
///
/// ```swift
/// let backend = try VulkanBackend(.preferred)
/// let execution = try backend.prepare(plan, imports: [photo], framesInFlight: 3)
/// let frame = try execution.submit(values)
/// try frame.wait()
/// frame.withBands(of: 0) { firstRow, rowCount, bytes in … }
/// frame.release()
/// ```
///
/// **Concurrency**: safe to use from any thread.
package final class VulkanBackend: Backend {
  /// How a backend is set up.
  package struct Options: Sendable, Hashable {
    /// Whether the validation layer watches; by default when `ETALON_VULKAN_VALIDATION` is 1.
    package var validates: Bool
    /// How long the driver may compile one kernel, and how long one frame may run; nil for as long as it wants.
    package var timeout: Duration?
    /// Where pipelines are kept from run to run; nil for nowhere.
    package var cacheFolder: String?
    /// The largest part of an output that is rendered at once, in bytes; nil for what the device allows.
    package var maxBandByteCount: Int?
    /// How passes are cut into pieces, which then run from the last to the first; nil for in order and as large as can be.
    package var tiles: DispatchTiles?

    package init(
      validates: Bool? = nil, timeout: Duration? = nil, cacheFolder: String? = Options.standardCacheFolder, maxBandByteCount: Int? = nil,
      tiles: DispatchTiles? = nil
    ) {
      self.validates = validates ?? (environmentValue("ETALON_VULKAN_VALIDATION") == "1")
      self.timeout = timeout
      self.cacheFolder = cacheFolder
      self.maxBandByteCount = maxBandByteCount
      self.tiles = tiles
    }

    /// `$XDG_CACHE_HOME/etalon/vulkan`, or `~/.cache/etalon/vulkan`.
    package static var standardCacheFolder: String? { PipelineCacheFile.standardFolder }
  }

  /// The device that is used.
  package let description: DeviceDescription
  /// What the validation layer says; nil without validation.
  ///
  /// Outlives the backend, because the layer sends messages until the device is destroyed.
  package let validationLog: ValidationLog?
  private let options: Options
  private let device: Device
  private let pool: MemoryPool
  private let queue: WorkQueue
  private let cache: PipelineCache
  private let pipelines = Mutex<[Kernel: WeakPipeline]>([:])

  /// Opens a device.
  package convenience init(_ choice: DeviceChoice = .preferred, options: Options = Options()) throws(RenderError) {
    try self.init(choice, of: VulkanDevices(validationLog: options.validates ? ValidationLog() : nil), options: options)
  }

  /// Opens one of the devices that were listed before, which saves asking twice.
  package init(_ choice: DeviceChoice, of devices: VulkanDevices, options: Options) throws(RenderError) {
    let index = try devices.choose(choice)
    let physical = devices.physicalDevices[index]
    let device = try Device(physical, of: devices.instance)
    let file = options.cacheFolder.map { PipelineCacheFile(folder: $0, for: physical) }
    self.options = options
    self.device = device
    description = physical.description(index: index)
    validationLog = devices.instance.validationLog
    pool = MemoryPool(on: device)
    queue = try WorkQueue(of: device, timeout: options.timeout)
    cache = try PipelineCache(file: file, on: device)
  }

  package var deviceName: String { description.name }

  package var identity: String { "vulkan \(description.driverName) \(description.driverVersion) \(description.name)" }

  /// Throws when the validation layer had anything to say.
  package func checkValidation() throws(RenderError) { try validationLog?.check() }

  package func prepare(
    _ plan: CheckedPlan, imports: [PixelBuffer], setupUniforms: [[UInt8]], framesInFlight: Int
  ) throws(RenderError) -> any PlanExecution {
    precondition(framesInFlight >= 1, "no frame in flight")
    let violations = plan.violations(ofSetupUniforms: setupUniforms)
    precondition(violations.isEmpty, violations.joined(separator: "; "))
    try PlanLimits(limits, device: deviceName).check(plan.plan)
    let makesMipmaps = !plan.plan.memoryWithMipmaps.isEmpty
    let pipelines = try pipelines(for: plan.plan.kernels + (makesMipmaps ? [MipmapKernel.kernel] : []))
    let prepared = try PreparedPlan(
      plan.plan, pipelines: pipelines, mipmaps: makesMipmaps ? pipelines.last : nil, imports: imports, maxBandByteCount: maxBandByteCount,
      tiles: options.tiles, pool: pool, queue: queue)
    return try VulkanExecution(prepared, setupUniforms: setupUniforms, framesInFlight: framesInFlight, queue: queue)
  }

  /// What plans can use up of the device.
  package var limits: DeviceLimits { device.physical.limits }

  private var maxBandByteCount: Int {
    let limits = description.limits
    // Behind the pixels of a band there is room for another.
    let room = min(limits.maxStorageBufferByteCount, limits.maxAllocationByteCount) - PixelFormat.rgba32f.bytesPerPixel
    return min(options.maxBandByteCount ?? .max, room)
  }

  /// The pipelines of some kernels: those that are still in use, and new ones, which the driver compiles side by side.
  private func pipelines(for kernels: [Kernel]) throws(RenderError) -> [ComputePipeline] {
    var made = pipelines.withLock { known in kernels.map { known[$0]?.pipeline } }
    let missing = made.indices.filter { made[$0] == nil }
    guard !missing.isEmpty else { return made.compactMap(\.self) }
    var tasks: [ThreadTask<Result<ComputePipeline, RenderError>>] = []
    for index in missing {
      do { tasks.append(try compile(kernels[index])) } catch {
        // Those that were started work with objects of the device.
        for task in tasks { if task.wait(within: options.timeout) == nil { device.abandon() } }
        throw error.while("compiling '\(kernels[index].name)'")
      }
    }
    for (index, task) in zip(missing, tasks) {
      guard let result = task.wait(within: options.timeout) else {
        device.abandon()
        throw timeoutError("compiling '\(kernels[index].name)' on '\(deviceName)'", options.timeout ?? .zero)
      }
      made[index] = try result.get()
    }
    let all = made.compactMap(\.self)
    pipelines.withLock { known in
      known = known.filter { $0.value.pipeline != nil }
      for pipeline in all { known[pipeline.kernel] = WeakPipeline(pipeline: pipeline) }
    }
    cache.save()
    return all
  }

  private func compile(_ kernel: Kernel) throws(RenderError) -> ThreadTask<Result<ComputePipeline, RenderError>> {
    try ThreadTask(.driver) { [cache, device] in
      Result { () throws(RenderError) in
        try ComputePipeline(kernel, words: Self.hardenedWords(of: kernel), cache: cache, on: device)
      }
    }
  }

  /// What the driver gets to see: undefined behaviour that could kill the process, or differ from driver to driver, is taken out.
  private static func hardenedWords(of kernel: Kernel) throws(RenderError) -> [UInt32] {
    do {
      return try Hardening.harden(SPIRVModule(kernel.words))
    } catch {
      throw RenderError(
        .invalidInput, "cannot harden '\(kernel.name)'", underlying: error.diagnostics.map(\.message).joined(separator: "; "))
    }
  }
}

/// A pipeline that is kept only as long as a plan uses it.
private struct WeakPipeline: Sendable {
  weak let pipeline: ComputePipeline?
}
