import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Testing

@Suite struct ProvenanceTests {
  private let picture = TestPicture.noise(Size(40, 30), .rgba8, isOpaque: true)

  private func file(recipe: String = "abc") throws -> [UInt8] {
    try TestPicture.encoded(picture, text: TestPicture.provenance(frame: 12, recipe: recipe).textChunks(deflate: .libdeflate))
  }

  @Test func comesBackFromTheFile() throws {
    let folder = try TemporaryFolder()
    try folder.write(file(), to: "a.png")
    let outline = try #require(try PNGOutline(path: folder.file("a.png")))
    #expect(FrameProvenance(outline.texts) == TestPicture.provenance(frame: 12))
    #expect(
      outline.texts.map(\.keyword) == [
        "Software", "etalon:recipe", "etalon:filter", "etalon:values", "etalon:frame", "etalon:time", "etalon:rate",
      ])
    #expect(outline.texts[0].text.hasPrefix("Etalon 0.1.0 (libdeflate "))
    #expect(outline.texts[3].text == #"{"SPEED":"2","TINT":"äöü"}"#)
    #expect(outline.size == picture.size && outline.bits == 8 && !outline.hasAlpha && outline.isComplete)
  }

  @Test func tellsWhatStandsIn() throws {
    let folder = try TemporaryFolder()
    var provenance = TestPicture.provenance(frame: 12)
    provenance.standIns = ["iChannel0": "test-card: Abstract 1"]
    try folder.write(TestPicture.encoded(picture, text: provenance.textChunks(deflate: .libdeflate)), to: "a.png")
    let outline = try #require(try PNGOutline(path: folder.file("a.png")))
    #expect(outline.texts.last == TextChunk("etalon:stand-ins", #"{"iChannel0":"test-card: Abstract 1"}"#))
    #expect(FrameProvenance(outline.texts) == provenance)
  }

  @Test func resumeTellsWhatIsThere() throws {
    let folder = try TemporaryFolder()
    let whole = try file()
    try folder.write(whole, to: "complete.png")
    try folder.write(file(recipe: "other"), to: "recipe.png")
    try folder.write(Array(whole.dropLast()), to: "cut.png")
    try folder.write(Array(whole.dropLast(40)), to: "cut-more.png")
    try folder.write(TestPicture.encoded(picture), to: "foreign.png")
    try folder.write([1, 2, 3], to: "junk.png")
    try folder.write([], to: "empty.png")
    let check = ResumeCheck(size: picture.size, bits: 8)
    let states = ["complete", "recipe", "cut", "cut-more", "foreign", "junk", "empty", "none"].map {
      check.state(of: folder.file($0 + ".png"), recipe: "abc")
    }
    #expect(states == [.complete, .stale, .stale, .stale, .foreign, .foreign, .stale, .missing])
    #expect(ResumeCheck(size: Size(41, 30), bits: 8).state(of: folder.file("complete.png"), recipe: "abc") == .stale)
    #expect(ResumeCheck(size: picture.size, bits: 16).state(of: folder.file("complete.png"), recipe: "abc") == .stale)
    #expect(check.state(of: folder.path, recipe: "abc") == .foreign)
  }

  @Test func sidecarComesBack() throws {
    let folder = try TemporaryFolder()
    let pattern = try FramePattern(folder.file("shot.####.png"))
    let path = SequenceSidecar.path(for: pattern)
    #expect(path == folder.file("shot.json"))
    let rate = try #require(FrameRate("23.976"))
    let frames = try FrameRangeParser.parse("1001-1240,1300")
    var sidecar = SequenceSidecar(
      pattern: "shot.####.png", rate: rate, first: 1001, frames: frames, size: Size(1920, 1080), bits: 16, alpha: .straight,
      filter: "plasma",
      values: ["SPEED": "2"], recipe: "abc", version: "0.1.0")
    try sidecar.write(to: path, replacing: .ownFrames)
    #expect(try SequenceSidecar(path: path) == sidecar)
    sidecar.bits = 8
    sidecar.standIns = ["iChannel0": "test-card: Abstract 1"]
    try sidecar.write(to: path, replacing: .ownFrames)
    #expect(try SequenceSidecar(path: path) == sidecar)
    try folder.write(Array("{}".utf8), to: "shot.json")
    #expect(throws: RenderError.self) { try SequenceSidecar(path: path) }
    #expect(throws: RenderError.self) { try sidecar.write(to: path, replacing: .ownFrames) }
    try sidecar.write(to: path, replacing: .anything)
    #expect(try folder.names() == ["shot.json"])
  }
}
