internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Owns the texels of a texture: four floats each, all levels one after the other, and a texel of zeros at the end.
///
/// **Concurrency**: written by one pass at a time, whose workgroups write different texels; read by the passes after.
@safe final class TextureMemory: @unchecked Sendable {
  let size: Size
  let format: PixelFormat
  private let levels: [lane_level]
  private let zero: Int
  private let texels: UnsafeMutablePointer<Float>

  init(name: String, size: Size, format: PixelFormat, isMipmapped: Bool) throws(RenderError) {
    self.size = size
    self.format = format
    var levels: [lane_level] = []
    var width = size.width, height = size.height, base = 0
    for _ in 0..<(isMipmapped ? min(MipmapChain.levelCount(of: size), Int(LANE_MAXIMUM_LEVELS)) : 1) {
      levels.append(lane_level(width: Int32(width), height: Int32(height), depth: 1, base: Int32(truncatingIfNeeded: base)))
      base += width * height
      width = max(width / 2, 1)
      height = max(height / 2, 1)
    }
    guard base < Int(Int32.max), let memory = unsafe lane_allocate((base + 1) * 16) else {
      throw RenderError(.tryAgain, "not enough memory for texture '\(name)' (\(size))")
    }
    self.levels = levels
    zero = base
    unsafe texels = memory.bindMemory(to: Float.self, capacity: (base + 1) * 4)
  }

  deinit { unsafe lane_free(texels) }

  var isMipmapped: Bool { levels.count > 1 }

  /// What the kernels need to know about it; a storage image has no sampler.
  func descriptor(_ sampler: Sampler?) -> lane_texture {
    var texture = unsafe lane_texture()
    unsafe texture.texels = texels
    unsafe texture.level_count = Int32(levels.count)
    unsafe texture.zero = Int32(zero)
    unsafe texture.format = Int32(bitPattern: format.lane.rawValue)
    unsafe texture.filter = sampler?.interpolation.lane ?? 0
    unsafe texture.address = sampler?.address.lane ?? 0
    unsafe withUnsafeMutableBytes(of: &texture.levels) { bytes in
      let stored = unsafe bytes.bindMemory(to: lane_level.self)
      for (index, level) in levels.enumerated() { unsafe stored[index] = level }
    }
    return unsafe texture
  }

  /// Fills all levels from a picture, whose rows start at the top.
  func upload(_ picture: PixelBuffer) {
    let chain = isMipmapped ? MipmapChain(of: picture).levels : [picture]
    for (level, picture) in zip(levels, chain) { upload(picture, to: level) }
  }

  private func upload(_ picture: PixelBuffer, to level: lane_level) {
    let (width, height) = (picture.size.width, picture.size.height)
    unsafe picture.bytes.withUnsafeBytes { bytes in
      for row in 0..<height {
        guard let start = unsafe bytes.baseAddress?.advanced(by: (height - 1 - row) * picture.bytesPerRow) else { return }
        let target = unsafe texels.advanced(by: (Int(level.base) + row * width) * 4)
        unsafe lane_decode_pixels(Int32(bitPattern: picture.format.lane.rawValue), start, width, target)
      }
    }
  }

  /// Makes the smaller levels from the first, as they are made for pictures that come from outside.
  func makeLevels() {
    guard isMipmapped else { return }
    upload(picture())
  }

  /// The first level as a picture of the texture's format.
  private func picture() -> PixelBuffer {
    var bytes = [UInt8](repeating: 0, count: size.pixelCount * format.bytesPerPixel)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      for row in 0..<size.height {
        guard let start = unsafe bytes.baseAddress?.advanced(by: (size.height - 1 - row) * size.width * format.bytesPerPixel) else {
          return
        }
        unsafe lane_encode_pixels(
          Int32(bitPattern: format.lane.rawValue), texels.advanced(by: row * size.width * 4), size.width, start)
      }
    }
    return PixelBuffer(size: size, format: format, alpha: .straight, bytes: bytes)
  }
}
