internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonSystem
internal import Synchronization

/// The device's queue with one timeline semaphore: every submission has a number, and the numbers complete in order.
///
/// **Concurrency**: safe to use from any thread.
@safe
final class WorkQueue: @unchecked Sendable {
  /// Says what a submission is for, in the message when it takes too long; called then.
  typealias Label = @Sendable () -> String

  let device: Device
  /// How long one submission may take; nil for as long as it wants.
  let timeout: Duration?
  private let semaphore: VkSemaphore
  private let state = Mutex(State())

  private struct State {
    var last: UInt64 = 0
    var labels: [UInt64: Label] = [:]
    /// Whether the device was given up because the process is to end.
    var isInterrupted = false
  }

  init(of device: Device, timeout: Duration?) throws(RenderError) {
    let created = unsafe withCallMemory { memory in
      var type = unsafe VkSemaphoreTypeCreateInfo()
      unsafe type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO
      unsafe type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE
      var info = unsafe VkSemaphoreCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO
      unsafe info.pNext = UnsafeRawPointer(memory.pointer(to: type))
      var semaphore: VkSemaphore?
      let result = unsafe device.vk.pointee.CreateSemaphore(device.handle, &info, nil, &semaphore)
      return unsafe (result, semaphore)
    }
    try unsafe check(created.0, "vkCreateSemaphore", "cannot make the timeline")
    guard let semaphore = unsafe created.1 else { preconditionFailure("vkCreateSemaphore succeeded without a semaphore") }
    unsafe device.name(semaphore, VK_OBJECT_TYPE_SEMAPHORE, "timeline")
    self.device = device
    self.timeout = timeout
    unsafe self.semaphore = semaphore
  }

  /// Hands a recorded command buffer to the device; returns the number of the submission.
  func submit(_ commands: CommandBuffer, _ label: @escaping Label) throws(RenderError) -> UInt64 {
    guard !device.isAbandoned else { throw abandonedError }
    return try state.withLock { state throws(RenderError) in
      let number = state.last + 1
      let result = withCallMemory { memory in
        var timeline = unsafe VkTimelineSemaphoreSubmitInfo()
        unsafe timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO
        unsafe timeline.signalSemaphoreValueCount = 1
        unsafe timeline.pSignalSemaphoreValues = UnsafePointer(memory.pointer(to: number))
        var info = unsafe VkSubmitInfo()
        unsafe info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO
        unsafe info.pNext = UnsafeRawPointer(memory.pointer(to: timeline))
        unsafe info.commandBufferCount = 1
        unsafe info.pCommandBuffers = UnsafePointer(memory.pointer(to: Optional(commands.handle)))
        unsafe info.signalSemaphoreCount = 1
        unsafe info.pSignalSemaphores = UnsafePointer(memory.pointer(to: Optional(semaphore)))
        return unsafe device.vk.pointee.QueueSubmit(device.queue, 1, &info, nil)
      }
      try check(result, "vkQueueSubmit", "cannot submit \(label())")
      state.last = number
      state.labels[number] = label
      return number
    }
  }

  /// Waits until a submission is complete; gives the device up when any submission up to it takes longer than the time-out, or when the process is to
  /// end and they take much longer.
  func wait(for number: UInt64, _ cancellation: Cancellation? = nil) throws(RenderError) {
    let cancellation = cancellation?.endsProcess == true ? cancellation : nil
    var completed = try counter()
    while completed < number {
      guard !device.isAbandoned else { throw abandonedError }
      // Without a time-out the last one is waited for; with one, each in turn, because each has the whole time for itself.
      try waitOnce(for: timeout == nil ? number : completed + 1, cancellation)
      completed = try counter()
    }
    state.withLock { state in state.labels = state.labels.filter { $0.key > completed } }
  }

  /// How often a wait looks whether the process is to end, and how long a device then has to finish what it was given.
  private static let slice = Duration.milliseconds(50)
  private static let grace = Duration.seconds(2)

  private func waitOnce(for number: UInt64, _ cancellation: Cancellation?) throws(RenderError) {
    let start = ContinuousClock.now
    var end: ContinuousClock.Instant?
    while true {
      let left = timeout.map { max(.zero, $0 - (ContinuousClock.now - start)) }
      let wait = cancellation == nil ? left : min(left ?? Self.slice, Self.slice)
      let result = withCallMemory { memory in
        var info = unsafe VkSemaphoreWaitInfo()
        unsafe info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO
        unsafe info.semaphoreCount = 1
        unsafe info.pSemaphores = UnsafePointer(memory.pointer(to: Optional(semaphore)))
        unsafe info.pValues = UnsafePointer(memory.pointer(to: number))
        return unsafe device.vk.pointee.WaitSemaphores(device.handle, &info, wait?.nanoseconds ?? .max)
      }
      let label = state.withLock { $0.labels[number] }
      try check(result, "vkWaitSemaphores", "lost the device in \(label?() ?? "a submission")")
      guard result == VK_TIMEOUT else { return }
      if let timeout, ContinuousClock.now - start >= timeout {
        device.abandon()
        throw timeoutError(label?() ?? "a submission", timeout)
      }
      guard let cancellation, cancellation.isCancelled else { continue }
      let last = end ?? ContinuousClock.now + Self.grace
      end = last
      guard ContinuousClock.now >= last else { continue }
      state.withLock { $0.isInterrupted = true }
      device.abandon()
      throw RenderError(.interrupted, "\(label?() ?? "a submission") was to end early")
    }
  }

  /// Waits until everything is complete, or gives the device up.
  func drain() {
    let last = state.withLock { $0.last }
    do { try wait(for: last) } catch { device.abandon() }
  }

  private func counter() throws(RenderError) -> UInt64 {
    var value: UInt64 = 0
    let result = unsafe device.vk.pointee.GetSemaphoreCounterValue(device.handle, semaphore, &value)
    try check(result, "vkGetSemaphoreCounterValue", "lost the device '\(device.physical.name)'")
    return value
  }

  private var abandonedError: RenderError {
    if state.withLock({ $0.isInterrupted }) {
      return RenderError(.interrupted, "the device '\(device.physical.name)' was given up, because the program was to end")
    }
    return RenderError(.timedOut, "the device '\(device.physical.name)' was given up after a time-out", help: ["start the program again"])
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroySemaphore(device.handle, semaphore, nil) }
  }
}

/// The error for something that took too long; `what` names filter, pass and frame.
func timeoutError(_ what: String, _ timeout: Duration) -> RenderError {
  RenderError(
    .timedOut, "\(what) took longer than \(timeout.secondsText)",
    help: ["allow more time with '--timeout', or make the picture smaller; a loop that does not end never finishes"])
}

extension Duration {
  fileprivate var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return UInt64(min(max(0, seconds), Int64.max / 2_000_000_000)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
  }

  fileprivate var secondsText: String {
    let milliseconds = nanoseconds / 1_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
