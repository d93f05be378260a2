internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonSystem
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
  /// Nil for a pass that is done at once.
  private let pieces: PassPieces?

  init(
    _ pass: Plan.Pass, of plan: Plan, linked: LinkedProgram, threadCount: Int, tiles: DispatchTiles? = nil,
    observer: KernelObserver? = nil
  ) throws(RenderError) {
    let kernel = plan.kernels[pass.kernel]
    self.pass = pass
    kernelName = kernel.name
    uniforms = kernel.interface.uniforms
    resources = linked.program.resources
    touched = Set(kernel.interface.resources.map(\.binding) + [kernel.interface.uniforms?.binding].compactMap(\.self))
    untouched = try ByteBlock(byteCount: 16, name: "the unused buffers of pass '\(pass.name)'")
    workgroups = try WorkgroupRunner(
      linked, counts: pass.workgroupCounts, kernel: kernel.name, threadCount: threadCount, isReversed: tiles != nil)
    self.observer = try observer?.observer(of: pass, in: plan, linked.program, counts: pass.workgroupCounts)
    pieces = try tiles.flatMap { (tiles) throws(RenderError) in
      try pass.covered.map { (covered) throws(RenderError) in try PassPieces(of: covered, cut: tiles, pass, in: plan) }
    }
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
    guard let pieces else { return try run(pass.covered, pass.workgroupCounts, memory.outputs, memory, limits) }
    for piece in pieces.regions {
      pushConstants?.write(piece.words.map(UInt32.init(bitPattern:)))
      pieces.begin()
      try run(piece, (piece.workgroupCounts.x, piece.workgroupCounts.y, 1), pieces.outputs(memory.outputs), memory, limits)
      pieces.end(piece, in: memory.outputs)
    }
  }

  /// Runs some of its workgroups, which cover a region of the pixels, if it is a pass over pixels.
  private func run(
    _ region: DispatchRegion?, _ counts: WorkgroupRunner.Counts, _ outputs: [ByteBlock], _ memory: FrameMemory, _ limits: PassLimits
  ) throws(RenderError) {
    let stop = workgroups.run(
      counts, textures: try textures(memory), buffers: try buffers(memory, outputs), limits: limits, observer: observer)
    if let stop { throw error(stop, region, counts, limits) }
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

  private func buffers(_ memory: FrameMemory, _ outputs: [ByteBlock]) throws(RenderError) -> [ByteBlock] {
    var blocks: [ByteBlock] = []
    for buffer in resources.buffers {
      guard let block = block(of: buffer, memory, outputs) else {
        throw RenderError(.internalError, "pass '\(pass.name)' does not bind all buffers of kernel '\(kernelName)'")
      }
      blocks.append(block)
    }
    return blocks
  }

  private func block(of buffer: KernelResources.Buffer, _ memory: FrameMemory, _ outputs: [ByteBlock]) -> ByteBlock? {
    guard case .bound(let binding) = buffer else { return pushConstants }
    if uniforms?.binding == binding { return uniformBytes }
    if !touched.contains(binding) { return untouched }
    switch pass.bindings[binding] {
    case .output(let output): return outputs[output]
    case .buffer(let index): return memory.buffers[index]
    default: return nil
    }
  }

  // MARK: Errors

  private func error(
    _ stop: WorkgroupRunner.Stop, _ region: DispatchRegion?, _ counts: WorkgroupRunner.Counts, _ limits: PassLimits
  ) -> RenderError {
    let place = "frame \(limits.frame) in pass '\(pass.name)' ('\(kernelName)')"
    if stop.reason == LANE_STOP_CANCELLED { return RenderError(.interrupted, "\(place) was to end early") }
    if stop.reason == LANE_STOP_DEADLINE, let timeout = limits.timeout {
      return RenderError(
        .timedOut, "\(place) took longer than \(timeout.secondsText)",
        help: ["allow more time with '--timeout', or make the picture smaller; a loop that does not end never finishes"])
    }
    return RenderError(
      .endlessLoop,
      "\(place) ran more than \(limits.stepLimit) rounds of loops \(Self.place(ofWorkgroup: stop.workgroup, counts, region))",
      help: ["a loop there does not end, or not soon enough; 'etalon sanitize' tells which"])
  }

  /// `at the pixels from (16, 0)`, or `in workgroup (1, 0, 0)`.
  private static func place(ofWorkgroup number: Int, _ counts: WorkgroupRunner.Counts, _ region: DispatchRegion?) -> String {
    let x = number % counts.x, y = number / counts.x % counts.y, z = number / counts.x / counts.y
    guard let region else { return "in workgroup (\(x), \(y), \(z))" }
    let left = region.originX + x * DispatchRegion.tileSide, low = region.originY + y * DispatchRegion.tileSide
    return "at the pixels from (\(left), \(low))"
  }
}

/// When a pass is stopped, and what its error says.
struct PassLimits: Sendable {
  /// The number of the frame.
  let frame: Int
  /// When to stop, on the clock of the lane kernels; 0 for never.
  let deadline: Int64
  let timeout: Duration?
  /// Back edges that one workgroup may take in all.
  let stepLimit: Int
  /// Asks for the end before the pass is done.
  let cancellation: Cancellation?
}

// MARK: - Pieces

/// The pieces that a pass over pixels is done in, one after the other, and the memory that it writes pixels of outputs into meanwhile.
///
/// **Concurrency**: used by one frame at a time.
private struct PassPieces: Sendable {
  let regions: [DispatchRegion]
  private let whole: DispatchRegion
  /// For each output that the pass writes, its number and room for the largest piece.
  private let scratch: [(output: Int, description: Plan.Output, block: ByteBlock)]

  init(of whole: DispatchRegion, cut tiles: DispatchTiles, _ pass: Plan.Pass, in plan: Plan) throws(RenderError) {
    self.whole = whole
    regions = tiles.cut(whole)
    let largest = min(tiles.width, whole.endX - whole.originX) * min(tiles.height, whole.endY - whole.originY)
    var scratch: [(output: Int, description: Plan.Output, block: ByteBlock)] = []
    for case .output(let number) in pass.bindings.values {
      let output = plan.outputs[number]
      // Behind the pixels there is room for the mark, as there is behind those of a whole output.
      let byteCount = (largest + 1) * max(output.format.bytesPerPixel, 4)
      scratch.append((number, output, try ByteBlock(byteCount: byteCount, name: "a piece of output '\(output.name)'")))
    }
    self.scratch = scratch
  }

  /// Makes ready for the next piece.
  func begin() { for (_, _, block) in scratch { block.clear() } }

  /// The outputs, with those that the pass writes replaced.
  func outputs(_ outputs: [ByteBlock]) -> [ByteBlock] {
    var outputs = outputs
    for (number, _, block) in scratch { outputs[number] = block }
    return outputs
  }

  /// Copies the pixels of a piece, and the mark, to where they belong.
  func end(_ piece: DispatchRegion, in outputs: [ByteBlock]) {
    let width = piece.endX - piece.originX, height = piece.endY - piece.originY
    for (number, description, block) in scratch {
      let pixel = description.format.bytesPerPixel, target = outputs[number]
      for row in 0..<height {
        // Both have the top row first.
        let place = (whole.endY - piece.endY + row) * (whole.endX - whole.originX) + piece.originX - whole.originX
        unsafe target.start.advanced(by: place * pixel).update(from: block.start.advanced(by: row * width * pixel), count: width * pixel)
      }
      let mark = (width * height * pixel + 3) / 4 * 4
      let isMarked = (mark..<mark + max(pixel, 4)).contains { unsafe block.start[$0] != 0 }
      if isMarked { unsafe target.start[description.offsetOfMark(behindRows: description.size.height)] = 1 }
    }
  }
}

// MARK: - Parts of passes and times

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
}

extension Duration {
  /// `2.5 s`.
  var secondsText: String {
    let (seconds, attoseconds) = components
    let tenths = attoseconds / 100_000_000_000_000_000
    return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
  }
}
