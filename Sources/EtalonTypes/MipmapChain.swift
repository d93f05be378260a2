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

  /// A picture half as wide and high.
  package static func halved(_ picture: PixelBuffer) -> PixelBuffer {
    halved(picture, Reduction(columns: picture.size.width, rows: picture.size.height))
  }

  /// Half as many slices of a volume, from its slices.
  package static func halved(slices: [PixelBuffer]) -> [PixelBuffer] {
    guard let first = slices.first, slices.count > 1 else { return slices }
    // All pixels of a slice in one row: then slices are combined as rows are.
    let stacked = PixelBuffer(
      size: Size(first.size.pixelCount, slices.count), format: first.format, alpha: first.alpha, bytes: Array(slices.map(\.bytes).joined()))
    let combined = halved(stacked, Reduction(rows: slices.count, everyColumn: first.size.pixelCount))
    return (0..<combined.size.height).map { row in
      PixelBuffer(
        size: first.size, format: first.format, alpha: first.alpha,
        bytes: Array(combined.bytes[row * combined.bytesPerRow..<(row + 1) * combined.bytesPerRow]))
    }
  }

  private static func halved(_ picture: PixelBuffer, _ reduction: Reduction) -> PixelBuffer {
    switch picture.format {
    case .r8, .rg8, .rgba8: halvedWhole(picture, reduction, UInt8.self)
    case .r16, .rg16, .rgba16: halvedWhole(picture, reduction, UInt16.self)
    case .r16f, .rg16f, .rgba16f:
      halvedFloat(picture, reduction, load: { Float(Float16(bitPattern: $0)) }, store: { Float16($0).bitPattern })
    case .r32f, .rg32f, .rgba32f: halvedFloat(picture, reduction, load: { Float(bitPattern: $0) }, store: { $0.bitPattern })
    }
  }

  private static func halvedWhole<Channel: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ picture: PixelBuffer, _ reduction: Reduction, _: Channel.Type
  ) -> PixelBuffer {
    reduced(picture, reduction, Channel.self) { (columns, rows, source: (Int, Int) -> Channel) in
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
    _ picture: PixelBuffer, _ reduction: Reduction, load: (Bits) -> Float, store: (Float) -> Bits
  ) -> PixelBuffer {
    reduced(picture, reduction, Bits.self) { columns, rows, source in
      store(rows.mean { row in columns.mean { column in load(source(column, row)) } })
    }
  }

  /// Runs a body for every channel of every pixel of the next level, with the weights of the columns and rows that it covers.
  private static func reduced<Channel: FixedWidthInteger & BitwiseCopyable>(
    _ picture: PixelBuffer, _ reduction: Reduction, _: Channel.Type, _ mean: (Weights, Weights, (Int, Int) -> Channel) -> Channel
  ) -> PixelBuffer {
    let width = picture.size.width, size = reduction.size
    let channels = picture.format.channelCount
    let byteCount = size.pixelCount * picture.format.bytesPerPixel
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { target, initialized in
      unsafe picture.bytes.withUnsafeBytes { source in
        var offset = 0
        for y in 0..<size.height {
          let rows = Weights(of: y, from: picture.size.height)
          for x in 0..<size.width {
            let columns = reduction.columns(of: x), firstColumn = reduction.firstColumn(of: x)
            for channel in 0..<channels {
              let value = mean(columns, rows) { column, row in
                let index = ((2 * y + row) * width + firstColumn + column) * channels + channel
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

/// Which pixels become one: along both sides, or along columns alone.
private struct Reduction {
  /// What is left.
  let size: Size
  private let halvedColumns: Int?

  init(columns: Int, rows: Int) {
    size = Size(max(1, columns / 2), max(1, rows / 2))
    halvedColumns = columns
  }

  init(rows: Int, everyColumn columns: Int) {
    size = Size(columns, max(1, rows / 2))
    halvedColumns = nil
  }

  func columns(of x: Int) -> Weights { halvedColumns.map { Weights(of: x, from: $0) } ?? Weights(of: 0, from: 1) }
  func firstColumn(of x: Int) -> Int { halvedColumns == nil ? x : 2 * x }
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
