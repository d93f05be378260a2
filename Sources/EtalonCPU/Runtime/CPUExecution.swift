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
  private let runners: [PassRunner]
  private let options: CPUBackend.Options
  private let free = Mutex<[[ByteBlock]]>([])
  private let available = DispatchSemaphore(value: 0)

  init(
    _ plan: Plan, programs: [LinkedProgram], imports: [PixelBuffer], framesInFlight: Int, options: CPUBackend.Options
  ) throws(RenderError) {
    self.plan = plan
    self.options = options
    self.framesInFlight = framesInFlight
    var textures: [TextureMemory] = []
    for texture in plan.textures {
      let memory = try TextureMemory(
        name: texture.name, size: texture.size, format: texture.format, isMipmapped: texture.isMipmapped)
      if case .imported(let index) = texture.role { memory.upload(imports[index]) }
      textures.append(memory)
    }
    var runners: [PassRunner] = []
    for pass in plan.passes {
      runners.append(
        try PassRunner(
          pass, kernel: plan.kernels[pass.kernel], linked: programs[pass.kernel], textures: textures, threadCount: options.threadCount))
    }
    self.runners = runners
    for _ in 0..<framesInFlight { available.signal() }
  }

  func submit(_ values: FrameValues) throws(RenderError) -> any PendingFrame {
    precondition(values.uniforms.count == plan.passes.count, "\(values.uniforms.count) blocks of uniforms for \(plan.passes.count) passes")
    available.wait()
    do throws(RenderError) {
      let outputs = try takeOutputs()
      do throws(RenderError) {
        try render(values, to: outputs)
      } catch {
        free.withLock { $0.append(outputs) }
        throw error
      }
      return CPUFrame(outputs, of: self)
    } catch {
      available.signal()
      throw error
    }
  }

  private func render(_ values: FrameValues, to outputs: [ByteBlock]) throws(RenderError) {
    let deadline = options.timeout.map { lane_clock() + $0.nanoseconds } ?? 0
    for (runner, uniforms) in zip(runners, values.uniforms) {
      try runner.run(uniforms, outputs: outputs, frame: values.frame, deadline: deadline, options: options)
    }
  }

  private func takeOutputs() throws(RenderError) -> [ByteBlock] {
    if let outputs = free.withLock({ $0.popLast() }) { return outputs }
    var outputs: [ByteBlock] = []
    for output in plan.outputs {
      outputs.append(
        try ByteBlock(byteCount: output.size.pixelCount * output.format.bytesPerPixel, name: "output '\(output.name)'"))
    }
    return outputs
  }

  fileprivate func giveBack(_ outputs: [ByteBlock]) {
    free.withLock { $0.append(outputs) }
    available.signal()
  }
}

/// A finished frame; its pixels are read where they were written.
final class CPUFrame: PendingFrame {
  private let outputs: [ByteBlock]
  private let execution: CPUExecution
  private let isReleased = Atomic<Bool>(false)

  fileprivate init(_ outputs: [ByteBlock], of execution: CPUExecution) {
    self.outputs = outputs
    self.execution = execution
  }

  func wait() throws(RenderError) {}

  func withBands<Failure: Error>(
    of output: Int, _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(!isReleased.load(ordering: .acquiring), "a released frame was read")
    let block = outputs[output]
    let bytes = unsafe UnsafeRawBufferPointer(start: block.start, count: block.byteCount)
    try unsafe body(0, execution.plan.outputs[output].size.height, bytes.bytes)
  }

  func release() {
    guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    execution.giveBack(outputs)
  }

  deinit { release() }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? Int64.max / 2 : min(whole, Int64.max / 2) + attoseconds / 1_000_000_000
  }
}
