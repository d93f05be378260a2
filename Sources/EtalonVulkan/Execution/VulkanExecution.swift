internal import Dispatch
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSystem
internal import EtalonTypes
internal import Synchronization

/// A plan on a Vulkan device: submits frames, each in a slot of its own.
///
/// Slots are made when they are needed first, so that a single frame takes the memory of one.
final class VulkanExecution: PlanExecution {
  let framesInFlight: Int
  let prepared: PreparedPlan
  let queue: WorkQueue
  private let setupUniforms: [[UInt8]]
  private let free = Mutex(Slots())
  private let available: DispatchSemaphore
  private let progress = Mutex(Progress())

  /// How far the frames have come.
  private struct Progress {
    /// The setup, once the first frame needed it; it lives as long as the device may work on it.
    var setup: PlanSetup?
    var hasState = false
    /// Whether each persistent texture lies in the memory of its previous one.
    var isSwapped = false
    /// What the streamed textures hold, by their index in the plan: the identities of pictures.
    var held: [Int: UInt64] = [:]
  }

  private struct Slots {
    var made = 0
    var free: [FrameSlot] = []
  }

  init(_ prepared: PreparedPlan, setupUniforms: [[UInt8]], framesInFlight: Int, queue: WorkQueue) throws(RenderError) {
    self.prepared = prepared
    self.setupUniforms = setupUniforms
    self.queue = queue
    self.framesInFlight = try prepared.framesInFlight(wanted: framesInFlight)
    // Starts at zero, because a semaphore may not be destroyed below the value that it started with.
    available = DispatchSemaphore(value: 0)
    for _ in 0..<self.framesInFlight { available.signal() }
  }

  func submit(_ values: FrameValues) throws(RenderError) -> any PendingFrame {
    let violations = values.violations(for: prepared.plan)
    precondition(violations.isEmpty, violations.joined(separator: "; "))
    available.wait()
    do throws(RenderError) {
      let slot = try takeSlot()
      do throws(RenderError) {
        try queue.wait(for: slot.submission, values.cancellation)
        try submit(values, in: slot)
      } catch {
        free.withLock { $0.free.append(slot) }
        throw error
      }
      return VulkanFrame(slot, of: self, values.cancellation)
    } catch {
      available.signal()
      throw error
    }
  }

  private func submit(_ values: FrameValues, in slot: FrameSlot) throws(RenderError) {
    try setUp()
    let shown = values.shown(by: prepared.plan)
    let variant = progress.withLock { progress in
      FrameVariant(
        isSwapped: progress.isSwapped, startsState: prepared.plan.hasState && (values.startsState || !progress.hasState),
        writesOutputs: values.writesOutputs, filled: Set(shown.filter { progress.held[$0.key] != $0.value }.keys))
    }
    try slot.submit(values, variant, to: queue)
    progress.withLock {
      $0.hasState = true
      $0.isSwapped = prepared.plan.hasPrevious && !variant.isSwapped
      $0.held = shown
    }
  }

  /// Starts the setup, unless an earlier frame has.
  private func setUp() throws(RenderError) {
    guard !prepared.plan.setup.isEmpty, progress.withLock({ $0.setup == nil }) else { return }
    let setup = try PlanSetup(prepared, uniforms: setupUniforms, watchesPasses: queue.timeout != nil)
    _ = try setup.submit(to: queue)
    progress.withLock { $0.setup = setup }
  }

  // MARK: State

  func state() throws(RenderError) -> PlanState {
    let progress = progress.withLock { $0 }
    guard progress.hasState else { return PlanState(startOf: prepared.plan) }
    return try StateTransfer(prepared, queue: queue).state(isSwapped: progress.isSwapped)
  }

  /// The passes of the setup whose targets have mipmaps with NaN; a frame must be complete.
  fileprivate func setupWithNaN() throws(RenderError) -> Set<String> {
    try progress.withLock { $0.setup }?.passesWithNaN() ?? []
  }

  func restore(_ state: PlanState) throws(RenderError) {
    precondition(state.fits(prepared.plan), "the state of another plan")
    let isSwapped = progress.withLock { $0.isSwapped }
    try StateTransfer(prepared, queue: queue).restore(state, isSwapped: isSwapped)
    progress.withLock { $0.hasState = true }
  }

  private func takeSlot() throws(RenderError) -> FrameSlot {
    let (slot, number) = free.withLock { slots in
      if let slot = slots.free.popLast() { return (Optional(slot), 0) }
      slots.made += 1
      return (nil, slots.made)
    }
    if let slot { return slot }
    do throws(RenderError) {
      return try FrameSlot(prepared, number: number, watchesPasses: queue.timeout != nil)
    } catch {
      free.withLock { $0.made -= 1 }
      throw error
    }
  }

  fileprivate func giveBack(_ slot: FrameSlot) {
    free.withLock { $0.free.append(slot) }
    available.signal()
  }

  deinit { queue.drain() }
}

/// A frame on a Vulkan device; its pixels are read where the device wrote them.
final class VulkanFrame: PendingFrame {
  private let slot: FrameSlot
  private let execution: VulkanExecution
  private let cancellation: Cancellation?
  private let isReleased = Atomic<Bool>(false)

  fileprivate init(_ slot: FrameSlot, of execution: VulkanExecution, _ cancellation: Cancellation?) {
    self.cancellation = cancellation
    self.slot = slot
    self.execution = execution
  }

  func wait() throws(RenderError) {
    try execution.queue.wait(for: slot.submission, cancellation)
    for band in slot.outputs.joined() { try band.invalidate() }
  }

  func withBands<Failure: Error>(
    of output: Int, _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(!isReleased.load(ordering: .acquiring), "a released frame was read")
    let description = execution.prepared.plan.outputs[output]
    guard execution.prepared.tiles == nil else { return try withJoinedParts(of: output, body) }
    for (region, buffer) in zip(execution.prepared.bands(ofOutput: output), slot.outputs[output]) {
      let rowCount = region.height
      try unsafe buffer.withMutableBytes { bytes throws(Failure) in
        let pixels = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<description.byteCount(ofRows: rowCount)])
        unsafe try body(description.size.height - region.endY, rowCount, pixels.bytes)
      }
    }
  }

  /// The same where rows lie in several parts.
  private func withJoinedParts<Failure: Error>(
    of output: Int, _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    let description = execution.prepared.plan.outputs[output]
    let parts = Array(zip(execution.prepared.parts(ofOutput: output), slot.outputs[output]))
    for band in execution.prepared.bands(ofOutput: output) {
      var rows = [UInt8](repeating: 0, count: description.byteCount(ofRows: band.height))
      for (part, buffer) in parts where part.originY == band.originY {
        let count = description.byteCount(ofRows: 1, width: part.width), start = description.byteCount(ofRows: 1, width: part.originX)
        unsafe buffer.withMutableBytes { bytes in
          for row in 0..<part.height {
            let place = description.byteCount(ofRows: row) + start
            unsafe rows.replaceSubrange(place..<(place + count), with: bytes[(row * count)..<((row + 1) * count)])
          }
        }
      }
      try unsafe body(description.size.height - band.endY, band.height, rows.span.bytes)
    }
  }

  func holdsNaN(in output: Int) -> Bool {
    precondition(!isReleased.load(ordering: .acquiring), "a released frame was read")
    return zip(slot.marks(of: output), slot.outputs[output]).contains { mark, buffer in
      var isMarked = false
      unsafe buffer.withMutableBytes { bytes in isMarked = unsafe bytes[mark].contains { $0 != 0 } }
      return isMarked
    }
  }

  func passesWithNaNInMipmaps() throws(RenderError) -> Set<String> {
    precondition(!isReleased.load(ordering: .acquiring), "a released frame was read")
    return try slot.passesWithNaN().union(execution.setupWithNaN())
  }

  func release() {
    guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    execution.giveBack(slot)
  }

  deinit { release() }
}
