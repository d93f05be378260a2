import EtalonDiagnostics
import EtalonTypes

/// Reads DPX pictures (SMPTE ST 268-1): one element of 8, 10, 12 or 16 bits with RGB, RGBA, ABGR or luma, in either byte order, without run lengths.
///
/// 8 bits become `rgba8`, all others `rgba16`, where the largest number of the file becomes the largest of 16 bits. Numbers are those of the file, also
/// logarithmic ones; alpha is straight. Pictures are turned upright.
struct DPXReader {
  private let bytes: [UInt8]
  private let name: String
  private let limits: PictureLimits
  private let isLittle: Bool

  static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "SDPX".utf8) || bytes.starts(with: "XPDS".utf8) }

  init(_ bytes: [UInt8], name: String, limits: PictureLimits) {
    self.bytes = bytes
    self.name = name
    self.limits = limits
    isLittle = bytes.starts(with: "XPDS".utf8)
  }

  func read() throws(RenderError) -> PictureReading {
    let header = try header()
    let size = try limits.check(width: header.width, height: header.height, fileSize: bytes.count, name: name)
    let rows = try rows(header)
    let format: PixelFormat = header.bits == 8 ? .rgba8 : .rgba16
    var pixels = [UInt8](repeating: 255, count: size.pixelCount * format.bytesPerPixel)
    unsafe pixels.withUnsafeMutableBytes { pixels in
      unsafe bytes.withUnsafeBytes { file in
        let samples = Samples(header, isLittle: isLittle)
        for (index, row) in rows.enumerated() {
          let out = unsafe UnsafeMutableRawBufferPointer(rebasing: pixels[(index * size.width * format.bytesPerPixel)...])
          unsafe samples.put(UnsafeRawBufferPointer(rebasing: file[row..<row + header.rowSize]), width: size.width, into: out)
        }
      }
    }
    let stored = PixelBuffer(size: size, format: format, alpha: header.layout.hasAlpha ? .straight : .opaque, bytes: pixels)
    let orientation = Self.orientation(header.orientation)
    var facts = PictureFacts(format: "DPX", bits: header.bits, channels: header.layout.words, orientation: orientation.rawValue)
    facts.storage = [isLittle ? "little-endian" : "big-endian"]
    if header.bits == 10 || header.bits == 12 {
      facts.storage.append(["packed", "filled by method A", "filled by method B"][header.packing])
    }
    facts.color = "transfer \(Self.transfers[header.transfer] ?? "number \(header.transfer)")"
    return PictureReading(picture: orientation.upright(stored), facts: facts)
  }

  // MARK: the header

  /// The channels of a pixel in the order of the file.
  private struct Layout {
    let words: String
    /// Where each sample of a pixel goes, by channel; luma goes into three.
    let targets: [[Int]]
    var hasAlpha: Bool { targets.contains([3]) }

    init?(descriptor: Int) {
      switch descriptor {
      case 6: (words, targets) = ("luma", [[0, 1, 2]])
      case 50: (words, targets) = ("RGB", [[0], [1], [2]])
      case 51: (words, targets) = ("RGBA", [[0], [1], [2], [3]])
      case 52: (words, targets) = ("ABGR", [[3], [2], [1], [0]])
      default: return nil
      }
    }
  }

  private struct Header {
    var width = 0
    var height = 0
    var orientation = 0
    var layout: Layout
    var transfer = 0
    var bits = 0
    /// 0: packed, 1: filled by method A, 2: filled by method B.
    var packing = 0
    var offset = 0
    /// Bytes behind each row; nil where the file does not say it.
    var padding: Int?

    /// Bytes of a row without what is behind it.
    var rowSize: Int {
      let samples = width * layout.targets.count
      switch (bits, packing) {
      case (8, _): return samples
      case (16, _), (12, 1...): return samples * 2
      case (10, 1...): return (samples + 2) / 3 * 4
      default: return (samples * bits + 31) / 32 * 4
      }
    }
  }

  private func header() throws(RenderError) -> Header {
    guard bytes.count >= 1664 else { throw damaged("its header ends too early") }
    let elements = short(770)
    guard elements == 1 else { throw unsupported("it has \(elements) image elements, and one is read") }
    guard number(780) == 0 else { throw unsupported("its samples have a sign") }
    let descriptor = Int(bytes[800])
    guard let layout = Layout(descriptor: descriptor) else {
      throw unsupported(
        "its pixels are \(Self.descriptors[descriptor] ?? "of the unknown kind \(descriptor)"), and RGB, RGBA, ABGR and luma are read")
    }
    var header = Header(layout: layout)
    (header.width, header.height) = (number(772), number(776))
    header.orientation = short(768)
    header.transfer = Int(bytes[801])
    header.bits = Int(bytes[803])
    guard [8, 10, 12, 16].contains(header.bits) else {
      throw unsupported("its samples have \(header.bits) bits, and 8, 10, 12 and 16 are read")
    }
    header.packing = short(804)
    guard (0...2).contains(header.packing) else { throw unsupported("its samples are packed in the unknown way \(header.packing)") }
    guard short(806) == 0 else { throw unsupported("it is packed as run lengths") }
    header.offset = Self.said(number(808)) ?? number(4)
    guard (1664...bytes.count).contains(header.offset) else { throw damaged("its pixels begin at byte \(header.offset)") }
    header.padding = Self.said(number(812))
    return header
  }

  /// Where each row begins.
  ///
  /// Rows end where a word of 32 bits does. Files of 8 and 16 bits exist in which they do not, and they are told by their size, or by saying their padding.
  private func rows(_ header: Header) throws(RenderError) -> [Int] {
    let plain = header.rowSize, whole = (plain + 3) / 4 * 4
    let room = bytes.count - header.offset
    let fits = whole <= room / header.height || plain > room / header.height
    let stride = header.padding.map { $0 > 0 ? plain + $0 : fits ? whole : plain } ?? (fits ? whole : plain)
    // The padding of the last row may be missing.
    guard stride.multipliedReportingOverflow(by: header.height).overflow == false, stride * (header.height - 1) + plain <= room else {
      throw damaged(
        "the file ends too early: \(header.width)x\(header.height) pixels need \(stride * header.height) bytes, and \(room) are there")
    }
    return (0..<header.height).map { header.offset + $0 * stride }
  }

  private func short(_ place: Int) -> Int {
    let (first, second) = (Int(bytes[place]), Int(bytes[place + 1]))
    return isLittle ? second << 8 | first : first << 8 | second
  }

  private func number(_ place: Int) -> Int {
    isLittle ? short(place + 2) << 16 | short(place) : short(place) << 16 | short(place + 2)
  }

  /// A number of the header; nil for the one that stands for nothing.
  private static func said(_ number: Int) -> Int? { number == 0xFFFF_FFFF ? nil : number }

  /// Where the first row and column belong: the numbers of DPX count the directions of lines and of pixels, those of Exif corners.
  private static func orientation(_ number: Int) -> Orientation {
    let directions: [Orientation] = [
      .upright, .mirrored, .flipped, .upsideDown, .transposed, .quarterRight, .quarterLeft, .transversed,
    ]
    return directions.indices.contains(number) ? directions[number] : .upright
  }

  private static let descriptors = [
    0: "user-defined", 1: "red alone", 2: "green alone", 3: "blue alone", 4: "alpha alone", 7: "color differences", 8: "depth",
    100: "CbYCrY", 101: "CbYaCrYa", 102: "CbYCr", 103: "CbYCrA", 9: "composite video",
  ]

  private static let transfers = [
    0: "user-defined", 1: "printing density (logarithmic)", 2: "linear", 3: "logarithmic", 4: "unspecified video", 5: "SMPTE 274M",
    6: "ITU-R 709", 7: "ITU-R 601 (625 lines)", 8: "ITU-R 601 (525 lines)", 9: "NTSC composite", 10: "PAL composite", 11: "Z linear",
    12: "Z homogeneous", 13: "ADX", 255: "not said",
  ]

  private func damaged(_ reason: String) -> RenderError {
    RenderError(
      .invalidInput, "'\(name)' is a damaged DPX file", underlying: reason, help: ["copy or render the picture again"])
  }

  private func unsupported(_ reason: String) -> RenderError {
    RenderError(
      .invalidInput, "cannot read the DPX file '\(name)'", underlying: reason,
      help: ["convert it: ffmpeg -i \(ShellWord.quoted(name)) -pix_fmt rgb48be picture.png"])
  }

  // MARK: samples

  /// Takes the samples of a row apart.
  @safe private struct Samples {
    private let header: Header
    private let isLittle: Bool
    private let largest: UInt32

    init(_ header: Header, isLittle: Bool) {
      self.header = header
      self.isLittle = isLittle
      largest = 1 << UInt32(header.bits) - 1
    }

    /// Writes a row of pixels of 8 or 16 bits a channel; alpha that is not in the file stays as it is.
    func put(_ row: UnsafeRawBufferPointer, width: Int, into out: UnsafeMutableRawBufferPointer) {
      let targets = header.layout.targets
      var sample = 0
      for pixel in 0..<width {
        for channels in targets {
          let value = unsafe value(sample, of: row)
          for channel in channels {
            if header.bits == 8 {
              unsafe out[4 * pixel + channel] = UInt8(value)
            } else {
              let scaled = UInt16((value * 65535 + largest / 2) / largest)
              unsafe out.storeBytes(of: scaled.littleEndian, toByteOffset: 8 * pixel + 2 * channel, as: UInt16.self)
            }
          }
          sample += 1
        }
      }
    }

    private func value(_ index: Int, of row: UnsafeRawBufferPointer) -> UInt32 {
      switch (header.bits, header.packing) {
      case (8, _): return unsafe UInt32(row[index])
      case (16, _): return unsafe UInt32(short(row, 2 * index))
      case (12, 1): return unsafe UInt32(short(row, 2 * index) >> 4)
      case (12, 2): return unsafe UInt32(short(row, 2 * index) & 0xFFF)
      case (10, 1...):
        // Three samples in a word: the first of a color is at its top, the first of luma at its bottom.
        let place = header.layout.targets.count == 1 ? index % 3 : 2 - index % 3
        return unsafe word(row, index / 3 * 4) >> UInt32(10 * place + (header.packing == 1 ? 2 : 0)) & 0x3FF
      default:
        // One behind the other, from the lowest bit of a word up.
        let bit = index * header.bits
        let low = unsafe UInt64(word(row, bit / 32 * 4))
        let high = unsafe bit % 32 + header.bits > 32 ? UInt64(word(row, bit / 32 * 4 + 4)) : 0
        return UInt32(truncatingIfNeeded: (high << 32 | low) >> UInt64(bit % 32)) & largest
      }
    }

    private func short(_ row: UnsafeRawBufferPointer, _ place: Int) -> UInt16 {
      let value = unsafe row.loadUnaligned(fromByteOffset: place, as: UInt16.self)
      return isLittle ? UInt16(littleEndian: value) : UInt16(bigEndian: value)
    }

    private func word(_ row: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
      let value = unsafe row.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      return isLittle ? UInt32(littleEndian: value) : UInt32(bigEndian: value)
    }
  }
}
