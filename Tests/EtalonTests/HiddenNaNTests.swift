import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// NaN that results do not show is told where it lasts or spreads.
@Suite struct HiddenNaNTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A project whose first buffer stores a color at pixel (3, 5) of every frame from frame 2 on, and whose picture shows none of it.
  private func found(
    _ color: String, channel: String, buffer: String = "", on device: TestDevice, frames: ClosedRange<Int> = 0...3
  ) throws -> [HiddenNaN] {
    let path = folder.file("project")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)")) }
    try write(
      "bufferA.glsl",
      """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float nan = uintBitsToFloat(0x7fc00000u + uint(fragCoord.x));
        fragColor = vec4(0.5)\(buffer);
        if (ivec2(fragCoord) == ivec2(3, 5) && iFrame >= 2) fragColor = \(color);
      }
      """)
    try write(
      "image.glsl",
      """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float level = textureLod(iChannel0, vec2(0.5), 2.0).x;
        fragColor = vec4(level > 0.2 ? 1.0 : 0.0);
      }
      """)
    let own = buffer.isEmpty ? "\"bufferA\"" : "{ \"name\": \"bufferA\", \"channels\": { \"iChannel0\": \"bufferA\" } }"
    try write(
      "project.json",
      """
      { "shadertoy": 1, "passes": [\(buffer.isEmpty ? "{ \"name\": \(own) }" : own),
        { "name": "image", "channels": { "iChannel0": \(channel) } }] }
      """)
    var shot = TestShot(RenderRequest(filter: .file(path)))
    (shot.request.size, shot.request.device) = (Size(16, 8), device.rawValue)
    shot.request.frames = .range(try #require(FrameRange(frames)))
    let prepared = try shot.prepared()
    #expect(try prepared.pictures().allSatisfy { $0.bytes.allSatisfy { $0 == 0 || $0 == 255 } })
    #expect(prepared.takeFramesWithNaN().isEmpty)
    return prepared.takeHiddenNaN()
  }

  @Test(arguments: TestDevice.allCases) func keptTargets(_ device: TestDevice) throws {
    let reads = " * 0.5 + 0.5 * texelFetch(iChannel0, ivec2(fragCoord), 0)"
    #expect(
      try found("vec4(nan)", channel: "\"bufferA\"", buffer: reads, on: device) == [
        HiddenNaN(pass: "bufferA", reader: .laterFrames, frame: 3)
      ])
    #expect(try found("vec4(1e9)", channel: "\"bufferA\"", buffer: reads, on: device).isEmpty)
  }

  /// Frame 3 alone has those before it rendered, because buffers remember.
  @Test(arguments: TestDevice.allCases, [0...3, 3...3]) func mipmappedTargets(_ device: TestDevice, frames: ClosedRange<Int>) throws {
    let mipmapped = "{ \"source\": \"bufferA\", \"interpolation\": \"mipmap\" }"
    let first = HiddenNaN(pass: "bufferA", reader: .mipmaps, frame: 2)
    #expect(try found("vec4(0.1, nan, 0.3, 1.0)", channel: mipmapped, on: device, frames: frames) == [first])
    #expect(try found("vec4(1e9)", channel: mipmapped, on: device, frames: frames).isEmpty)
  }
}
