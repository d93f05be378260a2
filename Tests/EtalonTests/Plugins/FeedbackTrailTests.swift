import Etalon
import EtalonGraph
import EtalonTypes
import Foundation
import Testing

/// The trail fades at the pace that it is given, whatever the frame rate.
@Suite struct FeedbackTrailTests {
  /// Renders the first frames of a trail that a picture leaves which is white on one frame, and dark gray on the others.
  private func flash(onFrame frame: Int, on device: TestDevice, _ settings: [String: String]) throws -> [Double] {
    let folder = try TemporaryFolder()
    let path = try folder.picture("white.png", Size(8, 8)) { _, _ in [255, 255, 255] }
    var shot = TestShot(plugin: "time/feedback-trail", on: device, ["inputImage": path], settings)
    guard case .file(let filter) = shot.request.filter else { return [] }
    let text = try String(contentsOfFile: filter, encoding: .utf8)
    let flashing = text.replacing(
      "IMG_THIS_PIXEL(inputImage)", with: "(IMG_THIS_PIXEL(inputImage) * (FRAMEINDEX == \(frame) ? vec4(1.0) : vec4(vec3(0.2), 1.0)))")
    try #require(flashing != text)
    try flashing.write(toFile: folder.file("flashing.glsl"), atomically: true, encoding: .utf8)
    shot.request.filter = .file(folder.file("flashing.glsl"))
    shot.request.clock = ShotClock(rate: try #require(FrameRate("10")))
    shot.request.bits = 16
    shot.request.frames = .range(try #require(FrameRange(0...5)))
    return try shot.pictures().map { $0.color(3, 5).x }
  }

  @Test(arguments: TestDevice.allCases) func lightsFadeToAHalf(device: TestDevice) throws {
    let levels = try flash(onFrame: 1, on: device, ["halfLife": "0.2"])
    let expected = [0.2, 1, pow(0.5, 0.5), 0.5, pow(0.5, 1.5), 0.25]
    #expect(zip(levels, expected).allSatisfy { abs($0 - $1) < 4.0 / 65535 }, "\(levels)")
  }

  @Test(arguments: TestDevice.allCases) func mixturesComeNearer(device: TestDevice) throws {
    let levels = try flash(onFrame: 0, on: device, ["halfLife": "0.1", "mode": "mix"])
    let expected = [1, 0.6, 0.4, 0.3, 0.25, 0.225]
    #expect(zip(levels, expected).allSatisfy { abs($0 - $1) < 4.0 / 65535 }, "\(levels)")
  }

  @Test(arguments: TestDevice.allCases) func nothingStaysWithoutAHalfLife(device: TestDevice) throws {
    let levels = try flash(onFrame: 1, on: device, ["halfLife": "0"])
    #expect(zip(levels, [0.2, 1, 0.2, 0.2, 0.2, 0.2]).allSatisfy { abs($0 - $1) < 2.0 / 65535 }, "\(levels)")
  }
}
