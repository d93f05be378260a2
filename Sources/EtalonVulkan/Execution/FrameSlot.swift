internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// What one frame in flight needs for itself: output buffers, uniforms, bindings and the recorded commands; used by frame after frame.
///
/// **Concurrency**: used by one frame at a time.
final class FrameSlot: @unchecked Sendable {
  /// By output, then by part, as `PreparedPlan.parts(ofOutput:)` has them.
  let outputs: [[Buffer]]
  private let prepared: PreparedPlan
  private let number: Int
  private let uniforms: Buffer?
  private let uniformLayout: UniformLayout
  private let marks: PassMarks?
  private let mipmapEnds: MipmapEnds?
  /// Made for the first frame that brings a picture.
  private var staging: StreamStaging?
  /// The bindings of frames in which textures are swapped, and of those in which they are not; made when they are needed first.
  private var sets: [Bool: DescriptorSets] = [:]
  /// Recorded when they are needed first.
  private var recordings: [FrameVariant: CommandBuffer] = [:]
  /// The number of the last submission, 0 before the first.
  private(set) var submission: UInt64 = 0
  /// Whether the last frame did more than its successors need.
  private var writesOutputs = true

  init(_ prepared: PreparedPlan, number: Int, watchesPasses: Bool) throws(RenderError) {
    let device = prepared.pool.device
    self.prepared = prepared
    self.number = number
    var outputs: [[Buffer]] = []
    for output in prepared.plan.outputs.indices { outputs.append(try Self.makeParts(output, prepared, number)) }
    self.outputs = outputs
    uniformLayout = UniformLayout(of: prepared.passes, in: prepared.plan, alignment: device.uniformAlignment)
    uniforms =
      uniformLayout.byteCount == 0
      ? nil
      : try Buffer(
        byteCount: uniformLayout.byteCount, usage: VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, .upload, name: "the uniforms of slot \(number)",
        in: prepared.pool)
    marks = watchesPasses && prepared.passes.count > 1 ? try PassMarks(count: prepared.passes.count, on: device) : nil
    mipmapEnds = try MipmapEnds(of: prepared.plan.steps, in: prepared, name: "the smallest levels of slot \(number)")
  }

  private static func makeParts(_ place: Int, _ prepared: PreparedPlan, _ number: Int) throws(RenderError) -> [Buffer] {
    let output = prepared.plan.outputs[place]
    var parts: [Buffer] = []
    for (index, region) in prepared.parts(ofOutput: place).enumerated() {
      parts.append(
        try Buffer(
          byteCount: output.byteCountWithMark(ofRows: region.height, width: region.width), usage: VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
          .readback, name: "part \(index) of output '\(output.name)', slot \(number)", in: prepared.pool))
    }
    return parts
  }

  /// Starts a frame; the one before must be complete.
  func submit(_ values: FrameValues, _ variant: FrameVariant, to queue: WorkQueue) throws(RenderError) {
    for (index, bytes) in values.uniforms.enumerated() where !bytes.isEmpty {
      uniforms?.write(bytes, at: uniformLayout.offsets[index])
    }
    try stage(values.pictures, variant)
    try clearMarks()
    let commands = try commands(for: variant)
    marks?.reset()
    writesOutputs = variant.writesOutputs
    submission = try queue.submit(commands) { [self] in describe(frame: values.frame) }
  }

  /// The passes whose targets have mipmaps with NaN in the frame, which must be complete.
  func passesWithNaN() throws(RenderError) -> Set<String> {
    try mipmapEnds?.passesWithNaN(where: writesOutputs ? nil : prepared.stepsForState) ?? []
  }

  /// Where the marks of the parts of an output lie in their buffers.
  func marks(of output: Int) -> [Range<Int>] {
    let description = prepared.plan.outputs[output]
    return zip(prepared.parts(ofOutput: output), outputs[output]).map { region, buffer in
      description.offsetOfMark(behindRows: region.height, width: region.width)..<buffer.byteCount
    }
  }

  private func clearMarks() throws(RenderError) {
    for output in outputs.indices {
      for (mark, buffer) in zip(marks(of: output), outputs[output]) {
        buffer.write([UInt8](repeating: 0, count: mark.count), at: mark.lowerBound)
        try buffer.flush()
      }
    }
  }

  private func stage(_ pictures: [FramePicture], _ variant: FrameVariant) throws(RenderError) {
    guard !variant.filled.isEmpty else { return }
    let staging = try makeStaging()
    for index in variant.filled {
      let texture = prepared.plan.textures[index]
      if case .streamed(let stream) = texture.role { staging.write(pictures[stream].pixels, for: texture, at: index) }
    }
  }

  private func makeStaging() throws(RenderError) -> StreamStaging {
    if let staging { return staging }
    let made = try StreamStaging(of: prepared.plan, name: "the pictures of slot \(number)", in: prepared.pool)
    staging = made
    return made
  }

  private func commands(for variant: FrameVariant) throws(RenderError) -> CommandBuffer {
    if let recorded = recordings[variant] { return recorded }
    let textures = prepared.textures(isSwapped: variant.isSwapped)
    let commands = try CommandBuffer(name: "slot \(number)", on: prepared.pool.device)
    var recorder = FrameRecorder(
      prepared, variant, textures: textures, sets: try sets(isSwapped: variant.isSwapped, textures), staging: staging,
      mipmapEnds: mipmapEnds, marks: marks, commands: commands)
    try commands.record(once: false) { recorder.record() }
    recordings[variant] = commands
    return commands
  }

  private func sets(isSwapped: Bool, _ textures: [Texture]) throws(RenderError) -> DescriptorSets {
    if let made = sets[isSwapped] { return made }
    let made = try DescriptorSets(
      prepared, passes: prepared.passes, textures: textures, outputs: outputs, uniforms: uniforms, uniformOffsets: uniformLayout.offsets,
      name: "slot \(number)")
    sets[isSwapped] = made
    return made
  }

  /// Names the frame and the pass that is running, such as `frame 12 of pass 'image' (plasma.image)`.
  private func describe(frame: Int) -> String {
    guard !prepared.passes.isEmpty else { return "frame \(frame)" }
    let pass = prepared.passes[marks?.firstUnfinished ?? prepared.passes.count - 1]
    return "frame \(frame) in pass '\(pass.name)' ('\(prepared.plan.kernels[pass.kernel].name)')"
  }
}

// MARK: Frames that differ in their commands

/// What the commands of a frame depend on; everything else about it is in its uniforms.
struct FrameVariant: Hashable {
  /// Whether persistent textures lie in the memory of their previous ones.
  let isSwapped: Bool
  /// Whether persistent textures and buffers are zeroed first.
  let startsState: Bool
  /// Whether the passes that only feed outputs run.
  let writesOutputs: Bool
  /// The streamed textures that hold another picture than the frame's and are filled first.
  let filled: Set<Int>
}

// MARK: Uniforms

/// Where the uniform block of each pass lies in the one uniform buffer of a frame or of the setup.
struct UniformLayout: Sendable, Hashable {
  /// By pass; passes without uniforms take no room.
  let offsets: [Int]
  /// The size of the buffer; 0 when no pass has uniforms.
  let byteCount: Int

  /// Puts the blocks of some passes of a plan one after the other.
  init(of passes: [Plan.Pass], in plan: Plan, alignment: Int) {
    var offsets: [Int] = []
    var end = 0
    for pass in passes {
      end = (end + alignment - 1) / alignment * alignment
      offsets.append(end)
      end += plan.kernels[pass.kernel].interface.uniforms?.paddedSize ?? 0
    }
    self.offsets = offsets
    byteCount = end
  }
}

extension KernelInterface.Block {
  /// The size as drivers count it: whole vectors of four words.
  var paddedSize: Int { (size + 15) / 16 * 16 }
}

extension Device {
  /// What offsets of uniform blocks have to be multiples of.
  var uniformAlignment: Int { Int(physical.properties.limits.minUniformBufferOffsetAlignment) }
}

// MARK: Marks

/// Owns one `VkEvent` for each pass of a frame slot, set when the pass is complete: so a time-out can name the pass that did not end.
@safe
final class PassMarks: @unchecked Sendable {
  private let device: Device
  private var events: [VkEvent?] = unsafe []

  init(count: Int, on device: Device) throws(RenderError) {
    self.device = device
    for _ in 0..<count {
      var info = unsafe VkEventCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO
      var event: VkEvent?
      try check(unsafe device.vk.pointee.CreateEvent(device.handle, &info, nil, &event), "vkCreateEvent", "cannot watch the passes")
      unsafe events.append(event)
    }
  }

  /// Forgets the frame before; no submission may be running.
  func reset() {
    for index in unsafe events.indices { _ = unsafe device.vk.pointee.ResetEvent(device.handle, events[index]) }
  }

  /// Records that a pass is complete.
  func recordEnd(of pass: Int, _ commands: CommandBuffer) {
    unsafe device.vk.pointee.CmdSetEvent(commands.handle, events[pass], VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue)
  }

  /// The first pass that is not complete.
  var firstUnfinished: Int? {
    unsafe events.firstIndex { unsafe device.vk.pointee.GetEventStatus(device.handle, $0) != VK_EVENT_SET }
  }

  deinit {
    guard !device.isAbandoned else { return }
    for index in unsafe events.indices { unsafe device.vk.pointee.DestroyEvent(device.handle, events[index], nil) }
  }
}
