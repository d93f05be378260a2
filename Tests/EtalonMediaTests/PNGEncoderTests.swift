import EtalonMedia
import EtalonTypes
import Testing

@Suite struct PNGEncoderTests {
  static let settings: [PNGSettings] = [CompressionPreset.fast, .small].flatMap { preset in
    [PNGSettings.Filter.adaptive, .sub, .up].flatMap { filter in
      DeflateLibrary.allCases.filter(\.isAvailable).map { PNGSettings(preset, filter: filter, library: $0) }
    }
  }

  @Test(arguments: settings, [PixelFormat.rgba8, .rgba16])
  func comesBackUnchanged(settings: PNGSettings, format: PixelFormat) throws {
    for isOpaque in [true, false] {
      for size in [Size(1, 1), Size(2, 3), Size(5, 1), Size(64, 64), Size(333, 37)] {
        let picture = TestPicture.noise(size, format, isOpaque: isOpaque)
        let read = try PictureReader().read(TestPicture.encoded(picture, settings), name: "memory")
        #expect(read == picture, "\(size) opaque: \(isOpaque)")
      }
    }
  }

  @Test(arguments: [1, 2, 7, 64, 100]) func bandsDoNotMatter(rowsInBand: Int) throws {
    for filter in [PNGSettings.Filter.adaptive, .sub, .up] {
      let picture = TestPicture.noise(Size(1500, 100), .rgba8, isOpaque: false)
      let whole = try TestPicture.encoded(picture, PNGSettings(filter: filter))
      #expect(try TestPicture.encoded(BandedPicture(picture: picture, rowsInBand: rowsInBand), PNGSettings(filter: filter)) == whole)
    }
  }

  @Test func oneTransparentPixelKeepsAlpha() throws {
    var bytes = [UInt8](repeating: 255, count: 300 * 20 * 4)
    let size = Size(300, 20)
    let opaque = PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)
    #expect(try PictureReader().read(TestPicture.encoded(opaque), name: "memory").alpha == .opaque)
    bytes[bytes.count - 1] = 254
    let straight = PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)
    #expect(try PictureReader().read(TestPicture.encoded(straight), name: "memory") == straight)
  }

  @Test func alphaOfOpaqueOutputIsIgnored() throws {
    let picture = PixelBuffer(size: Size(2, 1), format: .rgba8, alpha: .opaque, bytes: [1, 2, 3, 0, 4, 5, 6, 99])
    #expect(try PictureReader().read(TestPicture.encoded(picture), name: "memory").bytes == [1, 2, 3, 255, 4, 5, 6, 255])
  }

  @Test func anEncoderIsReusable() throws {
    let encoder = PNGEncoder(PNGSettings(.fast))
    for side in [300, 3, 128] {
      let picture = TestPicture.noise(Size(side, side), .rgba8, isOpaque: true)
      let sink = MemorySink()
      try encoder.encode(picture, to: sink)
      #expect(try sink.bytes == TestPicture.encoded(picture))
    }
  }

  /// ISA-L takes bits of its stream's address for input: of these pictures, two rows that are the same, an encoder anywhere changes about one in 500.
  @Test func bytesDoNotDependOnWhereAnEncoderLies() throws {
    let encoders = (0..<16).map { _ in PNGEncoder(PNGSettings(filter: .sub)) }
    for seed in 1...500 as ClosedRange<UInt64> {
      let row = TestPicture.noise(Size(16, 1), .rgba8, isOpaque: true, seed: seed).bytes
      let picture = PixelBuffer(size: Size(16, 2), format: .rgba8, alpha: .opaque, bytes: row + row)
      let files = try encoders.map { encoder in
        let sink = MemorySink()
        try encoder.encode(picture, to: sink)
        return sink.bytes
      }
      #expect(Set(files).count == 1, "seed \(seed)")
    }
  }

  @Test func startsWithTheHeaderAndTheColorSpace() throws {
    let picture = TestPicture.noise(Size(259, 2), .rgba16, isOpaque: false)
    let bytes = try TestPicture.encoded(picture, text: [TextChunk("Software", "x")])
    let header: [UInt8] = [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 3, 0, 0, 0, 2, 16, 6, 0, 0, 0]
    let color: [UInt8] = [0, 0, 0, 1] + Array("sRGB".utf8) + [0, 0xAE, 0xCE, 0x1C, 0xE9]
    let text: [UInt8] = [0, 0, 0, 10] + Array("tEXtSoftware".utf8) + [0] + Array("x".utf8)
    #expect(Array(bytes[8..<29]) == header)
    #expect(Array(bytes[33..<46]) == color)
    #expect(Array(bytes[46..<64]) == text)
  }
}
