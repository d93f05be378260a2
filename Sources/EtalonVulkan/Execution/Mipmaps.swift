internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// Makes the smaller levels of textures that kernels write, on the device: owns the bindings of every level.
@safe
final class MipmapMaker: @unchecked Sendable {
  private let device: Device
  private let pipeline: ComputePipeline
  private let sampler: VulkanSampler
  private let pool: VkDescriptorPool
  /// By the texture's index, then by face, then by level from level 1 on; empty for textures that need none.
  private let sets: [[[VkDescriptorSet]]]

  /// Makes the bindings of the textures with these indices.
  init(_ indices: Set<Int>, of textures: [Texture], pipeline: ComputePipeline, on device: Device) throws(RenderError) {
    self.device = device
    self.pipeline = pipeline
    sampler = try VulkanSampler(Sampler(.nearest), on: device)
    let count = indices.reduce(0) { $0 + textures[$1].description.arrayLayerCount * (textures[$1].description.levelCount - 1) }
    unsafe pool = try Self.createPool(count, device)
    var sets = unsafe [[[VkDescriptorSet]]](repeating: [], count: textures.count)
    do throws(RenderError) {
      for index in indices.sorted() {
        let texture = textures[index]
        for face in 0..<texture.description.arrayLayerCount {
          unsafe sets[index].append(try DescriptorSets.allocate(texture.description.levelCount - 1, pipeline, pool, device))
          for level in 1..<texture.description.levelCount {
            unsafe Self.write(sets[index][face][level - 1], texture, face: face, level: level, sampler, device)
          }
        }
      }
    } catch {
      unsafe device.vk.pointee.DestroyDescriptorPool(device.handle, pool, nil)
      throw error
    }
    unsafe self.sets = sets
  }

  private static func createPool(_ count: Int, _ device: Device) throws(RenderError) -> VkDescriptorPool {
    var created: VkDescriptorPool?
    let result = withCallMemory { memory in
      let sizes = [VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE].map {
        VkDescriptorPoolSize(type: $0, descriptorCount: UInt32(max(1, count)))
      }
      var info = unsafe VkDescriptorPoolCreateInfo()
      unsafe info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
      unsafe info.maxSets = UInt32(max(1, count))
      unsafe info.poolSizeCount = UInt32(sizes.count)
      unsafe info.pPoolSizes = UnsafePointer(memory.pointer(to: sizes))
      return unsafe device.vk.pointee.CreateDescriptorPool(device.handle, &info, nil, &created)
    }
    try check(result, "vkCreateDescriptorPool", "cannot make the bindings of mipmaps")
    guard let pool = unsafe created else { preconditionFailure("vkCreateDescriptorPool succeeded without a pool") }
    unsafe device.name(pool, VK_OBJECT_TYPE_DESCRIPTOR_POOL, "mipmaps")
    return unsafe pool
  }

  private static func write(
    _ set: VkDescriptorSet, _ texture: Texture, face: Int, level: Int, _ sampler: VulkanSampler, _ device: Device
  ) {
    withCallMemory { memory in
      let source = unsafe VkDescriptorImageInfo(
        sampler: sampler.handle, imageView: texture.levelView(level - 1, layer: face), imageLayout: VK_IMAGE_LAYOUT_GENERAL)
      let target = unsafe VkDescriptorImageInfo(
        sampler: nil, imageView: texture.levelView(level, layer: face), imageLayout: VK_IMAGE_LAYOUT_GENERAL)
      let writes = unsafe [
        makeWrite(MipmapKernel.sourceBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, memory.pointer(to: source), set),
        makeWrite(MipmapKernel.targetBinding, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, memory.pointer(to: target), set),
      ]
      unsafe device.vk.pointee.UpdateDescriptorSets(device.handle, UInt32(writes.count), writes, 0, nil)
    }
  }

  private static func makeWrite(
    _ binding: Int, _ type: VkDescriptorType, _ image: UnsafeMutablePointer<VkDescriptorImageInfo>, _ set: VkDescriptorSet
  ) -> VkWriteDescriptorSet {
    var write = unsafe VkWriteDescriptorSet()
    unsafe write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
    unsafe write.dstSet = unsafe set
    unsafe write.dstBinding = UInt32(binding)
    unsafe write.descriptorCount = 1
    unsafe write.descriptorType = type
    unsafe write.pImageInfo = unsafe UnsafePointer(image)
    return unsafe write
  }

  /// Records the dispatches for a texture, all of which has to be in the general layout; `index` is that of its memory.
  func record(_ texture: Texture, at index: Int, _ commands: CommandBuffer) {
    let vk = unsafe device.vk
    unsafe vk.pointee.CmdBindPipeline(commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle)
    for level in 1..<texture.description.levelCount {
      let before = texture.description.size(ofLevel: level - 1), size = texture.description.size(ofLevel: level)
      let words = MipmapKernel.pushConstants(texture.description.format, below: before)
      unsafe vk.pointee.CmdPushConstants(
        commands.handle, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT.rawValue, 0, UInt32(words.count * 4), words)
      for face in 0..<texture.description.arrayLayerCount {
        var set: VkDescriptorSet? = unsafe sets[index][face][level - 1]
        unsafe vk.pointee.CmdBindDescriptorSets(
          commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &set, 0, nil)
        let tiles = { (side: Int) in UInt32((side + MipmapKernel.tileSide - 1) / MipmapKernel.tileSide) }
        unsafe vk.pointee.CmdDispatch(commands.handle, tiles(size.width), tiles(size.height), 1)
      }
      commands.barrier(.compute, .compute)
    }
  }

  deinit {
    if !device.isAbandoned { unsafe device.vk.pointee.DestroyDescriptorPool(device.handle, pool, nil) }
  }
}

// MARK: The kernel

/// The kernel that makes one mipmap level from the one before; its text is `mipmaps.comp`.
enum MipmapKernel {
  fileprivate static let sourceBinding = 0
  fileprivate static let targetBinding = 1
  /// The side of the square of pixels that one workgroup makes.
  fileprivate static let tileSide = 8

  static let kernel = Kernel(
    name: "mipmaps", words: words,
    interface: KernelInterface(
      entryPoint: "main", workgroupSize: [tileSide, tileSide, 1], uniforms: nil,
      pushConstants: KernelInterface.Block(name: "Level", binding: 0, size: 16, members: []),
      resources: [
        .init(name: "source", binding: sourceBinding, kind: .sampledTexture(.two)),
        .init(name: "target", binding: targetBinding, kind: .storageTexture(.two, format: nil)),
      ], usesSubgroups: false))

  /// The push constants for a level below one of some size.
  static func pushConstants(_ format: PixelFormat, below size: Size) -> [UInt32] {
    let kind: UInt32 = (format.isFloat ? 2 : 0) + (format.bytesPerChannel == (format.isFloat ? 2 : 1) ? 0 : 1)
    return [kind, (1 / Float(size.width)).bitPattern, (1 / Float(size.height)).bitPattern, 0]
  }
}

// MARK: NaN in the smallest levels

/// The smallest levels of the textures whose mipmaps some steps make, in memory that the processor reads: they hold NaN where any level does.
///
/// **Concurrency**: read when the commands that fill it are complete.
final class MipmapEnds: Sendable {
  private let buffer: Buffer
  private let steps: [Plan.Step]
  private let formats: [PixelFormat]
  /// Where the smallest level lies that a step makes.
  private let ranges: [Int: Range<Int>]

  /// Makes room for the textures of float formats; nil where there are none.
  init?(of steps: [Plan.Step], in prepared: PreparedPlan, name: String) throws(RenderError) {
    self.steps = steps
    formats = prepared.plan.textures.map(\.format)
    var ranges: [Int: Range<Int>] = [:]
    var end = 0
    for (place, step) in steps.enumerated() {
      guard case .makeMipmaps(let index) = step else { continue }
      let texture = prepared.plan.textures[index]
      guard texture.tellsNaN else { continue }
      let level = texture.levelCount - 1
      let texels = texture.size(ofLevel: level).pixelCount * texture.layerCount(ofLevel: level)
      // Offsets of copies are multiples of a texel, which has at most 16 bytes.
      let start = (end + 15) / 16 * 16
      end = start + texels * texture.format.bytesPerPixel
      ranges[place] = start..<end
    }
    guard end > 0 else { return nil }
    self.ranges = ranges
    buffer = try Buffer(byteCount: end, usage: VK_BUFFER_USAGE_TRANSFER_DST_BIT, .readback, name: name, in: prepared.pool)
  }

  /// Records the copy of the smallest level of a texture, whose mipmaps the step at a place just made.
  func recordCopy(at place: Int, of index: Int, _ texture: Texture, _ layouts: inout TextureLayouts, _ commands: CommandBuffer) {
    guard let range = ranges[place] else { return }
    commands.barrier(.work, .download, layouts.move([index], to: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL))
    var copy = texture.smallestLevel
    copy.bufferOffset = UInt64(range.lowerBound)
    unsafe commands.device.vk.pointee.CmdCopyImageToBuffer(
      commands.handle, texture.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer.handle, 1, &copy)
    commands.barrier(.download, .host)
  }

  /// The passes whose targets have mipmaps with NaN.
  ///
  /// - Parameter wasDone: by step; nil for all of them.
  func passesWithNaN(where wasDone: [Bool]? = nil) throws(RenderError) -> Set<String> {
    try buffer.invalidate()
    var found: Set<String> = []
    unsafe buffer.withMutableBytes { bytes in
      for (place, range) in ranges where wasDone?[place] ?? true {
        guard case .makeMipmaps(let index) = steps[place] else { continue }
        if unsafe formats[index].holdsNaN(UnsafeRawBufferPointer(rebasing: bytes[range]).bytes) {
          found.insert(steps.passBefore(mipmapsAt: place))
        }
      }
    }
    return found
  }
}

extension Plan.Texture {
  /// Whether the smallest of its levels can tell of NaN in the others.
  var tellsNaN: Bool { format.isFloat && isStored && levelCount > 1 }
}

extension Texture {
  /// The last level of all faces and slices.
  fileprivate var smallestLevel: VkBufferImageCopy {
    let level = description.levelCount - 1, size = description.size(ofLevel: level)
    var copy = VkBufferImageCopy()
    copy.imageSubresource.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT.rawValue
    copy.imageSubresource.mipLevel = UInt32(level)
    copy.imageSubresource.layerCount = UInt32(description.arrayLayerCount)
    copy.imageExtent = VkExtent3D(
      width: UInt32(size.width), height: UInt32(size.height),
      depth: UInt32(description.layerCount(ofLevel: level) / description.arrayLayerCount))
    return copy
  }
}
