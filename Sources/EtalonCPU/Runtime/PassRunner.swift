internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// Runs one pass of a plan: binds what the kernel wants to have bound and starts its workgroups.
///
/// **Concurrency**: runs one frame at a time.
final class PassRunner: Sendable {
  private let pass: Plan.Pass
  private let kernelName: String
  private let uniforms: KernelInterface.Block?
  private let resources: KernelResources
  private let uniformBytes: ByteBlock?
  private let pushConstants: ByteBlock?
  /// What stands for buffers that the kernel declares and never touches.
  private let untouched: ByteBlock
  /// The bindings that the kernel does touch.
  private let touched: Set<Int>
  private let workgroups: WorkgroupRunner
  private let observer: (any PassObserver)?

  init(_ pass: Plan.Pass, of plan: Plan, linked: LinkedProgram, threadCount: Int, observer: KernelObserver? = nil) throws(RenderError) {
    let kernel = plan.kernels[pass.kernel]
    self.pass = pass
    kernelName = kernel.name
    uniforms = kernel.interface.uniforms
    resources = linked.program.resources
    touched = Set(kernel.interface.resources.map(\.binding) + [kernel.interface.uniforms?.binding].compactMap(\.self))
    untouched = try ByteBlock(byteCount: 16, name: "the unused buffers of pass '\(pass.name)'")
    workgroups = try WorkgroupRunner(linked, counts: pass.workgroupCounts, kernel: kernel.name, threadCount: threadCount)
    self.observer = try observer?.observer(of: pass, in: plan, linked.program, counts: pass.workgroupCounts)
    uniformBytes = try uniforms.map { (block) throws(RenderError) in
      try ByteBlock(byteCount: (block.size + 15) / 16 * 16, name: "the uniforms of pass '\(pass.name)'")
    }
    pushConstants = try pass.covered.map { (region) throws(RenderError) in
      let block = try ByteBlock(byteCount: DispatchRegion.byteCount, name: "the push constants of pass '\(pass.name)'")
      block.write(region.words.map(UInt32.init(bitPattern:)))
      return block
    }
  }

  /// Renders the pass.
  func run(_ uniformValues: [UInt8], memory: FrameMemory, limits: PassLimits) throws(RenderError) {
    uniformBytes?.write(uniformValues)
    let stop = workgroups.run(textures: try textures(memory), buffers: try buffers(memory), limits: limits, observer: observer)
    if let stop { throw error(stop, limits) }
  }

  // MARK: Bindings

  private func textures(_ memory: FrameMemory) throws(RenderError) -> [TextureView] {
    var views: [TextureView] = []
    for binding in resources.textures {
      switch pass.bindings[binding] {
      case .sampled(let texture, let sampler): views.append(TextureView(memory: memory.textures[texture], sampler: sampler))
      case .storage(let texture, let layer): views.append(TextureView(memory: memory.textures[texture], layer: layer))
      default: throw RenderError(.internalError, "pass '\(pass.name)' binds no texture to \(binding)")
      }
    }
    return views
  }

  private func buffers(_ memory: FrameMemory) throws(RenderError) -> [ByteBlock] {
    var blocks: [ByteBlock] = []
    for buffer in resources.buffers {
      guard let block = block(of: buffer, memory) else {
        throw RenderError(.internalError, "pass '\(pass.name)' does not bind all buffers of kernel '\(kernelName)'")
      }
      blocks.append(block)
    }
    return blocks
  }

  private func block(of buffer: KernelResources.Buffer, _ memory: FrameMemory) -> ByteBlock? {
    guard case .bound(let binding) = buffer else { return pushConstants }
    if uniforms?.binding == binding { return uniformBytes }
    if !touched.contains(binding) { return untouched }
    switch pass.bindings[binding] {
    case .output(let output): return memory.outputs[output]
    case .buffer(let index): return memory.buffers[index]
    default: return nil
    }
  }

  // MARK: Errors

  private func error(_ stop: WorkgroupRunner.Stop, _ limits: PassLimits) -> RenderError {
    let place = "frame \(limits.frame) in pass '\(pass.name)' ('\(kernelName)')"
    if stop.reason == LANE_STOP_DEADLINE, let timeout = limits.timeout {
      return RenderError(
        .tryAgain, "\(place) took longer than \(timeout.secondsText)",
        help: ["allow more time with '--timeout', or make the picture smaller; a loop that does not end never finishes"])
    }
    return RenderError(
      .invalidInput, "\(place) ran more than \(limits.stepLimit) rounds of loops \(pass.place(ofWorkgroup: stop.workgroup))",
      help: ["a loop there does not end, or not soon enough; 'etalon sanitize' tells which"])
  }
}

extension Plan.Pass {
  /// The whole target of a pass that covers pixels.
  fileprivate var covered: DispatchRegion? {
    guard case .pixels(let size) = coverage else { return nil }
    return DispatchRegion(originX: 0, originY: 0, endX: size.width, endY: size.height).moved(into: region)
  }

  fileprivate var workgroupCounts: (x: Int, y: Int, z: Int) {
    if case .workgroups(let x, let y, let z) = coverage { return (x, y, z) }
    let counts = covered?.workgroupCounts ?? (x: 1, y: 1)
    return (counts.x, counts.y, 1)
  }

  /// `at the pixels from (16, 0)`, or `in workgroup (1, 0, 0)`.
  fileprivate func place(ofWorkgroup number: Int) -> String {
    let counts = workgroupCounts
    let x = number % counts.x, y = number / counts.x % counts.y, z = number / counts.x / counts.y
    switch coverage {
    case .pixels:
      let left = (covered?.originX ?? 0) + x * DispatchRegion.tileSide, low = (covered?.originY ?? 0) + y * DispatchRegion.tileSide
      return "at the pixels from (\(left), \(low))"
    case .workgroups: return "in workgroup (\(x), \(y), \(z))"
    }
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
