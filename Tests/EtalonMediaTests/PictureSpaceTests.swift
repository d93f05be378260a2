import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Testing

/// What the numbers of a picture are is what its format has, or what somebody says.
@Suite struct PictureSpaceTests {
  private func read(_ bytes: [UInt8], _ space: PictureSpace?) throws -> PixelBuffer {
    try PictureReader(PictureChoice(space: space)).read(bytes, name: "memory")
  }

  @Test func levelsAreEncodedUnlessSaid() throws {
    let picture = TestPicture.noise(Size(5, 4), .rgba16, isOpaque: false)
    for type in ["a.png", "a.tif"] {
      let sink = MemorySink()
      try FrameEncoder().encode(picture, text: [], as: type, to: sink)
      #expect(try !read(sink.bytes, nil).isLight && !read(sink.bytes, .srgb).isLight)
      let light = try read(sink.bytes, .linear)
      #expect(light.isLight && light.bytes == picture.bytes && light.alpha == .straight)
    }
  }

  @Test func openEXRIsLightUnlessSaid() throws {
    let picture = PixelBuffer(
      size: Size(1, 1), format: .rgba32f, alpha: .premultiplied, bytes: [UInt8](floats: [0.25, 2, 0, 0.5]), isLight: true)
    let sink = MemorySink()
    try EXRWriter().write(picture, to: sink)
    #expect(try read(sink.bytes, nil) == picture && read(sink.bytes, .linear) == picture)
    let encoded = try read(sink.bytes, .srgb)
    #expect(!encoded.isLight && encoded.bytes == picture.bytes)
  }

  @Test func choicesAreSpelledAsTheyAreTyped() {
    #expect(PictureChoice(part: "left", layer: "z", space: .srgb).text == ",part=left,layer=z,space=srgb")
    #expect(PictureChoice(space: .linear).keys == ["space"] && PictureChoice().keys.isEmpty)
  }

  @Test func levelsAreNoOpenEXRFile() {
    let error = #expect(throws: RenderError.self) {
      try FrameEncoder().encode(TestPicture.noise(Size(2, 2), .rgba8, isOpaque: true), text: [], as: "a.exr", to: MemorySink())
    }
    #expect(error?.message == "cannot write 'a.exr': OpenEXR files hold light, and this picture has levels")
  }
}
