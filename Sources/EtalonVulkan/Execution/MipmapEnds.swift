internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// The smallest levels of the textures whose mipmaps some steps make, in memory that the processor reads: they hold NaN where any level does.
///
/// **Concurrency**: read when the commands that fill it are complete.
final class MipmapEnds: Sendable {
  private let buffer: Buffer
  private let ranges: [Int: Range<Int>]
  private let plan: Plan

  /// Makes room for the textures of float formats; nil where there are none.
  init?(of steps: [Plan.Step], in prepared: PreparedPlan, name: String) throws(RenderError) {
    plan = prepared.plan
    var ranges: [Int: Range<Int>] = [:]
    var end = 0
    for case .makeMipmaps(let index) in steps {
      let texture = prepared.plan.textures[index]
      guard texture.tellsNaN, ranges[index] == nil else { continue }
      let level = texture.levelCount - 1
      let texels = texture.size(ofLevel: level).pixelCount * texture.layerCount(ofLevel: level)
      // Offsets of copies are multiples of a texel, which has at most 16 bytes.
      let start = (end + 15) / 16 * 16
      end = start + texels * texture.format.bytesPerPixel
      ranges[index] = start..<end
    }
    guard end > 0 else { return nil }
    self.ranges = ranges
    buffer = try Buffer(byteCount: end, usage: VK_BUFFER_USAGE_TRANSFER_DST_BIT, .readback, name: name, in: prepared.pool)
  }

  /// Records the copy of the smallest level of a texture, whose mipmaps were made just before.
  func recordCopy(of index: Int, _ texture: Texture, _ layouts: inout TextureLayouts, _ commands: CommandBuffer) {
    guard let range = ranges[index] else { return }
    commands.barrier(.work, .download, layouts.move([index], to: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL))
    var copy = texture.smallestLevel
    copy.bufferOffset = UInt64(range.lowerBound)
    unsafe commands.device.vk.pointee.CmdCopyImageToBuffer(
      commands.handle, texture.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer.handle, 1, &copy)
    commands.barrier(.download, .host)
  }

  /// The textures whose mipmaps hold NaN.
  func texturesWithNaN() throws(RenderError) -> Set<Int> {
    try buffer.invalidate()
    var found: Set<Int> = []
    unsafe buffer.withMutableBytes { bytes in
      for (index, range) in ranges where unsafe plan.textures[index].format.holdsNaN(UnsafeRawBufferPointer(rebasing: bytes[range]).bytes) {
        found.insert(index)
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
