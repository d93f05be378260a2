internal import CVulkan
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Copies the pictures of imported textures into them, through buffers that the processor writes.
struct TextureUpload {
  /// Pictures travel through a buffer of at most this size.
  private static let stagingByteCount = 64 << 20

  let pool: MemoryPool
  let queue: WorkQueue

  /// Some rows of a face or slice of a level, and where they lie in the staging buffer.
  private struct Piece {
    let texture: Texture
    let level: Int
    let layer: Int
    let picture: PixelBuffer
    let rows: Range<Int>
    let offset: Int
  }

  /// Fills the imported textures with their pictures and makes them ready to be sampled.
  func fill(_ textures: [Texture], from imports: [PixelBuffer]) throws(RenderError) {
    for texture in textures {
      guard case .imported(let index) = texture.description.role else { continue }
      try fill(texture, from: imports[index])
    }
  }

  /// Fills a texture with a picture and makes it ready to be sampled; what it held is lost.
  func fill(_ texture: Texture, from picture: PixelBuffer) throws(RenderError) {
    precondition(
      picture.size == texture.description.pictureSize && picture.format == texture.description.format,
      "a picture that does not fit its texture")
    let batches = Self.batches(of: TextureLevels(of: picture, for: texture.description), for: texture)
    for (index, batch) in batches.enumerated() {
      try upload(batch, of: texture, isFirst: index == 0, isLast: index == batches.count - 1)
    }
  }

  /// Cuts levels into pieces and these into batches that fit the staging buffer.
  private static func batches(of levels: TextureLevels, for texture: Texture) -> [[Piece]] {
    var batches: [[Piece]] = [[]]
    var used = 0
    let pictures = levels.levels.enumerated().flatMap { level, layers in layers.enumerated().map { (level, $0, $1) } }
    for (level, layer, picture) in pictures {
      var row = 0
      while row < picture.size.height {
        if stagingByteCount - used < picture.bytesPerRow {
          batches.append([])
          used = 0
        }
        let count = min(picture.size.height - row, (stagingByteCount - used) / picture.bytesPerRow)
        batches[batches.count - 1].append(
          Piece(texture: texture, level: level, layer: layer, picture: picture, rows: row..<row + count, offset: used))
        row += count
        // Offsets of copies must be multiples of four and of the pixel's size.
        used = (used + count * picture.bytesPerRow + 15) / 16 * 16
      }
    }
    return batches
  }

  private func upload(_ pieces: [Piece], of texture: Texture, isFirst: Bool, isLast: Bool) throws(RenderError) {
    let name = "the upload of '\(texture.description.name)'"
    let byteCount = pieces.last.map { $0.offset + $0.rows.count * $0.picture.bytesPerRow } ?? 0
    let staging = try Buffer(byteCount: byteCount, usage: VK_BUFFER_USAGE_TRANSFER_SRC_BIT, .upload, name: name, in: pool)
    unsafe staging.withMutableBytes { target in
      for piece in pieces { unsafe Self.copy(piece, to: target) }
    }
    let commands = try CommandBuffer(name: name, on: pool.device)
    try commands.record(once: true) {
      if isFirst {
        commands.barrier(
          .upload, .upload, [LayoutMove(texture: texture, from: VK_IMAGE_LAYOUT_UNDEFINED, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)])
      }
      for piece in pieces { Self.record(piece, from: staging, commands) }
      if isLast {
        commands.barrier(
          .upload, .compute,
          [LayoutMove(texture: texture, from: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)])
      }
    }
    let number = try queue.submit(commands) { name }
    try queue.wait(for: number)
  }

  private static func copy(_ piece: Piece, to target: UnsafeMutableRawBufferPointer) {
    let rowByteCount = piece.picture.bytesPerRow
    unsafe piece.picture.bytes.withUnsafeBytes { source in
      let rows = unsafe source[piece.rows.lowerBound * rowByteCount..<piece.rows.upperBound * rowByteCount]
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[piece.offset...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: rows))
    }
  }

  private static func record(_ piece: Piece, from staging: Buffer, _ commands: CommandBuffer) {
    var copy = VkBufferImageCopy()
    copy.bufferOffset = UInt64(piece.offset)
    copy.imageSubresource.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT.rawValue
    copy.imageSubresource.mipLevel = UInt32(piece.level)
    let isVolume = piece.texture.description.shape.isVolume
    copy.imageSubresource.baseArrayLayer = isVolume ? 0 : UInt32(piece.layer)
    copy.imageSubresource.layerCount = 1
    copy.imageOffset = VkOffset3D(x: 0, y: Int32(piece.rows.lowerBound), z: isVolume ? Int32(piece.layer) : 0)
    copy.imageExtent = VkExtent3D(width: UInt32(piece.picture.size.width), height: UInt32(piece.rows.count), depth: 1)
    unsafe commands.device.vk.pointee.CmdCopyBufferToImage(
      commands.handle, staging.handle, piece.texture.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy)
  }
}

// MARK: Pictures of a frame

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
