internal import CVulkan
internal import EtalonPlan

/// Records a frame for one frame slot: zeroed state, pictures, the steps of the plan, barriers.
struct FrameRecorder {
  private let prepared: PreparedPlan
  /// The textures of the frame by their index in the plan.
  private let textures: [Texture]
  /// Where the pictures of the frame lie; nil when no texture is filled.
  private let staging: StreamStaging?
  private let marks: PassMarks?
  private let commands: CommandBuffer
  private let variant: FrameVariant
  private var steps: StepRecorder

  init(
    _ prepared: PreparedPlan, _ variant: FrameVariant, textures: [Texture], sets: DescriptorSets, staging: StreamStaging?,
    mipmapEnds: MipmapEnds?, marks: PassMarks?, commands: CommandBuffer
  ) {
    self.prepared = prepared
    self.textures = textures
    self.staging = staging
    self.marks = marks
    self.commands = commands
    self.variant = variant
    steps = StepRecorder(
      prepared, memory: prepared.plan.memory(isSwapped: variant.isSwapped), sets: sets, layouts: TextureLayouts(textures, variant),
      mipmapEnds: mipmapEnds, commands: commands)
  }

  /// Records all steps, and that the processor reads the outputs at the end.
  mutating func record() {
    startFrame()
    fillStreams()
    steps.record(prepared.plan.steps, where: variant.writesOutputs ? nil : prepared.stepsForState, marks: marks)
    commands.barrier(.work, .work, steps.layouts.moveForNextFrame())
    commands.barrier(.compute, .host)
  }

  // MARK: Zeros

  private mutating func startFrame() {
    if variant.startsState { steps.clear(textures.indices.filter { textures[$0].description.isKept }) }
    steps.zero(prepared.plan.buffers.indices.filter { variant.startsState || !prepared.plan.buffers[$0].isPersistent })
  }

  // MARK: Pictures of the frame

  private mutating func fillStreams() {
    guard let staging, !variant.filled.isEmpty else { return }
    let filled = variant.filled.sorted()
    // Also waits for the frame before to have read what the textures held.
    commands.barrier(.work, .upload, steps.layouts.move(filled, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL))
    for index in filled { staging.recordCopy(to: textures[index], at: index, commands) }
    let halved = filled.filter { textures[$0].description.makesStreamedMipmaps }
    for index in halved { steps.makeMipmaps(of: index) }
    commands.barrier(.work, .compute, steps.layouts.move(filled, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL))
  }
}
