package import EtalonTypes

/// A picture and its mipmap levels, each half as wide and high as the one before (rounded down, at least 1), down to a single pixel.
///
/// Every pixel of a level is the mean of the area that it covers in the level before. Where a side is even that is the box of two pixels;
/// where it is odd, `2n + 1` pixels become `n`, and the pixels `2i`, `2i + 1` and `2i + 2` count `n - i`, `n` and `i + 1` parts of `2n + 1`.
/// Whole-number formats are summed exactly and rounded to nearest, halves up. Floating-point formats are computed in single precision, rows
/// first, as `a / 2 + b / 2` and as `b + ((a - b) p + (c - b) q)` with the parts p and q of the first and third pixel, and rounded once to the
/// format at the end: so an even area keeps its value, and a GPU gets the same bits.
///
/// **Concurrency**: an immutable value.
package struct MipmapChain: Sendable {
  /// The picture itself, then ever smaller ones.
  package let levels: [PixelBuffer]

  /// Makes all levels of a picture.
  package init(of picture: PixelBuffer) {
    var levels = [picture]
    for _ in 1..<Self.levelCount(of: picture.size) { levels.append(Self.halved(levels[levels.count - 1])) }
    self.levels = levels
  }

  /// How many levels a picture of a size has, itself included.
  package static func levelCount(of size: Size) -> Int {
    Int.bitWidth - max(size.width, size.height).leadingZeroBitCount
  }

  private static func halved(_ picture: PixelBuffer) -> PixelBuffer {
    switch picture.format {
    case .r8, .rg8, .rgba8: halvedWhole(picture, UInt8.self)
    case .r16, .rgba16: halvedWhole(picture, UInt16.self)
    case .r16f, .rg16f, .rgba16f: halvedFloat(picture, load: { Float(Float16(bitPattern: $0)) }, store: { Float16($0).bitPattern })
    case .r32f, .rg32f, .rgba32f: halvedFloat(picture, load: { Float(bitPattern: $0) }, store: { $0.bitPattern })
    }
  }

  private static func halvedWhole<Channel: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ picture: PixelBuffer, _: Channel.Type
  ) -> PixelBuffer {
    reduced(picture, Channel.self) { (columns, rows, source: (Int, Int) -> Channel) in
      var sum: UInt64 = 0
      for row in rows.indices {
        var rowSum: UInt64 = 0
        for column in columns.indices { rowSum += UInt64(columns[column]) * UInt64(source(column, row)) }
        sum += UInt64(rows[row]) * rowSum
      }
      let whole = UInt64(columns.total * rows.total)
      return Channel((2 * sum + whole) / (2 * whole))
    }
  }

  private static func halvedFloat<Bits: FixedWidthInteger & BitwiseCopyable>(
    _ picture: PixelBuffer, load: (Bits) -> Float, store: (Float) -> Bits
  ) -> PixelBuffer {
    reduced(picture, Bits.self) { columns, rows, source in
      store(rows.mean { row in columns.mean { column in load(source(column, row)) } })
    }
  }

  /// Runs a body for every channel of every pixel of the next level, with the weights of the columns and rows that it covers.
  private static func reduced<Channel: FixedWidthInteger & BitwiseCopyable>(
    _ picture: PixelBuffer, _: Channel.Type, _ mean: (Weights, Weights, (Int, Int) -> Channel) -> Channel
  ) -> PixelBuffer {
    let (width, height) = (picture.size.width, picture.size.height)
    let size = Size(max(1, width / 2), max(1, height / 2))
    let channels = picture.format.channelCount
    let byteCount = size.pixelCount * picture.format.bytesPerPixel
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { target, initialized in
      unsafe picture.bytes.withUnsafeBytes { source in
        var offset = 0
        for y in 0..<size.height {
          let rows = Weights(of: y, from: height)
          for x in 0..<size.width {
            let columns = Weights(of: x, from: width)
            for channel in 0..<channels {
              let value = mean(columns, rows) { column, row in
                let index = ((2 * y + row) * width + 2 * x + column) * channels + channel
                return unsafe source.loadUnaligned(fromByteOffset: index * MemoryLayout<Channel>.size, as: Channel.self)
              }
              unsafe UnsafeMutableRawBufferPointer(target).storeBytes(of: value, toByteOffset: offset, as: Channel.self)
              offset += MemoryLayout<Channel>.size
            }
          }
        }
      }
      initialized = byteCount
    }
    return PixelBuffer(size: size, format: picture.format, alpha: picture.alpha, bytes: bytes)
  }
}

/// How much each of the one to three pixels counts that a pixel of the next level covers along one side.
private struct Weights {
  private let first: Int
  private let second: Int
  private let third: Int
  /// The number of pixels.
  private let count: Int
  /// The sum of the weights.
  let total: Int

  /// The weights for pixel `index` of the next level of a side of `length` pixels.
  init(of index: Int, from length: Int) {
    let half = length / 2
    switch (length, length % 2) {
    case (1, _): (first, second, third, count, total) = (1, 0, 0, 1, 1)
    case (_, 0): (first, second, third, count, total) = (1, 1, 0, 2, 2)
    default: (first, second, third, count, total) = (half - index, half, index + 1, 3, length)
    }
  }

  var indices: Range<Int> { 0..<count }

  subscript(index: Int) -> Int { index == 0 ? first : index == 1 ? second : third }

  /// The weighted mean of some numbers, in single precision.
  func mean(_ value: (Int) -> Float) -> Float {
    switch count {
    case 1: return value(0)
    case 2: return value(0) * 0.5 + value(1) * 0.5
    default:
      let inverse = 1 / Float(total), middle = value(1)
      return middle + ((value(0) - middle) * (Float(first) * inverse) + (value(2) - middle) * (Float(third) * inverse))
    }
  }
}
