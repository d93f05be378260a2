import EtalonMedia
import EtalonTypes
import Testing

/// Frames that follow each other in a pipe.
@Suite struct FrameStreamTests {
  private func picture(_ pixels: [[UInt8]], _ size: Size, alpha: AlphaMode = .opaque) -> PixelBuffer {
    PixelBuffer(size: size, format: .rgba8, alpha: alpha, bytes: pixels.flatMap(\.self))
  }

  @Test func theHeaderSaysSizeAndRate() {
    let rate = FrameRate("23.976") ?? .sixty
    let header = String(decoding: FrameStreamFormat.y4m.header(size: Size(64, 32), rate: rate), as: UTF8.self)
    #expect(header == "YUV4MPEG2 W64 H32 F24000:1001 Ip A1:1 C444 XCOLORRANGE=LIMITED\n")
    #expect(FrameStreamFormat.raw.header(size: Size(64, 32), rate: rate).isEmpty)
  }

  /// Values of ITU-R BT.601, table of the 75 % and 100 % color bars.
  @Test func smallPicturesHaveTheMatrixOfStandardDefinition() {
    let colors: [[UInt8]] = [[0, 0, 0, 9], [255, 255, 255, 9], [255, 0, 0, 9], [0, 0, 255, 9]]
    let bytes = FrameStreamFormat.y4m.frame(picture(colors, Size(2, 2)))
    #expect(bytes == Array("FRAME\n".utf8) + [16, 235, 81, 41] + [128, 128, 90, 240] + [128, 128, 240, 110])
  }

  @Test func highPicturesHaveTheMatrixOfHighDefinition() {
    let bytes = FrameStreamFormat.y4m.frame(picture([[UInt8]](repeating: [255, 0, 0, 255], count: 720), Size(1, 720)))
    #expect([bytes[6], bytes[6 + 720], bytes[6 + 1440]] == [63, 102, 240])
  }

  @Test func whatIsTransparentBecomesBlack() {
    let bytes = FrameStreamFormat.y4m.frame(picture([[255, 255, 255, 0], [255, 255, 255, 255]], Size(2, 1), alpha: .straight))
    #expect(Array(bytes[6..<8]) == [16, 235])
  }

  @Test func rawFramesAreTheirPixels() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(FrameStreamFormat.raw.frame(PixelBuffer(size: Size(2, 1), format: .rgba8, alpha: .straight, bytes: bytes)) == bytes)
  }
}
