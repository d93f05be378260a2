/// How a filter reads between and beyond the pixels of a texture.
public struct Sampler: Sendable, Hashable {
  /// How values between pixel centres come about.
  public enum Interpolation: String, Sendable, Hashable, CaseIterable {
    /// The pixel that the position lies in.
    case nearest
    /// Bilinear between the four nearest pixels.
    case linear
    /// Trilinear: bilinear in the two nearest mipmap levels, chosen by the derivatives of the position.
    case mipmap
  }

  /// What lies beyond the edge.
  public enum AddressMode: String, Sendable, Hashable, CaseIterable {
    /// The nearest edge pixel.
    case clamp
    /// The picture again.
    case `repeat`
    /// The picture again, every other time mirrored.
    case mirror
    /// Transparent black.
    case transparent
  }

  /// How values between pixel centres come about.
  public var interpolation: Interpolation
  /// What lies beyond the edge, in every direction.
  public var address: AddressMode

  /// Makes a sampler.
  public init(_ interpolation: Interpolation = .linear, _ address: AddressMode = .clamp) {
    self.interpolation = interpolation
    self.address = address
  }
}

/// How an image input is read, where that differs from what the filter says.
package struct SamplerChange: Sendable, Hashable {
  package var interpolation: Sampler.Interpolation?
  package var address: Sampler.AddressMode?
  package var isFlipped: Bool?

  package init(interpolation: Sampler.Interpolation? = nil, address: Sampler.AddressMode? = nil, isFlipped: Bool? = nil) {
    self.interpolation = interpolation
    self.address = address
    self.isFlipped = isFlipped
  }

  /// The sampler of a filter with what the user says instead.
  package func applied(to own: Sampler) -> Sampler { Sampler(interpolation ?? own.interpolation, address ?? own.address) }
}

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

/// How a texture is addressed by the text that reads it.
public enum TextureShape: String, Sendable, Hashable {
  /// Two coordinates (`sampler2D`).
  case flat
  /// A direction (`samplerCube`).
  case cube
  /// Three coordinates (`sampler3D`).
  case volume

  /// How many squares below each other a picture of a size is: six faces of a cube, or the slices of a volume; nil for any other, and for a flat texture.
  package func squares(in size: Size) -> Int? {
    guard self != .flat, size.width > 0, size.height % size.width == 0 else { return nil }
    let count = size.height / size.width
    return self == .volume ? (count > 0 ? count : nil) : count == 6 ? count : nil
  }
}
