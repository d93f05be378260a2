import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@Suite struct EXRTests {
  private let reader = EXRReader()

  /// A line of `exr/matrix/expected.txt`: a picture of a file as OpenEXR's own module for Python reads it.
  struct Expected: Sendable, CustomTestStringConvertible {
    let name: String
    let choice: PictureChoice
    let size: String
    let alpha: String
    let hash: String

    var testDescription: String { name + choice.text }

    init(_ line: Substring) {
      let words = line.split(separator: " ").map(String.init)
      func chosen(_ word: String) -> String? { word == "-" ? nil : word }
      name = words[0]
      choice = PictureChoice(part: chosen(words[1]), layer: chosen(words[2]))
      (size, alpha, hash) = (words[3], words[4], words[5])
    }

    static let all: [Expected] = {
      guard let bytes = try? fixture("exr/matrix/expected.txt") else { return [] }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(Expected.init)
    }()
  }

  @Test func thereAreFortyFiles() { #expect(Set(Expected.all.map(\.name)).count >= 40) }

  @Test(arguments: Expected.all) func readsTheBitsOfTheLibrary(expected: Expected) throws {
    let picture = try EXRReader(expected.choice).read(fixture("exr/matrix/\(expected.name).exr"), name: expected.name)
    #expect("\(picture.size)" == expected.size)
    #expect(picture.format == .rgba32f)
    #expect(picture.isLight)
    #expect(picture.alpha.rawValue == expected.alpha)
    #expect(ContentHash(of: picture.bytes).description == expected.hash)
  }

  /// The numbers that OpenEXR's own library wrote, as it was given them.
  @Test(arguments: ["float-none", "float-rle", "float-zips", "float-zip", "half-zip"])
  func readsWhatTheLibraryWrote(name: String) throws {
    let picture = try reader.read(fixture("exr/\(name).exr"), name: name)
    #expect(picture.size == Size(7, 19))
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
    ("layers", PictureChoice(), "it has no channel R, G, B or Y: it has depth.Z, diffuse.R", "',layer=depth', ',layer=diffuse'"),
    ("layers", PictureChoice(layer: "difuse"), "it has no layer 'difuse'", "did you mean 'diffuse'?"),
    ("layers", PictureChoice(layer: "nothing-like-it"), "it has no layer 'nothing-like-it'", "',layer=depth', ',layer=diffuse'"),
    ("matrix/parts-ZIP", PictureChoice(part: "3"), "it has no part '3'", "',part=beauty', ',part=specular', ',part=depth', ',layer=depth'"),
  ])
  func saysWhatThereIs(name: String, choice: PictureChoice, reason: String, help: String) throws {
    let bytes = try fixture("exr/\(name).exr")
    let error = #expect(throws: RenderError.self) { try EXRReader(choice).read(bytes, name: "a.exr") }
    #expect(error?.message == "cannot read the OpenEXR picture 'a.exr'")
    #expect(error?.underlying == reason)
    #expect(error?.help.first?.contains(help) == true)
  }

  @Test(arguments: [EXRPart.Numbers.half, .float]) func writesWhatItReads(numbers: EXRPart.Numbers) throws {
    let picture = try reader.read(fixture("exr/half-zip.exr"), name: "a")
    let text = [TextChunk("Software", "Etalon 1"), TextChunk("etalon:frame", "12")]
    var files: [[UInt8]] = []
    for _ in 0..<2 {
      let sink = MemorySink()
      try EXRWriter(numbers: numbers).write(picture, text: text, to: sink)
      files.append(sink.bytes)
    }
    #expect(files[0] == files[1])
    #expect(try reader.read(files[0], name: "b") == picture)
    let outline = try EXROutline(files[0], name: "b")
    #expect(outline.texts.sorted { $0.keyword < $1.keyword } == text)
    #expect(outline.isComplete)
    #expect(outline.bits == (numbers == .half ? 16 : 32))
    #expect(outline.parts[0].compression == "ZIP")
    #expect((try? EXROutline(Array(files[0].dropLast(9)), name: "b").isComplete) != true)
  }

  @Test func writesLayers() throws {
    let beauty = TestPicture.noise(Size(9, 40), .rgba32f, isOpaque: false)
    let matte = PixelBuffer(size: beauty.size, format: .rgba32f, alpha: .opaque, bytes: beauty.bytes, isLight: true)
    let sink = MemorySink()
    try EXRWriter().write([EXRWriter.Layer("", beauty), EXRWriter.Layer("matte", matte)], to: sink)
    let names = try EXROutline(sink.bytes, name: "a").parts[0].channels.map(\.name)
    #expect(names == ["A", "B", "G", "R", "matte.B", "matte.G", "matte.R"])
    #expect(try reader.read(sink.bytes, name: "a").bytes == beauty.bytes)
    let read = try EXRReader(PictureChoice(layer: "matte")).read(sink.bytes, name: "a")
    #expect(read.alpha == .opaque)
    #expect(
      read.numbers.enumerated().allSatisfy {
        $0.offset % 4 == 3 ? $0.element == 1 : $0.element.bitPattern == matte.numbers[$0.offset].bitPattern
      })
  }

  /// Numbers that packing would make larger are stored as they are; those that are no light say so.
  @Test func writesNoise() throws {
    let picture = TestPicture.noise(Size(5, 40), .rgba32f, isOpaque: false)
    let sink = MemorySink()
    try EXRWriter().write(picture, to: sink)
    #expect(try reader.read(sink.bytes, name: "noise") == picture)
  }

  /// What is larger than every half is infinite, and the nearest number is taken.
  @Test func roundsToHalves() throws {
    let numbers: [Float] = [65504, 70000, -70000, 1, 1.0004883, 1.0014648, 5.9604645e-8, 2.9802322e-8, 6.1e-5, -0.1, .infinity, 1]
    let picture = PixelBuffer(size: Size(3, 1), format: .rgba32f, alpha: .premultiplied, bytes: [UInt8](floats: numbers), isLight: true)
    let sink = MemorySink()
    try EXRWriter(numbers: .half).write(picture, to: sink)
    #expect(try reader.read(sink.bytes, name: "a").numbers == numbers.map { Float(Float16($0)) })
  }

  @Test(arguments: [
    "float-none", "half-zip", "window", "matrix/half-PIZ-rows", "matrix/half-B44-rows", "matrix/half-DWAA-rows",
    "matrix/half-NO-tiles-mipmaps",
    "matrix/layers-DWAB", "matrix/parts-ZIP",
  ])
  func survivesDamage(name: String) throws {
    let bytes = try fixture("exr/\(name).exr")
    for tenth in 0..<10 {
      do throws(RenderError) { _ = try reader.read(Array(bytes[..<(bytes.count * tenth / 10)]), name: "cut") } catch {
        #expect(error.code == .invalidInput)
      }
    }
    #expect(throws: RenderError.self) { try reader.read(Array(bytes[..<(bytes.count / 6)]), name: "cut") }
    var generator = TestGenerator(seed: 1)
    let small = EXRReader(limits: PictureLimits(side: 4096, pixels: 1 << 16))
    for _ in 0..<200 {
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
