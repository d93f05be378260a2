import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Testing

/// Small files that ask for much memory: they are refused before any of it is taken.
@Suite struct PictureLimitTests {
  /// A gray PNG of one bit with another size in its header, and as many bytes behind it as its pixels would need at least.
  private func png(_ size: Size, byteCount: Int) throws -> [UInt8] {
    var bytes = try fixture("gray-1bit.png")
    for (offset, side) in [(16, size.width), (20, size.height)] {
      for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: side >> (24 - 8 * place)) }
    }
    let checksum = Self.checksum(bytes[12..<29])
    for place in 0..<4 { bytes[29 + place] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(place))) }
    return bytes + [UInt8](repeating: 0, count: max(0, byteCount - bytes.count))
  }

  /// The CRC of the PNG specification.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
    }
    return ~sum
  }

  /// A file with another number where an attribute of four has its last two, the right and the lower end of a window.
  private func exr(_ window: String, right: Int32, bottom: Int32) throws -> [UInt8] {
    var bytes = try fixture("exr/float-none.exr")
    let name = Array("\(window)\0box2i\0".utf8)
    let start = try #require(bytes.firstRange(of: name)).upperBound + 4 + 8
    for (offset, number) in [(0, right), (4, bottom)] {
      for place in 0..<4 { bytes[start + offset + place] = UInt8(truncatingIfNeeded: number >> (8 * Int32(place))) }
    }
    return bytes
  }

  @Test func aSmallPNGOfManyPixelsIsRefused() throws {
    let bytes = try png(Size(16384, 16384), byteCount: 33000)
    let error = #expect(throws: RenderError.self) { try PictureReader().read(bytes, name: "flat.png") }
    #expect(error?.code == .invalidInput)
    #expect(
      error?.message == "'flat.png' is too large for its 33000 bytes: 16384x16384, a file of this size may have 67108864 pixels")
    #expect(error?.help.first?.contains("scale the picture down first") == true)
  }

  @Test func aSmallEXRWithALargeWindowIsRefused() throws {
    let bytes = try exr("displayWindow", right: 16383, bottom: 16383)
    let error = #expect(throws: RenderError.self) { try EXRReader().read(bytes, name: "window.exr") }
    #expect(error?.message.contains("'window.exr' is too large for its \(bytes.count) bytes: 16384x16384") == true)
  }

  /// The rows that a file says it has must be in it, packed as tightly as can be.
  @Test(arguments: [(32767, 2000), (Int32.max - 1, 3), (3, Int32.max - 1), (-5, 3)] as [(Int32, Int32)])
  func anEXRWithoutItsRowsIsRefused(right: Int32, bottom: Int32) throws {
    let bytes = try exr("dataWindow", right: right, bottom: bottom)
    #expect(throws: RenderError.self) { try EXRReader().read(bytes, name: "rows.exr") }
  }

  @Test(arguments: [("rgba.png", 96 * 64), ("orientation-1.jpg", 32 * 16)]) func manyPixelsNeedBytes(name: String, count: Int) throws {
    let bytes = try fixture(name)
    let few = PictureLimits(plainPixels: 10, pixelsPerByte: 0)
    let enough = PictureLimits(plainPixels: 10, pixelsPerByte: count / bytes.count + 1)
    #expect(throws: RenderError.self) { try PictureReader(limits: few).read(bytes, name: name) }
    #expect(try PictureReader(limits: enough).read(bytes, name: name).size.pixelCount == count)
    #expect(try PictureReader(limits: PictureLimits(plainPixels: count, pixelsPerByte: 0)).read(bytes, name: name).size.pixelCount == count)
  }

  /// A header may say more than there is: only what is there takes memory.
  @Test func aSoundIsAsLongAsItsFile() throws {
    func word(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    let format: [[UInt8]] = [word(1, 2), word(1, 2), word(8000, 4), word(8000, 4), word(1, 2), word(8, 2)]
    var bytes: [UInt8] = Array("RIFF".utf8)
    bytes += word(0x7FFF_FFF0, 4)
    bytes += Array("WAVEfmt ".utf8)
    bytes += word(16, 4)
    bytes += format.joined()
    bytes += Array("data".utf8)
    bytes += word(0x7FFF_FF00, 4)
    bytes += [UInt8](repeating: 200, count: 50)
    #expect(try WAVReader().read(bytes, name: "long.wav").sampleCount == 50)
  }
}
