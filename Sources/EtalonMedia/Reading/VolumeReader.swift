internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads volumes as ShaderToy's site stores them: a header of 20 bytes and the values, column by column, row by row, slice by slice.
///
/// The header is `BIN` and a zero; the numbers of columns, rows and slices (32 bits each, little-endian); the number of channels (8 bits, 1 to 4), a layout
/// that players do not read (8 bits), and the format (16 bits: 0 is whole numbers of 8 bits, 10 is floats of 32 bits). Slices become squares below each other.
struct VolumeReader {
  private static let headerSize = 20

  private let bytes: [UInt8]
  private let name: String
  private let limits: PictureLimits

  init(_ bytes: [UInt8], name: String, limits: PictureLimits) { (self.bytes, self.name, self.limits) = (bytes, name, limits) }

  static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x42, 0x49, 0x4E, 0]) }

  func read() throws(RenderError) -> PixelBuffer {
    guard bytes.count >= Self.headerSize else { throw damaged("it ends in its header") }
    let (columns, rows, slices) = (number(at: 4, 4), number(at: 8, 4), number(at: 12, 4))
    let channels = number(at: 16, 1), format = number(at: 18, 2)
    guard columns == rows else {
      throw RenderError(
        .invalidInput, "the slices of '\(name)' are no squares: \(columns)x\(rows)",
        help: ["give a volume with slices as wide as they are high"])
    }
    guard (1...4).contains(channels), let valueSize = [0: 1, 10: 4][format] else {
      throw RenderError(
        .invalidInput, "'\(name)' has \(channels.of("channel")) in format \(format), which no player reads",
        help: ["volumes have 1 to 4 channels in format 0 (8 bits) or 10 (floats)"])
    }
    let stacked = rows.multipliedReportingOverflow(by: slices)
    guard !stacked.overflow else { throw damaged("it says that it is \(columns)x\(rows)x\(slices)") }
    let size = try limits.check(width: columns, height: stacked.partialValue, isStack: true, fileSize: bytes.count, name: name)
    let count = size.pixelCount * channels * valueSize
    let found = bytes.count - Self.headerSize
    guard found == count else {
      throw damaged("\(columns)x\(rows)x\(slices) with \(channels.of("channel")) are \(count) bytes, and it has \(found)")
    }
    return picture(size, channels, valueSize)
  }

  private func picture(_ size: Size, _ channels: Int, _ valueSize: Int) -> PixelBuffer {
    let isFloat = valueSize == 4
    let values = bytes[Self.headerSize...]
    let one: [UInt8] = isFloat ? [0, 0, 0x80, 0x3F] : [255]
    switch channels {
    case 1: return PixelBuffer(size: size, format: isFloat ? .r32f : .r8, alpha: .opaque, bytes: Array(values))
    case 2: return PixelBuffer(size: size, format: isFloat ? .rg32f : .rg8, alpha: .opaque, bytes: Array(values))
    case 3:
      var filled: [UInt8] = []
      filled.reserveCapacity(size.pixelCount * 4 * valueSize)
      for start in stride(from: values.startIndex, to: values.endIndex, by: 3 * valueSize) {
        filled += values[start..<start + 3 * valueSize]
        filled += one
      }
      return PixelBuffer(size: size, format: isFloat ? .rgba32f : .rgba8, alpha: .opaque, bytes: filled)
    default: return PixelBuffer(size: size, format: isFloat ? .rgba32f : .rgba8, alpha: .straight, bytes: Array(values))
    }
  }

  private func number(at offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private func damaged(_ why: String) -> RenderError {
    RenderError(.invalidInput, "the volume '\(name)' is damaged", underlying: why, help: ["download it again"])
  }
}
