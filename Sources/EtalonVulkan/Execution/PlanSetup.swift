internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV

/// The setup of a plan on a device, as the first frame needs it: uniforms, bindings and the recorded commands.
///
/// **Concurrency**: used by one thread at a time.
final class PlanSetup: @unchecked Sendable {
  private let prepared: PreparedPlan
  private let commands: CommandBuffer
  private let sets: DescriptorSets
  private let uniforms: Buffer?
  private let marks: PassMarks?
  private let mipmapEnds: MipmapEnds?

  init(_ prepared: PreparedPlan, uniforms bytes: [[UInt8]], watchesPasses: Bool) throws(RenderError) {
    let device = prepared.pool.device, plan = prepared.plan, passes = plan.setupPasses
    self.prepared = prepared
    let layout = UniformLayout(of: passes, in: plan, alignment: device.uniformAlignment)
    let uniforms =
      layout.byteCount == 0
      ? nil
      : try Buffer(
        byteCount: layout.byteCount, usage: VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, .upload, name: "the uniforms of the setup",
        in: prepared.pool)
    for (index, bytes) in bytes.enumerated() where !bytes.isEmpty { uniforms?.write(bytes, at: layout.offsets[index]) }
    self.uniforms = uniforms
    marks = watchesPasses && passes.count > 1 ? try PassMarks(count: passes.count, on: device) : nil
    sets = try DescriptorSets(
      prepared, passes: passes, textures: prepared.textures, outputs: [], uniforms: uniforms, uniformOffsets: layout.offsets,
      name: "the setup")
    commands = try CommandBuffer(name: "the setup", on: device)
    mipmapEnds = try MipmapEnds(of: plan.setup, in: prepared, name: "the smallest levels of the setup")
    var recorder = StepRecorder(
      prepared, memory: plan.memory(isSwapped: false), sets: sets, layouts: TextureLayouts(forSetup: prepared.textures),
      mipmapEnds: mipmapEnds, commands: commands)
    try commands.record(once: true) { [marks, commands] in
      recorder.zero(plan.buffers.indices.filter { !plan.buffers[$0].isPersistent })
      recorder.record(plan.setup, marks: marks)
      commands.barrier(.work, .work, recorder.layouts.moveForFirstFrame())
    }
  }

  /// Starts the setup; frames that are submitted later on the same queue see what it leaves.
  func submit(to queue: WorkQueue) throws(RenderError) -> UInt64 {
    marks?.reset()
    return try queue.submit(commands) { [self] in describe() }
  }

  /// The passes whose targets have mipmaps with NaN; the setup must be complete.
  func passesWithNaN() throws(RenderError) -> Set<String> { try mipmapEnds?.passesWithNaN() ?? [] }

  /// Names the pass that is running.
  private func describe() -> String {
    let passes = prepared.plan.setupPasses
    guard !passes.isEmpty else { return "what goes before the first frame" }
    let pass = passes[marks?.firstUnfinished ?? passes.count - 1]
    return "what goes before the first frame, in pass '\(pass.name)' ('\(prepared.plan.kernels[pass.kernel].name)')"
  }
}
