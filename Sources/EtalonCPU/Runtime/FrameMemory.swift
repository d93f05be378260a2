internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonSystem
internal import EtalonTypes

/// What the passes of one frame read and write, by the indices of the plan.
struct FrameMemory: Sendable {
  let textures: [TextureMemory]
  let buffers: [ByteBlock]
  let outputs: [ByteBlock]
}

// MARK: - Textures

/// A texture on the processor: four floats a texel, all levels one after the other, in a block of its own or in one that it shares.
///
/// Flat textures of one channel, one level and a block of their own, such as the planes of videos, have one float or byte a texel, because reads of them
/// wait for memory.
///
/// **Concurrency**: written by one pass at a time, whose workgroups write different texels; read by the passes after.
@safe final class TextureMemory: @unchecked Sendable {
  let description: Plan.Texture
  private let levels: [lane_level]
  private let block: TexelBlock
  private let texelCount: Int
  /// What it holds for each texel.
  private let texel: lane_texel

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
    texel = description.texel
    if let block { self.block = block } else { self.block = try TexelBlock(for: description) }
    precondition(base * texel.byteCount <= self.block.byteCount, "a texture that is larger than the block that it lies in")
    // Blocks begin as zeros, and textures in shared ones are written before they are read.
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
    unsafe texels.update(repeating: 0, count: (texelCount * texel.byteCount + 3) / 4)
    guard description.format.channelCount < 4, texel == LANE_TEXEL_FLOATS else { return }
    for texel in 0..<texelCount { unsafe texels[texel * 4 + 3] = 1 }
  }

  /// What the kernels need to know about it: read through a sampler, or written.
  fileprivate func descriptor(_ sampler: Sampler?, _ levels: [lane_level]) -> lane_texture {
    var texture = unsafe lane_texture()
    unsafe texture.texels = texels
    unsafe texture.texel = texel.number
    unsafe texture.level_count = Int32(levels.count)
    unsafe texture.zero = Int32(block.byteCount / texel.byteCount)
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
  ///
  /// A large picture takes no memory beside its own and the texture's, but for a volume with smaller levels, which are made from slices.
  func fill(from picture: PixelBuffer) {
    switch description.shape {
    case .flat:
      turnOver(picture)
      makeMipmaps()
    case .cube:
      upload(picture, to: levels[0], layer: 0)
      makeMipmaps()
    case .volume where !description.isMipmapped: upload(picture, to: levels[0], layer: 0)
    case .volume:
      for (number, level) in TextureLevels(of: picture, for: description).levels.enumerated() {
        for (layer, rows) in level.enumerated() { upload(rows, to: levels[number], layer: layer) }
      }
    }
  }

  /// Copies a picture, whose first row is the last of the texture.
  private func turnOver(_ picture: PixelBuffer) {
    let width = picture.size.width, height = picture.size.height, format = Int32(bitPattern: picture.format.lane.rawValue)
    unsafe picture.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      for row in 0..<height {
        unsafe lane_decode_pixels(
          format, start + row * picture.bytesPerRow, width, texels, texel.number, (height - 1 - row) * width)
      }
    }
  }

  /// Copies a picture, whose first row is that of the texture.
  private func upload(_ picture: PixelBuffer, to level: lane_level, layer: Int) {
    let first = Int(level.base) + layer * picture.size.pixelCount
    unsafe picture.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe lane_decode_pixels(
        Int32(bitPattern: picture.format.lane.rawValue), start, picture.size.pixelCount, texels, texel.number, first)
    }
  }

  /// Whether a component of the smallest level is NaN: a mean of numbers of which one is NaN is NaN.
  var endsInNaN: Bool {
    guard description.format.isFloat, let last = levels.last else { return false }
    let floats = texel.byteCount / 4
    let first = Int(last.base) * floats, count = Int(last.width) * Int(last.height) * Int(last.depth) * floats
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
        Int32(bitPattern: format.lane.rawValue), texels, texel.number, layer * size.pixelCount, size.pixelCount, start)
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

extension Plan.Texture {
  /// What memory holds for each of its texels.
  fileprivate var texel: lane_texel {
    guard format.channelCount == 1, shape == .flat, levelCount == 1, block == nil else { return LANE_TEXEL_FLOATS }
    return format == .r8 ? LANE_TEXEL_BYTE : LANE_TEXEL_FLOAT
  }
}

extension lane_texel {
  fileprivate var byteCount: Int { self == LANE_TEXEL_BYTE ? 1 : self == LANE_TEXEL_FLOAT ? 4 : 16 }

  fileprivate var number: Int32 { Int32(bitPattern: rawValue) }
}

/// Owns memory for texels, and a texel of zeros behind them, which is what kernels read outside a texture.
///
/// **Concurrency**: as that of the textures in it.
@safe final class TexelBlock: @unchecked Sendable {
  /// How many bytes there are before the texel of zeros: a multiple of 16.
  let byteCount: Int
  let texels: UnsafeMutablePointer<Float>

  /// Room for a texture with all its levels.
  init(for texture: Plan.Texture) throws(RenderError) {
    byteCount = (texture.texelCount * texture.texel.byteCount + 15) & ~15
    guard texture.texelCount < Int(Int32.max) - 15, let memory = unsafe lane_allocate(byteCount + 16) else {
      throw RenderError(.outOfMemory, "not enough memory for texture '\(texture.name)' (\(texture.size))")
    }
    unsafe texels = memory.bindMemory(to: Float.self, capacity: byteCount / 4 + 4)
  }

  deinit { unsafe lane_free(texels) }
}

// MARK: - Bytes

/// Owns bytes that kernels read or write.
///
/// **Concurrency**: written by one frame at a time.
@safe final class ByteBlock: @unchecked Sendable {
  let start: UnsafeMutablePointer<UInt8>
  let byteCount: Int

  init(byteCount: Int, name: String) throws(RenderError) {
    guard let memory = unsafe lane_allocate(byteCount) else {
      throw RenderError(.outOfMemory, "not enough memory for \(name) (\(byteCount) bytes)")
    }
    self.byteCount = byteCount
    unsafe start = memory.bindMemory(to: UInt8.self, capacity: byteCount)
  }

  deinit { unsafe lane_free(start) }

  /// A copy of all bytes.
  var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: byteCount)) }

  /// Makes all bytes zero.
  func clear() { unsafe start.update(repeating: 0, count: byteCount) }

  /// Sets every byte to what a function of its number says.
  func fill(_ byte: (Int) -> UInt8) {
    for index in 0..<byteCount { unsafe start[index] = byte(index) }
  }

  /// Copies bytes to the start; what does not fit is left out.
  func write(_ bytes: [UInt8]) {
    for (index, byte) in bytes.prefix(byteCount).enumerated() { unsafe start[index] = byte }
  }

  /// Copies words to the start.
  func write(_ words: [UInt32]) { write(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }) }

  /// What the lane kernels need to know about it.
  var descriptor: lane_buffer { unsafe lane_buffer(bytes: start, byte_count: UInt64(byteCount)) }

  /// What the lane kernels need to know about it as a constant array.
  var constants: lane_constants {
    unsafe lane_constants(
      words: UnsafeRawPointer(start).bindMemory(to: UInt32.self, capacity: byteCount / 4), word_count: UInt32(byteCount / 4))
  }
}

extension ByteBlock {
  /// A block of 32-bit words.
  static func of(_ words: [UInt32], name: String) throws(RenderError) -> ByteBlock {
    let block = try ByteBlock(byteCount: words.count * 4, name: name)
    block.write(words)
    return block
  }

  /// A block of 64-bit words.
  static func of(_ words: [UInt64], name: String) throws(RenderError) -> ByteBlock {
    let block = try ByteBlock(byteCount: words.count * 8, name: name)
    for (place, word) in words.enumerated() { unsafe block.longWords[place] = word }
    return block
  }

  /// Its bytes as 64-bit words.
  var longWords: UnsafeMutablePointer<UInt64> { unsafe UnsafeMutableRawPointer(start).bindMemory(to: UInt64.self, capacity: byteCount / 8) }
  /// Its bytes as 32-bit words.
  var words: UnsafeMutablePointer<UInt32> { unsafe UnsafeMutableRawPointer(start).bindMemory(to: UInt32.self, capacity: byteCount / 4) }
}

// MARK: - Names of the lane kernels

extension PixelFormat {
  /// The format as the lane kernels name it.
  var lane: lane_format {
    switch self {
    case .r8: LANE_FORMAT_R8
    case .rg8: LANE_FORMAT_RG8
    case .rgba8: LANE_FORMAT_RGBA8
    case .r16: LANE_FORMAT_R16
    case .rg16: LANE_FORMAT_RG16
    case .rgba16: LANE_FORMAT_RGBA16
    case .r16f: LANE_FORMAT_R16F
    case .rg16f: LANE_FORMAT_RG16F
    case .rgba16f: LANE_FORMAT_RGBA16F
    case .r32f: LANE_FORMAT_R32F
    case .rg32f: LANE_FORMAT_RG32F
    case .rgba32f: LANE_FORMAT_RGBA32F
    }
  }
}

extension Sampler.Interpolation {
  var lane: Int32 {
    switch self {
    case .nearest: Int32(LANE_FILTER_NEAREST)
    case .linear: Int32(LANE_FILTER_LINEAR)
    case .mipmap: Int32(LANE_FILTER_MIPMAP)
    }
  }
}

extension Sampler.AddressMode {
  var lane: Int32 {
    switch self {
    case .clamp: Int32(LANE_ADDRESS_CLAMP)
    case .repeat: Int32(LANE_ADDRESS_REPEAT)
    case .mirror: Int32(LANE_ADDRESS_MIRROR)
    case .transparent: Int32(LANE_ADDRESS_TRANSPARENT)
    }
  }
}
