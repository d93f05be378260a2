internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Copies what outlives a frame from the device and back.
struct StateTransfer {
  private let prepared: PreparedPlan
  private let queue: WorkQueue

  init(_ prepared: PreparedPlan, queue: WorkQueue) {
    self.prepared = prepared
    self.queue = queue
  }

  private var persistentBuffers: [Buffer] {
    zip(prepared.plan.buffers, prepared.buffers).filter { $0.0.isPersistent }.map { $0.1 }
  }

  // MARK: From the device

  /// What the frames so far leave to the next, which finds textures swapped or not.
  func state(isSwapped: Bool) throws(RenderError) -> PlanState {
    var textures: [PixelBuffer] = []
    for index in prepared.plan.keptMemory(isSwapped: isSwapped) { textures.append(try picture(of: prepared.textures[index])) }
    var buffers: [[UInt8]] = []
    for buffer in persistentBuffers { buffers.append(try bytes(of: buffer)) }
    return PlanState(textures: textures, buffers: buffers)
  }

  private func picture(of texture: Texture) throws(RenderError) -> PixelBuffer {
    let description = texture.description
    let byteCount = description.pictureSize.pixelCount * description.format.bytesPerPixel
    let bytes = try download(byteCount, "the state of '\(description.name)'") { target, commands in
      let (sampled, source) = (VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)
      commands.barrier(.work, .download, [LayoutMove(texture: texture, from: sampled, to: source)])
      var copy = texture.wholeFirstLevel
      unsafe commands.device.vk.pointee.CmdCopyImageToBuffer(
        commands.handle, texture.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target.handle, 1, &copy)
      commands.barrier(.download, .work, [LayoutMove(texture: texture, from: source, to: sampled)])
    }
    return description.picture(ofRows: bytes)
  }

  private func bytes(of buffer: Buffer) throws(RenderError) -> [UInt8] {
    try download(buffer.byteCount, "the state of a buffer") { target, commands in
      commands.barrier(.work, .download)
      var copy = VkBufferCopy(srcOffset: 0, dstOffset: 0, size: UInt64(buffer.byteCount))
      unsafe commands.device.vk.pointee.CmdCopyBuffer(commands.handle, buffer.handle, target.handle, 1, &copy)
    }
  }

  /// Runs commands that fill a buffer, and returns what is in it then.
  private func download(
    _ byteCount: Int, _ name: String, _ record: (_ target: Buffer, _ commands: CommandBuffer) -> Void
  ) throws(RenderError) -> [UInt8] {
    let target = try Buffer(byteCount: byteCount, usage: VK_BUFFER_USAGE_TRANSFER_DST_BIT, .readback, name: name, in: prepared.pool)
    let commands = try CommandBuffer(name: name, on: prepared.pool.device)
    try commands.record(once: true) {
      record(target, commands)
      commands.barrier(.download, .host)
    }
    try queue.wait(for: queue.submit(commands) { name })
    try target.invalidate()
    var bytes: [UInt8] = []
    unsafe target.withMutableBytes { unsafe bytes = Array($0) }
    return bytes
  }

  // MARK: Back to it

  /// Fills what outlives a frame, so that the next frame goes on from there.
  func restore(_ state: PlanState, isSwapped: Bool) throws(RenderError) {
    let upload = TextureUpload(pool: prepared.pool, queue: queue)
    for texture in prepared.textures where texture.description.isKept { try makeSampled(texture) }
    for (index, picture) in zip(prepared.plan.keptMemory(isSwapped: isSwapped), state.textures) {
      try upload.fill(prepared.textures[index], from: picture)
    }
    for (buffer, bytes) in zip(persistentBuffers, state.buffers) { try fill(buffer, with: bytes) }
  }

  /// Brings a texture into the layout in which frames expect it; what it holds is lost.
  private func makeSampled(_ texture: Texture) throws(RenderError) {
    let name = "the state of '\(texture.description.name)'"
    let commands = try CommandBuffer(name: name, on: prepared.pool.device)
    let move = LayoutMove(texture: texture, from: VK_IMAGE_LAYOUT_UNDEFINED, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
    try commands.record(once: true) { commands.barrier(.work, .work, [move]) }
    try queue.wait(for: queue.submit(commands) { name })
  }

  private func fill(_ buffer: Buffer, with bytes: [UInt8]) throws(RenderError) {
    let name = "the state of a buffer"
    let staging = try Buffer(byteCount: bytes.count, usage: VK_BUFFER_USAGE_TRANSFER_SRC_BIT, .upload, name: name, in: prepared.pool)
    staging.write(bytes, at: 0)
    let commands = try CommandBuffer(name: name, on: prepared.pool.device)
    try commands.record(once: true) {
      commands.barrier(.work, .work)
      var copy = VkBufferCopy(srcOffset: 0, dstOffset: 0, size: UInt64(bytes.count))
      unsafe commands.device.vk.pointee.CmdCopyBuffer(commands.handle, staging.handle, buffer.handle, 1, &copy)
      commands.barrier(.work, .work)
    }
    try queue.wait(for: queue.submit(commands) { name })
  }
}
