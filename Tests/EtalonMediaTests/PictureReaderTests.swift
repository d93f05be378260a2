import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@Suite struct PictureReaderTests {
  private let reader = PictureReader()

  @Test(arguments: ["palette", "palette-transparent", "gray", "gray-1bit", "gray-alpha", "rgba"])
  func agreesWithAnotherDecoder(name: String) throws {
    let picture = try reader.read(fixture(name + ".png"), name: name)
    #expect(picture.size == Size(96, 64))
    #expect(picture.format == .rgba8)
    #expect(picture.alpha == (["palette-transparent", "gray-alpha", "rgba"].contains(name) ? .straight : .opaque))
    #expect(try picture.bytes == fixture(name + ".rgba"))
  }

  @Test(arguments: ["rgba-16bit.png", "rgba-16bit-interlaced.png"]) func reads16Bits(name: String) throws {
    let picture = try reader.read(fixture(name), name: name)
    var expected: [UInt8] = []
    for y in 0..<7 {
      for x in 0..<9 {
        for sample in [x * 7000 + y, y * 9000 + x, (x ^ y) * 4096 + 5, 65535 - x * 100] {
          expected += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
      }
    }
    #expect(picture == PixelBuffer(size: Size(9, 7), format: .rgba16, alpha: .straight, bytes: expected))
  }

  /// Chunks may cut the packed pixels anywhere, and the pixels have two checksums: that of each chunk, and one of their own.
  @Test func readsPixelsInSeveralChunks() throws {
    let whole = try fixture("rgba.png")
    let expected = try reader.read(whole, name: "whole")
    let chunks = PNGChunk.all(in: whole)
    let packed = Array(chunks.filter { $0.type == "IDAT" }.map(\.data).joined())
    func file(_ parts: [ArraySlice<UInt8>], between: [PNGChunk] = []) -> [UInt8] {
      let pixels = parts.map { PNGChunk(type: "IDAT", data: Array($0)) }
      let first = chunks.prefix(while: { $0.type != "IDAT" }), last = chunks.suffix(1)
      return PNGChunk.file([Array(first), Array(pixels.prefix(1)), between, Array(pixels.dropFirst()), Array(last)].flatMap { $0 })
    }
    let parts = [packed[..<1], packed[1..<1], packed[1..<packed.count / 2], packed[(packed.count / 2)...]]
    #expect(try reader.read(file(parts), name: "parts") == expected)
    #expect(try reader.read(file([packed[...] + [1, 2, 3]]), name: "more") == expected)
    #expect(throws: RenderError.self) { try reader.read(file(parts, between: [PNGChunk(type: "tEXt", data: [65, 0])]), name: "torn") }
    #expect(throws: RenderError.self) { try reader.read(file([packed.dropLast(9)]), name: "short") }
    #expect(throws: RenderError.self) { try reader.read(file([packed.dropLast() + [packed[packed.count - 1] ^ 1]]), name: "checksum") }
    var bytes = file([packed[...]])
    bytes[bytes.count - 13] ^= 1
    #expect(throws: RenderError.self) { try reader.read(bytes, name: "CRC") }
    var palette = try fixture("palette.png")
    let place = try #require(palette.indices.first { palette[$0...].starts(with: Array("PLTE".utf8)) })
    palette[place + 5] ^= 1
    #expect(throws: RenderError.self) { try reader.read(palette, name: "CRC of the palette") }
  }

  /// Rows with their filters that fill blocks of 65,535 bytes exactly, and such as do not.
  @Test(arguments: [Size(64, 255), Size(64, 510), Size(64, 511), Size(300, 250), Size(1, 1)])
  func readsPixelsOfManyBlocks(size: Size) throws {
    let picture = TestPicture.noise(size, .rgba8, isOpaque: false)
    #expect(try reader.read(TestPicture.encoded(picture), name: "blocks") == picture)
  }

  @Test(arguments: 1...8) func turnsPhotosUpright(orientation: Int) throws {
    let picture = try reader.read(fixture("orientation-\(orientation).jpg"), name: "photo")
    #expect(picture.size == Size(32, 16))
    let blocks = (0..<8).map { block in
      let start = ((block / 4 * 8 + 4) * 32 + block % 4 * 8 + 4) * 4
      return picture.bytes[start..<start + 3].map { $0 > 127 ? 1 : 0 }
    }
    #expect(blocks == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1]])
  }

  @Test func readsGrayAndProgressiveJPEG() throws {
    let gray = try reader.read(fixture("chelsea-gray.jpg"), name: "gray")
    let pixels = stride(from: 0, to: gray.bytes.count, by: 4).map { Array(gray.bytes[$0..<$0 + 4]) }
    #expect(pixels.allSatisfy { $0[0] == $0[2] && $0[3] == 255 })
    let progressive = try reader.read(fixture("chelsea-progressive.jpg"), name: "p").bytes
    let baseline = try reader.read(fixture("chelsea.jpg"), name: "b").bytes
    #expect(progressive == baseline)
  }

  @Test func refusesCMYK() throws {
    let bytes = try fixture("chelsea-cmyk.jpg")
    let error = #expect(throws: RenderError.self) { try reader.read(bytes, name: "press.jpg") }
    #expect(error?.message == "'press.jpg' is a JPEG file with 4 components (CMYK), not gray or RGB")
  }

  @Test(arguments: [
    (Array("GIF89a".utf8), "it is a GIF picture"),
    (Array("version https://git-lfs.github.com/spec/v1\n".utf8), "it is a Git LFS pointer, not the picture itself"),
    (Array("void mainImage(out vec4 c)".utf8), "it is text that starts with 'void mainImage(out vec4 '"),
    ([1, 2, 0xFF, 0], "it starts with the bytes 01 02 ff 00"),
  ]) func saysWhatElseItIs(bytes: [UInt8], reason: String) {
    let error = #expect(throws: RenderError.self) { try reader.read(bytes, name: "a.png") }
    #expect(error?.code == .invalidInput)
    #expect(error?.message == "'a.png' is not a picture that is read")
    #expect(error?.underlying == reason)
  }

  @Test func emptyFilesAreCalledEmpty() {
    let error = #expect(throws: RenderError.self) { try reader.read([], name: "a.png") }
    #expect(error?.message == "'a.png' is an empty file")
  }

  @Test func namesTheFileThatWasPerhapsMeant() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-near-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["aurora.glsl", "auroa.png"] { try Data("x".utf8).write(to: folder.appending(path: name)) }
    func help(_ name: String) -> [String]? {
      #expect(throws: RenderError.self) { try FileReader.bytes(of: "\(folder.path)/\(name)", limit: 10) }?.help
    }
    #expect(help("auroa.glsl") == ["did you mean '\(folder.path)/aurora.glsl'?"])
    #expect(help("rain.glsl") == [] && help("auroa.jpg") == [])
  }

  @Test func saysThatAFileIsMissing() {
    let error = #expect(throws: RenderError.self) { try reader.read(path: "/nowhere/a.png") }
    #expect(error?.text == "error: cannot read '/nowhere/a.png': No such file or directory (open)\n")
    #expect(error?.code == .missingInput)
    #expect(throws: RenderError.self) { try reader.read(path: "/tmp") }
  }

  @Test(arguments: ["rgba.png", "palette.png", "rgba-16bit-interlaced.png", "chelsea.jpg", "chelsea-progressive.jpg"])
  func refusesEveryTruncation(name: String) throws {
    let bytes = try fixture(name)
    for count in stride(from: 3, to: bytes.count, by: 7).map({ $0 }) + [bytes.count - 1] {
      let error = #expect(throws: RenderError.self, "\(count) bytes") { try reader.read(Array(bytes.prefix(count)), name: name) }
      #expect(error?.code == .invalidInput)
    }
  }

  @Test func limitsSizes() throws {
    var header = try fixture("rgba.png")
    header.replaceSubrange(16..<20, with: [0, 0, 0x9C, 0x40])
    let crc = crc32(header[12..<29])
    header.replaceSubrange(29..<33, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) })
    let error = #expect(throws: RenderError.self) { try reader.read(header, name: "wide.png") }
    #expect(error?.message == "'wide.png' is too large: 40000x64, a side may have 32768 pixels")
    let small = PictureReader(limits: PictureLimits(pixels: 100))
    #expect(throws: RenderError.self) { try small.read(fixture("rgba.png"), name: "a") }
    let tiny = PictureReader(limits: PictureLimits(fileSize: 100))
    #expect(throws: RenderError.self) { try tiny.read(path: "/proc/self/exe") }
  }

  /// The CRC of PNG chunks, bit by bit as its specification defines it.
  private func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = crc & 1 == 1
        crc >>= 1
        if isOdd { crc ^= 0xEDB8_8320 }
      }
    }
    return ~crc
  }

  @Test(arguments: ["rgba.png", "palette-transparent.png", "rgba-16bit-interlaced.png", "chelsea.jpg", "chelsea-progressive.jpg"])
  func survivesMutations(name: String) throws {
    let original = try fixture(name)
    var generator = TestGenerator(seed: UInt64(original.count))
    var refused = 0
    for _ in 0..<400 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.removeSubrange(place..<min(bytes.count - 1, place + 5))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 9)], at: place)
        }
      }
      do {
        let picture = try PictureReader(limits: PictureLimits(pixels: 1 << 20)).read(bytes, name: name)
        #expect(picture.bytes.count == picture.size.pixelCount * picture.format.bytesPerPixel)
      } catch {
        #expect(error.code == .invalidInput)
        refused += 1
      }
    }
    #expect(refused > 50)
  }

  @Test func aNamedPipeThatNothingWritesIntoIsRefused() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "etalon-pipe-\(UUID().uuidString).png").path
    #expect(unsafe mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: RenderError.self) { try reader.read(path: path) }
    #expect(error?.code == .missingInput && error?.underlying == "it is a named pipe that nothing writes into")
    #expect(FileReader.start(of: path, count: 8).isEmpty)
  }

  @Test func pipesThatAreWrittenToAreRead() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "etalon-pipe-\(UUID().uuidString).png").path
    #expect(unsafe mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = try fixture("rgba.png")
    let writer = Thread { try? Data(bytes).write(to: URL(filePath: path), options: []) }
    writer.start()
    #expect(try FileReader.bytes(of: path, limit: 1 << 20) == bytes)
    // The pipe of another command, which has ended.
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(bytes.prefix(1000)))
    try pipe.fileHandleForWriting.close()
    let name = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(try FileReader.bytes(of: name, limit: 1 << 20) == Array(bytes.prefix(1000)))
    #expect(try FileReader.bytes(of: name, limit: 1 << 20).isEmpty)
    #expect(try FileReader.bytes(of: "/dev/null", limit: 1 << 20).isEmpty)
  }
}
