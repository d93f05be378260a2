import CLaneKernels

/// The textures that kernels are timed with, by their numbers.
struct KernelTexture {
  let name: String
  let number: UInt32

  private static let filters = ["nearest", "linear", "mipmap"]
  private static let addresses = ["clamp", "repeat", "mirror", "transparent"]
  private static let formats: [(name: String, format: lane_format)] = [
    ("rgba8", LANE_FORMAT_RGBA8), ("rgba16", LANE_FORMAT_RGBA16), ("rgba16f", LANE_FORMAT_RGBA16F), ("rgba32f", LANE_FORMAT_RGBA32F),
  ]

  /// Every way to read.
  static let all = addresses.indices.flatMap { address in
    filters.indices.map { filter in
      KernelTexture(name: "\(filters[filter])-\(addresses[address])", number: UInt32(address * filters.count + filter))
    }
  }
  /// The one that is read between texels.
  static let linear: UInt32 = 1

  /// Storage images, by what stores round to.
  static let stored = formats.enumerated().map { KernelTexture(name: $1.name, number: UInt32(all.count + $0)) }

  private static let side: Int32 = 64
  /// Six faces, or four layers, and a texel of zeros.
  static let texelCount = Int(side * side) * 6 + 1

  /// What the kernels know about all of them; they share their texels.
  static func descriptors(_ texels: UnsafeMutablePointer<Float>) -> [lane_texture] {
    let read = unsafe all.map { texture in
      unsafe descriptor(
        texels, filter: Int32(texture.number) % Int32(filters.count), address: Int32(texture.number) / Int32(filters.count),
        format: LANE_FORMAT_RGBA8)
    }
    return unsafe read + formats.map { unsafe descriptor(texels, filter: 0, address: 0, format: $0.format) }
  }

  private static func descriptor(_ texels: UnsafeMutablePointer<Float>, filter: Int32, address: Int32, format: lane_format) -> lane_texture
  {
    var texture = unsafe lane_texture()
    unsafe texture.texels = texels
    unsafe texture.levels.0 = lane_level(width: side, height: side, depth: 1, base: 0)
    unsafe texture.levels.1 = lane_level(width: side / 2, height: side / 2, depth: 1, base: side * side)
    unsafe texture.level_count = 2
    unsafe texture.zero = Int32(texelCount - 1)
    unsafe texture.filter = filter
    unsafe texture.address = address
    unsafe texture.format = Int32(bitPattern: format.rawValue)
    return unsafe texture
  }
}
