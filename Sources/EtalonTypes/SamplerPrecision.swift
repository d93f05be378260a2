/// How finely a device divides texels and mipmap levels when it filters textures.
public struct SamplerPrecision: Sendable, Hashable {
  /// Vulkan's `subTexelPrecisionBits`: a texel is divided into 2 to this power of parts; at least 4.
  public let subTexelBits: Int
  /// Vulkan's `mipmapPrecisionBits`, the same between two levels; at least 4.
  public let mipmapBits: Int

  /// Takes both numbers of bits.
  public init(subTexelBits: Int, mipmapBits: Int) { (self.subTexelBits, self.mipmapBits) = (subTexelBits, mipmapBits) }

  /// What graphics units have at least in practice; the specification asks for 4 bits each.
  public static let usual = SamplerPrecision(subTexelBits: 8, mipmapBits: 4)
}
