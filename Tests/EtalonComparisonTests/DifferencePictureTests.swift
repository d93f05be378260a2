import EtalonComparison
import EtalonTypes
import Testing

/// Pictures of differences.
@Suite struct DifferencePictureTests {
  private let gray = TestPictures.rgba8 { _, _ in [100, 100, 100, 200] }

  private func pixel(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
    Array(picture.bytes[((y * picture.size.width + x) * 4)...].prefix(4))
  }

  @Test func colorAndAlphaHavePicturesOfTheirOwn() {
    let actual = gray.adding([(1, 2, 0, 3), (1, 2, 1, -20), (5, 6, 3, -4)])
    let color = differencePicture(actual, gray), alpha = alphaDifferencePicture(actual, gray)
    #expect(color.alpha == .opaque && color.size == gray.size)
    #expect(pixel(color, 1, 2) == [48, 255, 0, 255] && pixel(color, 5, 6) == [0, 0, 0, 255])
    #expect(pixel(alpha, 5, 6) == [64, 64, 64, 255] && pixel(alpha, 1, 2) == [0, 0, 0, 255])
    #expect(pixel(differencePicture(actual, gray, gain: 1), 1, 2) == [3, 20, 0, 255])
  }

  /// How bright a pixel looks, roughly.
  private func brightness(_ picture: PixelBuffer, _ x: Int) -> Double {
    let color = pixel(picture, x, 0).map(Double.init)
    return 0.2126 * color[0] * color[0] + 0.7152 * color[1] * color[1] + 0.0722 * color[2] * color[2]
  }

  @Test func falseColorsGrowBrighter() {
    let size = Size(256, 1)
    let ramp = TestPictures.rgba8(size) { x, _ in [UInt8(x), 0, 0, 255] }, black = TestPictures.rgba8(size) { _, _ in [0, 0, 0, 255] }
    let picture = falseColor(ramp, black)
    #expect(pixel(picture, 0, 0) == [0, 0, 0, 255] && pixel(picture, 1, 0) != [0, 0, 0, 255])
    for x in 1..<256 { #expect(brightness(picture, x) >= brightness(picture, x - 1), "\(x)") }
    #expect(brightness(picture, 255) > 0.8 * 255 * 255)
  }

  @Test func whatIsNotFiniteIsCyan() {
    let a = TestPictures.float(Size(2, 1)) { x, _ in [x == 1 ? .nan : 0, 0, 0, 1] },
      b = TestPictures.float(Size(2, 1)) { _, _ in [0, 0, 0, 1] }
    #expect(pixel(falseColor(a, b), 1, 0) == [0, 255, 255, 255] && pixel(falseColor(a, b), 0, 0) == [0, 0, 0, 255])
    #expect(pixel(differencePicture(a, b), 1, 0) == [255, 0, 0, 255] && pixel(differencePicture(a, a), 1, 0) == [0, 0, 0, 255])
  }

  @Test func equalPicturesHaveABlackFLIPMap() {
    let map = flipMap(gray, gray)
    #expect((0..<64).allSatisfy { pixel(map, $0, $0) == [0, 0, 0, 255] })
  }
}
