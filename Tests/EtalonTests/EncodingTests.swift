import Etalon
import EtalonTypes
import Testing

/// How colors become numbers in a file.
@Suite struct EncodingTests {
  @Test(arguments: TestDevice.allCases, [8, 16]) func tiesGoToTheEvenNumber(device: TestDevice, bits: Int) throws {
    var shot = TestShot("rounding", on: device)
    shot.request.bits = bits
    let steps: Float = bits == 8 ? 255 : 65535
    if bits == 16 { shot.request.settings = [.init(name: "STEPS", value: "65535.0")] }
    let picture = try shot.picture()
    let expected = (0..<64).map { Int(((Float($0) + 0.5) * (1 / steps) * steps).rounded(.toNearestOrEven)) }
    #expect((0..<64).map { picture.pixel($0, 0)[0] } == expected)
    #expect(expected.prefix(4) == [0, 2, 2, 4])
  }

  @Test(arguments: TestDevice.allCases, [8, 16]) func noNumberIsBlackAndLargeOnesAreWhite(device: TestDevice, bits: Int) throws {
    var shot = TestShot("beyond", on: device, size: Size(6, 1))
    shot.request.bits = bits
    let picture = try shot.picture()
    let most = bits == 8 ? 255 : 65535
    #expect((0..<6).map { picture.pixel($0, 0)[1] } == [0, most, 0, most, 0, most])
  }

  @Test(arguments: TestDevice.allCases, [AlphaMode.opaque, .straight, .premultiplied])
  func alpha(device: TestDevice, mode: AlphaMode) throws {
    let expected: [AlphaMode: [Int]] = [
      .opaque: [128, 64, 255, 255], .straight: [128, 64, 255, 128], .premultiplied: [64, 32, 128, 128],
    ]
    var shot = TestShot("translucent", on: device)
    shot.request.alpha = mode
    #expect(try shot.picture().firstDifference { _, _ in expected[mode] ?? [] } == nil)
  }
}
