internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

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
