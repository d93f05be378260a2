internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// A texture on the processor: four floats a texel, all levels one after the other, in a block of its own or in one that it shares.
///
/// **Concurrency**: written by one pass at a time, whose workgroups write different texels; read by the passes after.
@safe final class TextureMemory: @unchecked Sendable {
  let description: Plan.Texture
  private let levels: [lane_level]
  private let block: TexelBlock
  private let texelCount: Int

  private var texels: UnsafeMutablePointer<Float> { unsafe block.texels }

  /// - Parameter block: what it lies in; nil for memory of its own.
  init(_ description: Plan.Texture, in block: TexelBlock? = nil) throws(RenderError) {
    self.description = description
    var levels: [lane_level] = []
    var base = 0
    for level in 0..<min(description.levelCount, Int(LANE_MAXIMUM_LEVELS)) {
      let size = description.size(ofLevel: level), depth = description.layerCount(ofLevel: level)
      levels.append(
        lane_level(width: Int32(size.width), height: Int32(size.height), depth: Int32(depth), base: Int32(truncatingIfNeeded: base)))
      base += size.pixelCount * depth
    }
    self.levels = levels
    texelCount = base
    if let block { self.block = block } else { self.block = try TexelBlock(for: description) }
    precondition(base <= self.block.capacity, "a texture that is larger than the block that it lies in")
    // Blocks begin as zeros, and nobody reads what lies in shared ones before it is written.
    if block == nil, description.format.channelCount < 4 { clear() }
  }

  /// The textures of a plan, by their indices: those of a block take turns in one piece of memory.
  static func all(of plan: Plan) throws(RenderError) -> [TextureMemory] {
    var blocks: [Int: TexelBlock] = [:]
    for (number, indices) in plan.sharedBlocks {
      guard let largest = indices.map({ plan.textures[$0] }).max(by: { $0.texelCount < $1.texelCount }) else { continue }
      blocks[number] = try TexelBlock(for: largest)
    }
    var textures: [TextureMemory] = []
    for texture in plan.textures { textures.append(try TextureMemory(texture, in: texture.block.flatMap { blocks[$0] })) }
    return textures
  }

  /// Makes all levels transparent black; channels that the format lacks are read as 0, 0, 1.
  func clear() {
    unsafe texels.update(repeating: 0, count: texelCount * 4)
    guard description.format.channelCount < 4 else { return }
    for texel in 0..<texelCount { unsafe texels[texel * 4 + 3] = 1 }
  }

  /// What the kernels need to know about it: read through a sampler, or written.
  fileprivate func descriptor(_ sampler: Sampler?, _ levels: [lane_level]) -> lane_texture {
    var texture = unsafe lane_texture()
    unsafe texture.texels = texels
    unsafe texture.level_count = Int32(levels.count)
    unsafe texture.zero = Int32(block.capacity)
    unsafe texture.format = Int32(bitPattern: description.format.lane.rawValue)
    unsafe texture.filter = sampler?.interpolation.lane ?? 0
    unsafe texture.address = sampler?.address.lane ?? 0
    unsafe withUnsafeMutableBytes(of: &texture.levels) { bytes in
      let stored = unsafe bytes.bindMemory(to: lane_level.self)
      for (index, level) in levels.enumerated() { unsafe stored[index] = level }
    }
    return unsafe texture
  }

  fileprivate var allLevels: [lane_level] { levels }

  /// Level 0; of a cube one face.
  fileprivate func target(layer: Int) -> lane_level {
    var level = levels[0]
    guard description.shape == .cube else { return level }
    level.depth = 1
    level.base += Int32(layer) * level.width * level.height
    return level
  }

  // MARK: Pictures

  /// Fills all levels from a picture, whose rows start at the top.
  func upload(_ picture: PixelBuffer) {
    for (number, level) in TextureLevels(of: picture, for: description).levels.enumerated() {
      for (layer, rows) in level.enumerated() { upload(rows, to: levels[number], layer: layer) }
    }
  }

  /// Fills the first level from a picture, whose rows start at the top, and makes the smaller ones from it: the same as `upload`, and faster.
  func fill(from picture: PixelBuffer) {
    guard description.shape == .flat else {
      upload(picture, to: levels[0], layer: 0)
      return makeMipmaps()
    }
    let width = picture.size.width, height = picture.size.height, format = Int32(bitPattern: picture.format.lane.rawValue)
    unsafe picture.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      for row in 0..<height {
        unsafe lane_decode_pixels(
          format, start + row * picture.bytesPerRow, width, texels.advanced(by: (height - 1 - row) * width * 4))
      }
    }
    makeMipmaps()
  }

  /// Copies a picture, whose first row is that of the texture.
  private func upload(_ picture: PixelBuffer, to level: lane_level, layer: Int) {
    let first = Int(level.base) + layer * picture.size.pixelCount
    unsafe picture.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe lane_decode_pixels(
        Int32(bitPattern: picture.format.lane.rawValue), start, picture.size.pixelCount, texels.advanced(by: first * 4))
    }
  }

  /// Whether a component of the smallest level is not a number: a mean of numbers that are none is none.
  var endsInNaN: Bool {
    guard description.format.isFloat, let last = levels.last else { return false }
    let first = Int(last.base) * 4, count = Int(last.width) * Int(last.height) * Int(last.depth) * 4
    return unsafe UnsafeBufferPointer(start: texels.advanced(by: first), count: count).contains { $0.isNaN }
  }

  /// Makes the smaller levels from the first, as they are made for pictures that come from outside.
  func makeMipmaps() {
    for (level, next) in zip(levels, levels.dropFirst()) {
      let count = Int(level.width) * Int(level.height), nextCount = Int(next.width) * Int(next.height)
      for layer in 0..<description.layerCount {
        unsafe lane_halve_texels(
          Int32(bitPattern: description.format.lane.rawValue), texels.advanced(by: (Int(level.base) + layer * count) * 4), level.width,
          level.height, texels.advanced(by: (Int(next.base) + layer * nextCount) * 4))
      }
    }
  }

  /// The first level of all layers.
  func picture() -> PixelBuffer {
    var rows = picture(layer: 0).bytes
    for layer in 1..<max(1, description.layerCount) { rows += picture(layer: layer).bytes }
    return description.picture(ofRows: rows)
  }

  /// The pixels of a layer of the first level in the texture's format, the first row first.
  private func picture(layer: Int) -> PixelBuffer {
    let size = description.size, format = description.format
    var bytes = [UInt8](repeating: 0, count: size.pixelCount * format.bytesPerPixel)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe lane_encode_pixels(
        Int32(bitPattern: format.lane.rawValue), texels.advanced(by: layer * size.pixelCount * 4), size.pixelCount, start)
    }
    return PixelBuffer(size: size, format: format, alpha: .straight, bytes: bytes)
  }
}

/// A texture as a kernel sees it: all levels through a sampler, or a layer of the first level to write.
struct TextureView: Sendable {
  private let memory: TextureMemory
  private let sampler: Sampler?
  private let levels: [lane_level]

  init(memory: TextureMemory, sampler: Sampler) {
    self.memory = memory
    self.sampler = sampler
    levels = memory.allLevels
  }

  init(memory: TextureMemory, layer: Int) {
    self.memory = memory
    sampler = nil
    levels = [memory.target(layer: layer)]
  }

  var descriptor: lane_texture { unsafe memory.descriptor(sampler, levels) }
}
