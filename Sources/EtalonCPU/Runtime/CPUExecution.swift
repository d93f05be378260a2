internal import CLaneKernels
internal import Dispatch
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// A plan on the processor.
///
/// Frames are rendered when they are submitted, by all threads, one after the other.
final class CPUExecution: PlanExecution {
  let framesInFlight: Int
  fileprivate let plan: Plan
  private let stepsForState: [Bool]
  private let textures: [TextureMemory]
  private let buffers: [ByteBlock]
  private let setup: StepRunner
  private let setupUniforms: [[UInt8]]
  private let frame: StepRunner
  private let options: CPUBackend.Options
  private let free = Mutex<[[ByteBlock]]>([])
  private let available = DispatchSemaphore(value: 0)
  private let progress = Mutex(Progress())

  /// How far the frames have come.
  private struct Progress {
    var isSetUp = false
    var hasState = false
    /// Whether each persistent texture lies in the memory of its previous one.
    var isSwapped = false
    /// What the streamed textures hold, by their index in the plan: the identities of pictures.
    var held: [Int: UInt64] = [:]
    /// The passes of the setup whose targets have mipmaps with NaN.
    var setupWithNaN: Set<String> = []
  }

  init(
    _ plan: Plan, programs: [LinkedProgram], imports: [PixelBuffer], setupUniforms: [[UInt8]], framesInFlight: Int,
    options: CPUBackend.Options, observer: KernelObserver?
  ) throws(RenderError) {
    self.plan = plan
    self.options = options
    self.framesInFlight = framesInFlight
    stepsForState = plan.stepsForState
    textures = try TextureMemory.all(of: plan)
    for texture in textures {
      if case .imported(let index) = texture.description.role { texture.fill(from: imports[index]) }
    }
    var buffers: [ByteBlock] = []
    for buffer in plan.buffers { buffers.append(try ByteBlock(byteCount: buffer.byteCount, name: "buffer '\(buffer.name)'")) }
    self.buffers = buffers
    setup = try StepRunner(plan.setup, of: plan, programs: programs, options, observer: observer)
    self.setupUniforms = setupUniforms
    frame = try StepRunner(plan.steps, of: plan, programs: programs, options, observer: observer)
    for _ in 0..<framesInFlight { available.signal() }
  }

  func submit(_ values: FrameValues) throws(RenderError) -> any PendingFrame {
    let violations = values.violations(for: plan)
    precondition(violations.isEmpty, violations.joined(separator: "; "))
    available.wait()
    do throws(RenderError) {
      let outputs = try takeOutputs()
      for (output, block) in zip(plan.outputs, outputs) { unsafe block.mark(of: output).initializeMemory(as: UInt8.self, repeating: 0) }
      do throws(RenderError) {
        return CPUFrame(outputs, passesWithNaN: try render(values, to: outputs), of: self)
      } catch {
        free.withLock { $0.append(outputs) }
        throw error
      }
    } catch {
      available.signal()
      throw error
    }
  }

  private func takeOutputs() throws(RenderError) -> [ByteBlock] {
    if let outputs = free.withLock({ $0.popLast() }) { return outputs }
    var outputs: [ByteBlock] = []
    for output in plan.outputs {
      outputs.append(
        try ByteBlock(byteCount: output.byteCountWithMark(ofRows: output.size.height), name: "output '\(output.name)'"))
    }
    return outputs
  }

  fileprivate func giveBack(_ outputs: [ByteBlock]) {
    free.withLock { $0.append(outputs) }
    available.signal()
  }

  // MARK: Rendering

  /// Returns the passes whose targets have mipmaps with NaN.
  private func render(_ values: FrameValues, to outputs: [ByteBlock]) throws(RenderError) -> Set<String> {
    try setUp(values)
    let isSwapped = progress.withLock { $0.isSwapped }
    startFrame(zeroingState: values.startsState || !progress.withLock { $0.hasState })
    fillStreams(values)
    let memory = FrameMemory(textures: plan.memory(isSwapped: isSwapped).map { textures[$0] }, buffers: buffers, outputs: outputs)
    let found = try frame.run(
      values.uniforms, memory: memory, limits: limits(values), where: values.writesOutputs ? nil : stepsForState)
    return progress.withLock { progress in
      progress.isSwapped = plan.hasPrevious && !isSwapped
      return found.union(progress.setupWithNaN)
    }
  }

  /// Does the setup, unless an earlier frame has.
  private func setUp(_ values: FrameValues) throws(RenderError) {
    guard !plan.setup.isEmpty, !progress.withLock({ $0.isSetUp }) else { return }
    for (buffer, block) in zip(plan.buffers, buffers) where !buffer.isPersistent { block.clear() }
    let memory = FrameMemory(textures: textures, buffers: buffers, outputs: [])
    let found = try setup.run(setupUniforms, memory: memory, limits: limits(values))
    progress.withLock { progress in
      progress.isSetUp = true
      progress.setupWithNaN = found
    }
  }

  private func limits(_ values: FrameValues) -> PassLimits {
    PassLimits(
      frame: values.frame, deadline: options.timeout.map { lane_clock() + $0.nanoseconds } ?? 0, timeout: options.timeout,
      stepLimit: options.stepLimit, cancellation: values.cancellation)
  }

  private func fillStreams(_ values: FrameValues) {
    let shown = values.shown(by: plan), held = progress.withLock { $0.held }
    for (index, texture) in plan.textures.enumerated() where shown[index] != held[index] {
      if case .streamed(let stream) = texture.role { textures[index].fill(from: values.pictures[stream].pixels) }
    }
    progress.withLock { $0.held = shown }
  }

  // MARK: State

  func state() -> PlanState {
    let progress = progress.withLock { $0 }
    guard progress.hasState else { return PlanState(startOf: plan) }
    return PlanState(
      textures: plan.keptMemory(isSwapped: progress.isSwapped).map { textures[$0].picture() },
      buffers: zip(plan.buffers, buffers).filter { $0.0.isPersistent }.map { $0.1.bytes })
  }

  func restore(_ state: PlanState) {
    precondition(state.fits(plan), "the state of another plan")
    let kept = plan.keptMemory(isSwapped: progress.withLock { $0.isSwapped })
    for (index, picture) in zip(kept, state.textures) { textures[index].fill(from: picture) }
    let blocks = zip(plan.buffers, buffers).filter { $0.0.isPersistent }.map { $0.1 }
    for (block, bytes) in zip(blocks, state.buffers) { block.write(bytes) }
    progress.withLock { $0.hasState = true }
  }

  private func startFrame(zeroingState: Bool) {
    for (buffer, block) in zip(plan.buffers, buffers) where zeroingState || !buffer.isPersistent { block.clear() }
    guard zeroingState else { return }
    for texture in textures where texture.description.isKept { texture.clear() }
    progress.withLock { $0.hasState = true }
  }
}

/// A finished frame; its pixels are read where they were written.
final class CPUFrame: PendingFrame {
  private let outputs: [ByteBlock]
  private let passesWithNaN: Set<String>
  private let execution: CPUExecution
  private let isReleased = Atomic<Bool>(false)

  fileprivate init(_ outputs: [ByteBlock], passesWithNaN: Set<String>, of execution: CPUExecution) {
    self.outputs = outputs
    self.passesWithNaN = passesWithNaN
    self.execution = execution
  }

  func wait() throws(RenderError) {}

  func passesWithNaNInMipmaps() -> Set<String> { passesWithNaN }

  func withBands<Failure: Error>(
    of output: Int, _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(!isReleased.load(ordering: .acquiring), "a released frame was read")
    let description = execution.plan.outputs[output], rowCount = description.size.height
    let bytes = unsafe UnsafeRawBufferPointer(start: outputs[output].start, count: description.byteCount(ofRows: rowCount))
    try unsafe body(0, rowCount, bytes.bytes)
  }

  func holdsNaN(in output: Int) -> Bool {
    precondition(!isReleased.load(ordering: .acquiring), "a released frame was read")
    return unsafe outputs[output].mark(of: execution.plan.outputs[output]).contains { $0 != 0 }
  }

  func release() {
    guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    execution.giveBack(outputs)
  }

  deinit { release() }
}

// MARK: - Steps

/// Runs the steps of a frame, or of the setup, one after the other.
private struct StepRunner: Sendable {
  private let steps: [Plan.Step]
  /// One for each dispatch.
  private let runners: [PassRunner]

  init(
    _ steps: [Plan.Step], of plan: Plan, programs: [LinkedProgram], _ options: CPUBackend.Options, observer: KernelObserver?
  ) throws(RenderError) {
    self.steps = steps
    var runners: [PassRunner] = []
    for pass in steps.compactMap(\.pass) {
      runners.append(
        try PassRunner(
          pass, of: plan, linked: programs[pass.kernel], threadCount: options.threadCount, tiles: options.tiles, observer: observer))
    }
    self.runners = runners
  }

  /// Runs the steps that are needed.
  ///
  /// - Parameter uniforms: those of each dispatch.
  /// - Parameter isNeeded: by step; nil for all of them.
  /// - Returns: the names of the passes whose targets have mipmaps with NaN.
  func run(
    _ uniforms: [[UInt8]], memory: FrameMemory, limits: PassLimits, where isNeeded: [Bool]? = nil
  ) throws(RenderError) -> Set<String> {
    var number = 0, passesWithNaN: Set<String> = []
    for (index, step) in steps.enumerated() {
      let isNeeded = isNeeded?[index] ?? true
      switch step {
      case .clear(let texture): if isNeeded { memory.textures[texture].clear() }
      case .makeMipmaps(let texture):
        guard isNeeded else { continue }
        memory.textures[texture].makeMipmaps()
        if memory.textures[texture].endsInNaN { passesWithNaN.insert(steps.passBefore(mipmapsAt: index)) }
      case .dispatch:
        if isNeeded { try runners[number].run(uniforms[number], memory: memory, limits: limits) }
        number += 1
      }
    }
    return passesWithNaN
  }
}

extension ByteBlock {
  /// What lies behind the pixels of an output.
  fileprivate func mark(of output: Plan.Output) -> UnsafeMutableRawBufferPointer {
    let offset = output.offsetOfMark(behindRows: output.size.height)
    return unsafe UnsafeMutableRawBufferPointer(start: start + offset, count: byteCount - offset)
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? Int64.max / 2 : min(whole, Int64.max / 2) + attoseconds / 1_000_000_000
  }
}
