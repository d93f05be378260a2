/// How one pixel lies in memory: channels in the order r, g, b, a, little-endian.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
  case r8, rg8, rgba8
  case r16, rg16, rgba16
  case r16f, rg16f, rgba16f
  case r32f, rg32f, rgba32f

  /// The number of channels: 1, 2 or 4.
  public var channelCount: Int {
    switch self {
    case .r8, .r16, .r16f, .r32f: 1
    case .rg8, .rg16, .rg16f, .rg32f: 2
    case .rgba8, .rgba16, .rgba16f, .rgba32f: 4
    }
  }

  /// The bytes of one channel: 1, 2 or 4.
  public var bytesPerChannel: Int {
    switch self {
    case .r8, .rg8, .rgba8: 1
    case .r16, .rg16, .rgba16, .r16f, .rg16f, .rgba16f: 2
    case .r32f, .rg32f, .rgba32f: 4
    }
  }

  /// The bytes of one pixel.
  public var bytesPerPixel: Int { channelCount * bytesPerChannel }

  /// Whether channels are floating-point numbers; the others are fractions of their largest value (unorm).
  public var isFloat: Bool {
    switch self {
    case .r16f, .rg16f, .rgba16f, .r32f, .rg32f, .rgba32f: true
    case .r8, .rg8, .rgba8, .r16, .rg16, .rgba16: false
    }
  }
}
