internal import EtalonTypes

/// How far two pictures of one size are apart.
///
/// Two pictures agree when at least 98 % of their pixels are within 2 of 255 levels in every channel: the measure of the witness.
struct PictureDifference: Sendable {
  private static let levels = 2
  private static let share = 0.98
  private static let amplification = 8

  /// Marks the pixels beyond the limit, row by row from the top.
  let outside: [Bool]
  /// The largest difference of a channel, in levels.
  let largest: Int
  private let size: Size

  /// Compares two pictures of 8 bits a channel.
  init(_ first: PixelBuffer, _ second: PixelBuffer) {
    precondition(first.format == .rgba8 && second.format == .rgba8 && first.size == second.size, "pictures of different forms")
    size = first.size
    var outside = [Bool](repeating: false, count: size.pixelCount)
    var largest = 0
    for pixel in outside.indices {
      let distance = Self.distance(first, second, pixel)
      outside[pixel] = distance > Self.levels
      largest = max(largest, distance)
    }
    self.outside = outside
    self.largest = largest
  }

  private static func distance(_ first: PixelBuffer, _ second: PixelBuffer, _ pixel: Int) -> Int {
    (0..<channels(first, second)).map { abs(Int(first.bytes[4 * pixel + $0]) - Int(second.bytes[4 * pixel + $0])) }.max() ?? 0
  }

  /// The fourth channel of opaque pictures means nothing.
  private static func channels(_ first: PixelBuffer, _ second: PixelBuffer) -> Int {
    first.alpha == .opaque && second.alpha == .opaque ? 3 : 4
  }

  /// The share of pixels that agree.
  var agreement: Double { 1 - Double(outside.count { $0 }) / Double(outside.count) }

  /// Whether the pictures count as the same.
  var isAgreement: Bool { agreement >= Self.share }

  /// Whether the pictures would count as the same if the marked pixels did.
  func isAgreement(without explained: [Bool]) -> Bool {
    let rest = zip(outside, explained).count { $0 && !$1 }
    return Double(rest) <= (1 - Self.share) * Double(outside.count)
  }

  /// The pixels beyond the limit, and their neighbours.
  var outsideWithNeighbors: [Bool] {
    var grown = outside
    for y in 0..<size.height {
      for x in 0..<size.width where outside[y * size.width + x] {
        for row in max(0, y - 1)...min(size.height - 1, y + 1) {
          for column in max(0, x - 1)...min(size.width - 1, x + 1) { grown[row * size.width + column] = true }
        }
      }
    }
    return grown
  }

  /// The difference for the eye: amplified, and red where it is beyond the limit.
  func picture(_ first: PixelBuffer, _ second: PixelBuffer) -> PixelBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * 4)
    for pixel in outside.indices {
      for channel in 0..<3 {
        let distance = abs(Int(first.bytes[4 * pixel + channel]) - Int(second.bytes[4 * pixel + channel])) * Self.amplification
        let least = outside[pixel] && channel == 0 ? 160 : 0
        bytes.append(UInt8(min(255, max(distance, least))))
      }
      bytes.append(255)
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes)
  }
}

extension PixelBuffer {
  /// Whether all pixels are the same.
  var isFlat: Bool {
    let step = format.bytesPerPixel
    let channels = alpha == .opaque && format == .rgba8 ? 3 : step
    return (1..<size.pixelCount).allSatisfy { pixel in
      (0..<channels).allSatisfy { bytes[pixel * step + $0] == bytes[$0] }
    }
  }
}
