import Etalon
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Frames that hold NaN are told, on both executors.
@Suite struct NaNTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// - Parameter color: GLSL for the color of the pixel at (3, 5), of frame `iFrame`; all others are gray.
  private func shot(_ color: String, _ device: TestDevice, frames: FrameRange, bits: Int = 8) throws -> Shot {
    let path = folder.file("shader.glsl")
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float nan = uintBitsToFloat(0x7fc00000u + uint(fragCoord.x)), infinity = uintBitsToFloat(0x7f800000u);
        fragColor = vec4(0.5);
        if (ivec2(fragCoord) == ivec2(3, 5)) fragColor = \(color);
      }
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    var shot = TestShot(RenderRequest(filter: .file(path)))
    shot.request.size = Size(17, 9)
    shot.request.device = device.rawValue
    shot.request.frames = .range(frames)
    shot.request.bits = bits
    return try shot.prepared()
  }

  private func frames(_ numbers: [Int]) throws -> FrameRange { try #require(FrameRange(numbers)) }

  private func found(_ shot: Shot) throws -> [FramesWithNaN] {
    let files = SequenceExport.Destination.Files(pattern: try FramePattern(folder.file("frame.####.png")))
    let export = SequenceExport(shot, to: .init(files: [files], contactSheet: nil)) { _ in
    } isInterrupted: {
      false
    }
    _ = try export.run()
    return shot.takeFramesWithNaN()
  }

  @Test(arguments: TestDevice.allCases, [8, 16])
  func oneChannelIsEnough(_ device: TestDevice, bits: Int) throws {
    let shot = try shot("vec4(0.1, 0.2, iFrame % 3 == 1 ? nan : 0.3, 1.0)", device, frames: frames(Array(0...7)), bits: bits)
    #expect(try found(shot) == [FramesWithNaN(output: 0, first: 1, count: 3)])
    #expect(shot.takeFramesWithNaN().isEmpty, "it is told once")
  }

  @Test(arguments: TestDevice.allCases)
  func othersDoNotHideIt(_ device: TestDevice) throws {
    let shot = try shot("vec4(infinity, -infinity, fragCoord.y / 0.0, nan)", device, frames: frames([4]), bits: 16)
    // The alpha of a player's picture is not what its shader returns.
    #expect(try found(shot).isEmpty)
    let other = try self.shot("vec4(infinity, nan, fragCoord.y / 0.0, 1.0)", device, frames: frames([4]))
    #expect(try found(other) == [FramesWithNaN(output: 0, first: 4, count: 1)])
  }

  @Test(arguments: TestDevice.allCases)
  func infinityIsNotNaN(_ device: TestDevice) throws {
    #expect(try found(shot("vec4(infinity, -infinity, 3e38, 1.0)", device, frames: frames([0]))).isEmpty)
  }

  @Test(arguments: TestDevice.allCases)
  func streamsTellToo(_ device: TestDevice) throws {
    let shot = try shot("vec4(nan)", device, frames: frames([0, 1]))
    _ = try PipeExport(shot, as: .raw) { _ in
    } isInterrupted: {
      false
    }.run()
    #expect(shot.takeFramesWithNaN() == [FramesWithNaN(output: 0, first: 0, count: 2)])
  }
}
