import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Testing

@Suite struct EXRTests {
  private let reader = EXRReader()

  /// The numbers that OpenEXR's own library wrote, as it was given them.
  @Test(arguments: ["float-none", "float-rle", "float-zips", "float-zip", "half-zip"])
  func readsWhatTheLibraryWrote(name: String) throws {
    let picture = try reader.read(fixture("exr/\(name).exr"), name: name)
    #expect(picture.size == Size(7, 19))
    #expect(picture.format == .rgba32f)
    #expect(picture.alpha == .premultiplied)
    #expect(try picture.bytes == fixture(name == "half-zip" ? "exr/numbers.half.f32" : "exr/numbers.f32"))
  }

  @Test func readsGray() throws {
    let picture = try reader.read(fixture("exr/gray.exr"), name: "gray")
    let green = try reader.read(fixture("exr/half-zip.exr"), name: "half").numbers
    #expect(picture.alpha == .opaque)
    let grays = stride(from: 1, to: green.count, by: 4).map { green[$0] }
    let expected = grays.flatMap { gray -> [Float] in [gray, gray, gray, 1] }
    #expect(picture.numbers == expected)
  }

  /// The file has columns 2 to 8 and rows -1 to 17, and shows columns and rows 0 to 9.
  @Test func cutsToWhatIsShown() throws {
    let picture = try reader.read(fixture("exr/window.exr"), name: "window")
    let whole = try reader.read(fixture("exr/float-zip.exr"), name: "whole").numbers
    #expect(picture.size == Size(10, 10))
    let (outside, inside, same) = (picture.numbers[0..<4], picture.numbers[128..<131], whole[112..<115])
    #expect(Array(outside) == [0, 0, 0, 0])
    #expect(Array(inside) == Array(same))
    #expect(picture.numbers[131] == 1)
  }

  @Test(arguments: [
    ("piz", "it is packed with PIZ, and NONE, RLE, ZIPS, ZIP are read"),
    ("tiles", "it has tiles, and rows of one picture are read"),
    ("layers", "it has no channel R, G, B or Y: it has depth.Z, diffuse.R"),
  ])
  func refusesByName(name: String, reason: String) throws {
    let bytes = try fixture("exr/\(name).exr")
    let error = #expect(throws: RenderError.self) { try reader.read(bytes, name: "a.exr") }
    #expect(error?.message == "cannot read the OpenEXR picture 'a.exr'")
    #expect(error?.underlying == reason)
    #expect(error?.help.first?.contains("oiiotool") == true)
  }

  @Test func writesWhatItReads() throws {
    let picture = try reader.read(fixture("exr/float-zip.exr"), name: "a")
    let sink = MemorySink()
    try EXRWriter().write(picture, text: [TextChunk("Software", "Etalon 1"), TextChunk("etalon:frame", "12")], to: sink)
    #expect(try reader.read(sink.bytes, name: "b") == picture)
  }

  /// Numbers that packing would make larger are stored as they are.
  @Test func writesNoise() throws {
    let picture = TestPicture.noise(Size(5, 40), .rgba32f, isOpaque: false)
    let sink = MemorySink()
    try EXRWriter().write(picture, to: sink)
    #expect(try reader.read(sink.bytes, name: "noise") == picture)
  }

  @Test(arguments: ["float-none", "float-rle", "float-zip", "half-zip", "window", "gray"])
  func survivesDamage(name: String) throws {
    let bytes = try fixture("exr/\(name).exr")
    for length in stride(from: 0, to: bytes.count - 1, by: 7) {
      #expect(throws: RenderError.self) { try reader.read(Array(bytes[..<length]), name: "cut") }
    }
    var generator = TestGenerator(seed: 1)
    let small = EXRReader(limits: PictureLimits(side: 4096, pixels: 1 << 16))
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<3 { damaged[.random(in: 0..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator) }
      do throws(RenderError) { #expect(try small.read(damaged, name: "damaged").size.pixelCount <= 1 << 16) } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }
}

extension PixelBuffer {
  fileprivate var numbers: [Float] {
    unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }
}
