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
