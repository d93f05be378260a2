internal import CLaneKernels
internal import Dispatch
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes
internal import Synchronization

/// Runs one pass of a plan over all its workgroups, on several threads.
///
/// **Concurrency**: runs one frame at a time.
final class PassRunner: Sendable {
  private let pass: Plan.Pass
  private let kernelName: String
  private let linked: LinkedProgram
  private let uniforms: KernelInterface.Block?
  private let textures: [TextureBinding]
  private let constants: [ByteBlock]
  private let registers: [RegisterBlock]
  private let uniformBytes: ByteBlock?
  private let pushConstants: ByteBlock

  private struct TextureBinding: Sendable {
    let memory: TextureMemory
    let sampler: Sampler?
  }

  init(_ pass: Plan.Pass, kernel: Kernel, linked: LinkedProgram, textures: [TextureMemory], threadCount: Int) throws(RenderError) {
    self.pass = pass
    self.linked = linked
    kernelName = kernel.name
    uniforms = kernel.interface.uniforms
    var bound: [TextureBinding] = []
    for binding in linked.program.resources.textures {
      switch pass.bindings[binding] {
      case .sampled(let texture, let sampler): bound.append(TextureBinding(memory: textures[texture], sampler: sampler))
      case .storage(let texture): bound.append(TextureBinding(memory: textures[texture], sampler: nil))
      default: throw RenderError(.internalError, "pass '\(pass.name)' binds no texture to \(binding)")
      }
    }
    self.textures = bound
    var constants: [ByteBlock] = []
    for words in linked.program.resources.constants {
      let block = try ByteBlock(byteCount: words.count * 4, name: "a constant array of kernel '\(kernel.name)'")
      block.write(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } })
      constants.append(block)
    }
    self.constants = constants
    var registers: [RegisterBlock] = []
    for _ in 0..<threadCount { registers.append(try RegisterBlock(for: linked.program, kernel: kernel.name)) }
    self.registers = registers
    uniformBytes = try uniforms.map { (block) throws(RenderError) in
      try ByteBlock(byteCount: (block.size + 15) / 16 * 16, name: "the uniforms of pass '\(pass.name)'")
    }
    pushConstants = try ByteBlock(byteCount: DispatchRegion.byteCount, name: "the push constants of pass '\(pass.name)'")
  }

  /// Renders the pass.
  ///
  /// - Parameter deadline: when to give up, on the clock of the lane kernels; 0 for never.
  func run(_ uniformValues: [UInt8], outputs: [ByteBlock], frame: Int, deadline: Int64, options: CPUBackend.Options) throws(RenderError) {
    uniformBytes?.write(uniformValues)
    let region = DispatchRegion(originX: 0, originY: 0, endX: pass.size.width, endY: pass.size.height)
    pushConstants.write(region.words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * Int32($0))) } })
    let buffers = try buffers(outputs)
    let stop = runThreads(buffers, region: region, deadline: deadline, stepLimit: options.stepLimit)
    for binding in textures where binding.sampler == nil { binding.memory.makeLevels() }
    if let stop { throw error(stop, region: region, frame: frame, options: options) }
  }

  private func buffers(_ outputs: [ByteBlock]) throws(RenderError) -> [ByteBlock] {
    var blocks: [ByteBlock] = []
    for buffer in linked.program.resources.buffers {
      switch buffer {
      case .pushConstants: blocks.append(pushConstants)
      case .bound(let binding):
        if let uniformBytes, uniforms?.binding == binding {
          blocks.append(uniformBytes)
        } else if case .output(let output)? = pass.bindings[binding] {
          blocks.append(outputs[output])
        } else {
          throw RenderError(.internalError, "pass '\(pass.name)' binds no buffer to \(binding)")
        }
      }
    }
    return blocks
  }

  // MARK: Threads

  /// Why a workgroup was stopped.
  private struct Stop: Sendable {
    let reason: lane_stop
    let workgroup: Int
  }

  private func runThreads(_ buffers: [ByteBlock], region: DispatchRegion, deadline: Int64, stepLimit: Int) -> Stop? {
    let counts = region.workgroupCounts
    let threads = min(registers.count, counts.x * counts.y)
    let next = WorkCounter()
    let stopped = Mutex<Stop?>(nil)
    let work: @Sendable (Int) -> Void = { [self] thread in
      let stop = runThread(registers[thread], buffers, counts: counts, next: next, deadline: deadline, stepLimit: stepLimit)
      guard let stop else { return }
      stopped.withLock { known in if known.map({ $0.workgroup > stop.workgroup }) ?? true { known = stop } }
    }
    if threads == 1 { work(0) } else { DispatchQueue.concurrentPerform(iterations: threads, execute: work) }
    return stopped.withLock { $0 }
  }

  private func runThread(
    _ registers: RegisterBlock, _ buffers: [ByteBlock], counts: (x: Int, y: Int), next: WorkCounter, deadline: Int64, stepLimit: Int
  ) -> Stop? {
    let textures = unsafe textures.map { unsafe $0.memory.descriptor($0.sampler) }
    let descriptors = unsafe buffers.map { unsafe $0.descriptor }
    let constants = unsafe constants.map { unsafe $0.constants }
    return unsafe textures.withUnsafeBufferPointer { textures in
      unsafe descriptors.withUnsafeBufferPointer { descriptors in
        unsafe constants.withUnsafeBufferPointer { constants in
          var context = unsafe lane_context(
            textures: textures.baseAddress, buffers: descriptors.baseAddress, constants: constants.baseAddress, fuel: Int64(LANE_FUEL),
            steps_left: Int64(stepLimit), deadline: deadline, stop: 0)
          unsafe lane_run(linked.preamble, registers.bytes, &context)
          var dispatch = unsafe lane_dispatch(
            program: linked.body, workgroup: 0, count_x: UInt32(counts.x), count_y: UInt32(counts.y), count_z: 1,
            step_limit: Int64(stepLimit), next: next.value)
          let stopped = unsafe lane_run_dispatch(&dispatch, registers.bytes, &context)
          return unsafe stopped < 0 ? nil : Stop(reason: lane_stop(UInt32(context.stop)), workgroup: Int(stopped))
        }
      }
    }
  }

  // MARK: Errors

  private func error(_ stop: Stop, region: DispatchRegion, frame: Int, options: CPUBackend.Options) -> RenderError {
    let place = "frame \(frame) in pass '\(pass.name)' ('\(kernelName)')"
    if stop.reason == LANE_STOP_DEADLINE, let timeout = options.timeout {
      return RenderError(
        .tryAgain, "\(place) took longer than \(timeout.secondsText)",
        help: ["allow more time with '--timeout', or make the picture smaller; a loop that does not end never finishes"])
    }
    let columns = region.workgroupCounts.x
    let x = stop.workgroup % columns * DispatchRegion.tileSide, y = stop.workgroup / columns * DispatchRegion.tileSide
    return RenderError(
      .invalidInput, "\(place) ran more than \(options.stepLimit) rounds of loops at the pixels from (\(x), \(y))",
      help: ["a loop there does not end, or not soon enough"])
  }
}

extension Duration {
  /// `2.5 s`.
  fileprivate var secondsText: String {
    let (seconds, attoseconds) = components
    let tenths = attoseconds / 100_000_000_000_000_000
    return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
  }
}

/// The number of the next workgroup, which threads count up.
@safe private final class WorkCounter: @unchecked Sendable {
  let value: UnsafeMutablePointer<Int64>

  init() {
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: 0)
  }

  deinit { unsafe value.deallocate() }
}
