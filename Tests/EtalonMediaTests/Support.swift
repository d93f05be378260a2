import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// The bytes of a file in the folder `Fixtures`.
func fixture(_ name: String) throws -> [UInt8] {
  let url = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)).appendingPathComponent(name)
  return Array(try Data(contentsOf: url))
}

/// A folder that is gone when the test is over.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "etalon-media-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: file(name))) }
}

/// Numbers that look random and are the same in every run.
struct TestGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

enum TestPicture {
  /// Bytes without pattern, opaque or not.
  static func noise(_ size: Size, _ format: PixelFormat, isOpaque: Bool, seed: UInt64 = 1) -> PixelBuffer {
    var generator = TestGenerator(seed: seed)
    var bytes = (0..<size.pixelCount * format.bytesPerPixel).map { _ in UInt8.random(in: 0...255, using: &generator) }
    if isOpaque {
      for pixel in stride(from: 0, to: bytes.count, by: format.bytesPerPixel) {
        for byte in (pixel + 3 * format.bytesPerChannel)..<(pixel + format.bytesPerPixel) { bytes[byte] = 255 }
      }
    }
    return PixelBuffer(size: size, format: format, alpha: isOpaque ? .opaque : .straight, bytes: bytes)
  }

  static func encoded(_ picture: some RowSource, _ settings: PNGSettings = PNGSettings(), text: [TextChunk] = []) throws -> [UInt8] {
    let sink = MemorySink()
    try PNGEncoder(settings).encode(picture, text: text, to: sink)
    return sink.bytes
  }

  static func provenance(frame: Int, recipe: String = "abc") -> FrameProvenance {
    FrameProvenance(
      recipe: recipe, filter: "plasma", values: ["SPEED": "2", "TINT": "äöü"], frame: frame, time: Rational(frame, 24), rate: .sixty,
      version: "0.1.0")
  }
}

/// A picture that is handed out in bands of a few rows.
struct BandedPicture: RowSource {
  let picture: PixelBuffer
  let rowsInBand: Int
  var size: Size { picture.size }
  var format: PixelFormat { picture.format }
  var alpha: AlphaMode { picture.alpha }

  func withBands<Failure: Error>(_ body: (Int, Int, RawSpan) throws(Failure) -> Void) throws(Failure) {
    for first in stride(from: 0, to: size.height, by: rowsInBand) {
      let count = min(rowsInBand, size.height - first)
      let rows = Array(picture.bytes[(first * picture.bytesPerRow)..<((first + count) * picture.bytesPerRow)])
      unsafe try body(first, count, rows.span.bytes)
    }
  }
}

/// A chunk of a PNG file.
struct PNGChunk {
  let type: String
  let data: [UInt8]

  /// The chunks of a file that is whole.
  static func all(in file: [UInt8]) -> [PNGChunk] {
    var chunks: [PNGChunk] = []
    var place = 8
    while place < file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let data = Array(file[place + 8..<place + 8 + length])
      chunks.append(PNGChunk(type: String(decoding: file[place + 4..<place + 8], as: UTF8.self), data: data))
      place += length + 12
    }
    return chunks
  }

  /// A file of some chunks, each with its CRC.
  static func file(_ chunks: [PNGChunk]) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) } }
    var file: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
    for chunk in chunks {
      let body = Array(chunk.type.utf8) + chunk.data
      file += number(UInt32(chunk.data.count))
      file += body
      file += number(crc(body))
    }
    return file
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
    }
    return ~sum
  }
}
