internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Where the processor leaves the pictures of one frame in flight, for the device to copy them into their textures.
///
/// **Concurrency**: used by one frame at a time.
final class StreamStaging: @unchecked Sendable {
  private let buffer: Buffer
  /// Where the picture of a texture lies, by the texture's index in the plan.
  private let offsets: [Int: Int]

  /// How many bytes the streamed textures of a plan need.
  static func byteCount(of plan: Plan) -> Int { layout(of: plan).byteCount }

  init(of plan: Plan, name: String, in pool: MemoryPool) throws(RenderError) {
    let layout = Self.layout(of: plan)
    offsets = layout.offsets
    buffer = try Buffer(byteCount: layout.byteCount, usage: VK_BUFFER_USAGE_TRANSFER_SRC_BIT, .upload, name: name, in: pool)
  }

  private static func layout(of plan: Plan) -> (offsets: [Int: Int], byteCount: Int) {
    var offsets: [Int: Int] = [:]
    var end = 0
    for (index, texture) in plan.textures.enumerated() where texture.isStreamed {
      offsets[index] = end
      // Offsets of copies must be multiples of four and of the pixel's size.
      end += (texture.pictureSize.pixelCount * texture.format.bytesPerPixel + 15) / 16 * 16
    }
    return (offsets, end)
  }

  /// Leaves the picture of a texture there, its first row first: flat pictures are turned over on the way.
  func write(_ picture: PixelBuffer, for texture: Plan.Texture, at index: Int) {
    guard let offset = offsets[index] else { preconditionFailure("a texture without a stream") }
    let rowByteCount = picture.bytesPerRow, rowCount = picture.size.height
    unsafe buffer.withMutableBytes { target in
      unsafe picture.bytes.withUnsafeBytes { source in
        guard texture.shape == .flat else {
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: source)
          return
        }
        for row in 0..<rowCount {
          let from = unsafe UnsafeRawBufferPointer(rebasing: source[row * rowByteCount..<(row + 1) * rowByteCount])
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[(offset + (rowCount - 1 - row) * rowByteCount)...]).copyMemory(from: from)
        }
      }
    }
  }

  /// Records the copy of the first level into a texture that is ready to be written.
  func recordCopy(to texture: Texture, at index: Int, _ commands: CommandBuffer) {
    var copy = texture.wholeFirstLevel
    copy.bufferOffset = UInt64(offsets[index] ?? 0)
    unsafe commands.device.vk.pointee.CmdCopyBufferToImage(
      commands.handle, buffer.handle, texture.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy)
  }
}
