internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// What one frame in flight needs for itself: output buffers, uniforms, bindings and the recorded commands; used by frame after frame.
///
/// **Concurrency**: used by one frame at a time.
final class FrameSlot: @unchecked Sendable {
  /// By output, then by band from the top of the picture down.
  let outputs: [[Buffer]]
  private let plan: Plan
  private let uniforms: Buffer?
  private let uniformLayout: UniformLayout
  private let sets: DescriptorSets
  private let marks: PassMarks?
  private let commands: CommandBuffer
  /// The number of the last submission, 0 before the first.
  private(set) var submission: UInt64 = 0

  /// Makes everything and records the commands, which are the same for every frame.
  init(_ prepared: PreparedPlan, number: Int, watchesPasses: Bool) throws(RenderError) {
    let device = prepared.pool.device
    plan = prepared.plan
    var outputs: [[Buffer]] = []
    for output in prepared.plan.outputs { outputs.append(try Self.makeBands(output, prepared, number)) }
    self.outputs = outputs
    uniformLayout = UniformLayout(of: plan, alignment: Int(device.physical.properties.limits.minUniformBufferOffsetAlignment))
    uniforms =
      uniformLayout.byteCount == 0
      ? nil
      : try Buffer(
        byteCount: uniformLayout.byteCount, usage: VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, .upload, name: "the uniforms of slot \(number)",
        in: prepared.pool)
    sets = try DescriptorSets(
      prepared, outputs: outputs, uniforms: uniforms, uniformOffsets: uniformLayout.offsets, name: "slot \(number)")
    marks = watchesPasses && plan.passes.count > 1 ? try PassMarks(count: plan.passes.count, on: device) : nil
    commands = try CommandBuffer(name: "slot \(number)", on: device)
    let recorder = PassRecorder(prepared: prepared, sets: sets, marks: marks, commands: commands)
    try commands.record(once: false) { recorder.record() }
  }

  private static func makeBands(_ output: Plan.Output, _ prepared: PreparedPlan, _ number: Int) throws(RenderError) -> [Buffer] {
    var bands: [Buffer] = []
    for (index, region) in prepared.bands(of: output.size).regions.enumerated() {
      let byteCount = output.size.width * (region.endY - region.originY) * output.format.bytesPerPixel
      bands.append(
        try Buffer(
          byteCount: (byteCount + 3) / 4 * 4, usage: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .readback,
          name: "band \(index) of output '\(output.name)', slot \(number)", in: prepared.pool))
    }
    return bands
  }

  /// Starts a frame; the one before must be complete.
  func submit(_ values: FrameValues, to queue: WorkQueue) throws(RenderError) {
    precondition(values.uniforms.count == plan.passes.count, "\(values.uniforms.count) blocks of uniforms for \(plan.passes.count) passes")
    for (index, bytes) in values.uniforms.enumerated() where !bytes.isEmpty {
      let block = plan.kernels[plan.passes[index].kernel].interface.uniforms
      precondition(bytes.count <= block?.paddedSize ?? 0, "uniforms that do not fit the block of pass '\(plan.passes[index].name)'")
      uniforms?.write(bytes, at: uniformLayout.offsets[index])
    }
    marks?.reset()
    submission = try queue.submit(commands) { [self] in describe(frame: values.frame) }
  }

  /// Names the frame and the pass that is running, such as `frame 12 of pass 'image' (plasma.image)`.
  private func describe(frame: Int) -> String {
    let pass = plan.passes[marks?.firstUnfinished ?? plan.passes.count - 1]
    return "frame \(frame) in pass '\(pass.name)' ('\(plan.kernels[pass.kernel].name)')"
  }
}
