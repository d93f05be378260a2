import Etalon
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Pictures become what the header of a filter says about its inputs.
@Suite struct InputConversionTests {
  @Test(arguments: TestDevice.allCases) func spaceAndAlphaFollowTheHeader(on device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let size = Size(4, 4)
    let pixel: [UInt8] = [128, 200, 100, 128]
    let picture = PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: [[UInt8]](repeating: pixel, count: 16).flatMap(\.self))
    let file = try AtomicFile(folder.file("thin.png"), replacing: .anything)
    try PNGEncoder(PNGSettings(.fast)).encode(picture, text: [], to: file)
    try file.commit()
    var shot = TestShot("spaces", on: device, size: size)
    shot.request.inputs = ["inputImage", "thin", "solid"].map { .init(input: $0, path: folder.file("thin.png")) }
    let linear = pow((128.0 / 255 + 0.055) / 1.055, 2.4)
    #expect(try shot.picture().pixel(1, 2) == [byte(linear), byte(200.0 / 255 * 128 / 255), 100, 255])
  }
}
