import Etalon
import EtalonPlan
import EtalonTypes
import Foundation
import Testing

/// Passes that are cut into pieces, which are done from the last to the first: the same pixels.
@Suite struct TileTests {
  private static let shaders = [
    "gradient", "quadratic-derivatives", "two-outputs", "local-index", "gathered", "counting", "a-before-b/project.json",
    "kept-pixels/project.json",
    "site-cube/project.json",
  ]

  @Test(arguments: TestDevice.allCases, shaders) func piecesGiveTheSame(device: TestDevice, shader: String) throws {
    for (bits, tiles) in [(8, "6x4"), (16, "24x12"), (32, "64x2")] {
      var shot = TestShot(shader, on: device)
      let file = TestShot.folder.appending(path: shader)
      if shader.hasSuffix(".json") { shot.request.filter = .file(file.deletingLastPathComponent().path) }
      shot.request.standIns = .testCards
      shot.request.size = Size(46, 38)
      shot.request.bits = bits
      let whole = try shot.pictures()
      shot.request.device = "\(device.rawValue):tiles=\(tiles)"
      #expect(try shot.pictures() == whole, "\(bits) bits, \(tiles)")
    }
  }

  @Test(arguments: TestDevice.allCases) func whatIsNoNumberIsMarked(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("hole.glsl")
    let text =
      "void mainImage(out vec4 c, in vec2 p) { c = vec4(0.5); if (ivec2(p) == ivec2(29, 3)) c.x = uintBitsToFloat(0x7fc00000u + uint(p.x)); }"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    for (isMarked, size) in [(true, Size(46, 38)), (false, Size(20, 38))] {
      var shot = TestShot(RenderRequest(filter: .file(path)))
      (shot.request.size, shot.request.device) = (size, "\(device.rawValue):tiles=24x12")
      let prepared = try shot.prepared()
      let frame = try #require(try prepared.submit(prepared.frames[0]))
      defer { frame.release() }
      try frame.wait()
      #expect(frame.holdsNaN(in: 0) == isMarked)
    }
  }

  @Test(arguments: ["cpu:tiles=3x4", "cpu:tiles=8", "0:tiles=0x2", "vulkan:tiles=4x4x4", "cpu:tiles="]) func sidesAreEven(device: String) {
    #expect(throws: (any Error).self) { try DeviceFacts(device) }
  }
}
