/// A picture in memory: rows without padding, the top row first, as picture files have it.
///
/// Textures start at the bottom row; the backends turn pictures over on the way in.
///
/// **Concurrency**: an immutable value with shared storage.
public struct PixelBuffer: Sendable, Hashable {
  /// Width and height in pixels.
  public let size: Size
  /// How one pixel lies in memory.
  public let format: PixelFormat
  /// What the fourth channel means; `opaque` for formats without one.
  public let alpha: AlphaMode
  /// `size.height` rows of `size.width * format.bytesPerPixel` bytes.
  public let bytes: [UInt8]
  /// Whether the numbers are proportional to light, as OpenEXR files have them; otherwise they are sRGB-encoded, as those of most files are.
  public let isLight: Bool

  /// Wraps pixels; the number of bytes must fit the size and the format.
  public init(size: Size, format: PixelFormat, alpha: AlphaMode, bytes: [UInt8], isLight: Bool = false) {
    precondition(bytes.count == size.pixelCount * format.bytesPerPixel, "\(bytes.count) bytes for \(size) \(format)")
    self.size = size
    self.format = format
    self.alpha = alpha
    self.bytes = bytes
    self.isLight = isLight
  }

  /// The bytes of one row.
  public var bytesPerRow: Int { size.width * format.bytesPerPixel }
}

extension PixelBuffer {
  /// The same numbers, which mean something else.
  package func said(toBe space: PictureSpace) -> PixelBuffer {
    isLight == space.isLight ? self : PixelBuffer(size: size, format: format, alpha: alpha, bytes: bytes, isLight: space.isLight)
  }
}

/// What the numbers of a file are, as a person states it.
package enum PictureSpace: String, Sendable, Hashable, CaseIterable {
  /// Encoded as sRGB (IEC 61966-2-1), as those of all files but OpenEXR are taken where nothing is said.
  case srgb
  /// Proportional to light, with the primaries of sRGB.
  case linear

  package var isLight: Bool { self == .linear }
}

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

extension PixelFormat {
  /// Whether one of the numbers in the bytes of pixels is not a number; those of formats other than floats always are.
  package func holdsNaN(_ bytes: RawSpan) -> Bool {
    guard isFloat else { return false }
    // All bits of the exponent, and some of the fraction.
    if bytesPerChannel == 2 {
      return stride(from: 0, to: bytes.byteCount - 1, by: 2).contains {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: $0, as: UInt16.self) & 0x7FFF > 0x7C00
      }
    }
    return stride(from: 0, to: bytes.byteCount - 3, by: 4).contains {
      unsafe bytes.unsafeLoadUnaligned(fromByteOffset: $0, as: UInt32.self) & 0x7FFF_FFFF > 0x7F80_0000
    }
  }
}

/// What the fourth channel of a picture says about the other three.
public enum AlphaMode: String, Sendable, Hashable, CaseIterable {
  /// Every pixel covers fully; alpha is 1 whatever the filter returned.
  case opaque
  /// Colour does not depend on coverage (PNG's *unassociated* alpha).
  case straight
  /// Colour was multiplied by coverage.
  case premultiplied
}

// MARK: - words

extension [UInt8] {
  /// The number that four bytes are, the lowest first.
  package func word(at place: Int) -> UInt32 {
    let low = UInt32(self[place]) | UInt32(self[place + 1]) << 8
    let high = UInt32(self[place + 2]) | UInt32(self[place + 3]) << 8
    return low | high << 16
  }

  /// All of its bytes as numbers of four; up to three at the end that make none are left out.
  package var words: [UInt32] { (0..<count / 4).map { word(at: 4 * $0) } }
  /// The same as floats.
  package var floats: [Float] { words.map { Float(bitPattern: $0) } }

  /// The bytes of numbers, of each the lowest first.
  package init(words: [UInt32]) {
    self.init()
    reserveCapacity(4 * words.count)
    for word in words {
      for shift: UInt32 in [0, 8, 16, 24] { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
  }

  /// The bytes of floats.
  package init(floats: [Float]) { self.init(words: floats.map(\.bitPattern)) }
}
