import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Testing

@Suite struct TIFFTests {
  private func encoded(_ picture: some RowSource, _ settings: PNGSettings = PNGSettings(), text: [TextChunk] = []) throws -> [UInt8] {
    let sink = MemorySink()
    try TIFFEncoder(settings).encode(picture, text: text, to: sink)
    return sink.bytes
  }

  @Test(arguments: [PixelFormat.rgba8, .rgba16], [true, false]) func comesBackUnchanged(format: PixelFormat, isOpaque: Bool) throws {
    for size in [Size(1, 1), Size(2, 3), Size(64, 64), Size(700, 333)] {
      let picture = TestPicture.noise(size, format, isOpaque: isOpaque)
      let reading = try PictureReader().reading(encoded(picture), name: "memory")
      #expect(reading.picture == picture, "\(size)")
      #expect(reading.facts.bits == 8 * format.bytesPerChannel && reading.facts.pages == 1)
    }
  }

  /// Alpha is said to be what it is.
  @Test(arguments: [AlphaMode.straight, .premultiplied]) func alphaKeepsItsMeaning(alpha: AlphaMode) throws {
    let noise = TestPicture.noise(Size(20, 10), .rgba8, isOpaque: false)
    let picture = PixelBuffer(size: noise.size, format: .rgba8, alpha: alpha, bytes: noise.bytes)
    #expect(try PictureReader().reading(encoded(picture), name: "memory").picture.alpha == alpha)
  }

  @Test(arguments: [1, 7, 100]) func bandsDoNotMatter(rowsInBand: Int) throws {
    let picture = TestPicture.noise(Size(1500, 100), .rgba8, isOpaque: false)
    #expect(try encoded(BandedPicture(picture: picture, rowsInBand: rowsInBand)) == encoded(picture))
  }

  @Test func textsComeBackAndTellWhatIsWhole() throws {
    let folder = try TemporaryFolder()
    let texts = [TextChunk("Software", "Etalon 1.0 (test)"), TextChunk("etalon:recipe", "abc"), TextChunk("etalon:values", "a\\b\nc=ü")]
    let bytes = try encoded(TestPicture.noise(Size(40, 30), .rgba16, isOpaque: false), text: texts)
    try folder.write(bytes, to: "whole.tif")
    let outline = try #require(try FrameOutline(path: folder.file("whole.tif")))
    #expect(outline.texts == texts)
    #expect(outline.size == Size(40, 30) && outline.bits == 16 && outline.isComplete)
    let check = ResumeCheck(size: Size(40, 30), bits: 16)
    #expect(check.state(of: folder.file("whole.tif"), recipe: "abc") == .complete)
    #expect(check.state(of: folder.file("whole.tif"), recipe: "other") == .stale)
    try folder.write(Array(bytes.dropLast(10)), to: "cut.tif")
    #expect(check.state(of: folder.file("cut.tif"), recipe: "abc") == .stale)
  }

  @Test func cutFilesAreRefused() throws {
    let bytes = try encoded(TestPicture.noise(Size(60, 50), .rgba8, isOpaque: true))
    for tenth in 1..<10 {
      #expect(throws: RenderError.self, "\(tenth) tenths") {
        try PictureReader().read(Array(bytes.prefix(bytes.count * tenth / 10)), name: "cut.tif")
      }
    }
  }

  @Test func absurdSizesAreRefusedBeforeTheyTakeMemory() throws {
    var bytes = try encoded(TestPicture.noise(Size(4, 4), .rgba8, isOpaque: true))
    // The values of width and height in the first two entries of the directory.
    for place in [18, 30] { bytes.replaceSubrange(place..<place + 4, with: [0, 0x20, 0, 0]) }
    let error = #expect(throws: RenderError.self) { try PictureReader().read(bytes, name: "large.tif") }
    // As versions of libtiff have it.
    #expect(["the file ends too early", "it has no directory"].contains(error?.underlying))
    for place in [18, 30] { bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0x40]) }
    let damaged = #expect(throws: RenderError.self) { try PictureReader().read(bytes, name: "large.tif") }
    #expect(damaged?.message == "'large.tif' is a damaged TIFF file")
  }
}

@Suite struct DPXTests {
  /// A file of one row with some samples, ten bits by a method of filling.
  private func file(samples: [UInt32], packing: UInt8, isLittle: Bool) -> [UInt8] {
    func number(_ value: UInt32, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
      return isLittle ? bytes : bytes.reversed()
    }
    var header = [UInt8](repeating: 0, count: 2048)
    func set(_ place: Int, _ bytes: [UInt8]) { header.replaceSubrange(place..<place + bytes.count, with: bytes) }
    set(0, Array((isLittle ? "XPDS" : "SDPX").utf8))
    set(4, number(2048, 4))
    set(770, number(1, 2))
    set(772, number(UInt32(samples.count / 3), 4))
    set(776, number(1, 4))
    set(800, [50, 1, 0, 10])
    set(804, number(UInt32(packing), 2))
    set(808, number(2048, 4))
    let shift: UInt32 = packing == 1 ? 2 : 0
    let words = stride(from: 0, to: samples.count, by: 3).map {
      (samples[$0] << 20 | samples[$0 + 1] << 10 | samples[$0 + 2]) << shift
    }
    return header + words.flatMap { number($0, 4) }
  }

  @Test(arguments: [UInt8(1), 2], [true, false]) func tenBitsFilled(packing: UInt8, isLittle: Bool) throws {
    let reading = try PictureReader().reading(file(samples: [0, 512, 1023, 1, 2, 3], packing: packing, isLittle: isLittle), name: "a.dpx")
    let values = stride(from: 0, to: 16, by: 2).map { Int(reading.picture.bytes[$0]) | Int(reading.picture.bytes[$0 + 1]) << 8 }
    #expect(values == [0, 32800, 65535, 65535, 64, 128, 192, 65535])
    #expect(reading.picture.alpha == .opaque)
    #expect(reading.facts.color == "transfer printing density (logarithmic)")
  }

  @Test func cutFilesAreRefused() throws {
    let bytes = file(samples: [0, 512, 1023, 1, 2, 3], packing: 1, isLittle: false)
    for count in [4, 800, 2047, 2048, bytes.count - 1] {
      #expect(throws: RenderError.self, "\(count) bytes") { try PictureReader().read(Array(bytes.prefix(count)), name: "cut.dpx") }
    }
  }
}
