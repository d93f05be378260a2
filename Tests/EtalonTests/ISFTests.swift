import Etalon
import EtalonGraph
import EtalonTypes
import Testing

@Suite struct ISFTests {
  private func shot(_ name: String, on device: TestDevice) -> TestShot { TestShot("isf/\(name).fs", on: device) }

  @Test(arguments: TestDevice.allCases) func vertexHalfRunsForEveryPixel(device: TestDevice) throws {
    let picture = try shot("vertex-half", on: device).picture()
    func bent(_ x: Int) -> Int { byte(max((Double(x) + 0.5) / 64 - 0.5, 0)) }
    #expect(picture.firstDifference { x, y in [bent(x), bent(y), 0, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func movedCornersTakeThePictureAlong(device: TestDevice) throws {
    let picture = try shot("moved-corners", on: device).picture()
    func place(_ x: Int) -> Int { byte((Double(x - 32) + 0.5) / 32) }
    #expect(
      picture.firstDifference { x, y in
        x < 32 || y < 32 ? [0, 0, 0, 0] : [place(x), place(y), place(x), 255]
      } == nil)
  }

  /// The right corners are three times as far away.
  @Test(arguments: TestDevice.allCases) func movedCornersKeepPerspective(device: TestDevice) throws {
    let picture = try shot("perspective", on: device).picture()
    for x in 0..<64 {
      let s = (Double(x) + 0.5) / 64
      for y in [0, 31, 63] { #expect((picture.pixel(x, y)[0] - byte(s / (3 - 2 * s))).magnitude <= 1, "pixel \(x), \(y)") }
    }
  }

  @Test(arguments: TestDevice.allCases) func passesKeepWhatTheyWrote(device: TestDevice) throws {
    var shot = shot("passes", on: device)
    shot.request.frames = .range(try #require(FrameRange(0...2)))
    for (index, picture) in try shot.pictures().enumerated() {
      // Whole levels: how halves of a level are rounded is left to a device.
      let counts = [0, 0.2, 0.4, 0.6].map(byte)
      #expect(picture.firstDifference { _, _ in [counts[index + 1], 255, counts[index], 255] } == nil, "frame \(index)")
    }
  }

  @Test(arguments: TestDevice.allCases) func clockIsThatOfISF(device: TestDevice) throws {
    var shot = shot("clock", on: device)
    shot.request.clock = ShotClock(rate: try #require(FrameRate("24")))
    shot.request.frames = .range(try #require(FrameRange(0...1)))
    let pictures = try shot.pictures()
    #expect(pictures[0].pixel(5, 5) == [byte(1.0 / 12), 0, 0, 255])
    #expect(pictures[1].pixel(5, 5) == [byte(1.0 / 12), byte(8.0 / 24), byte(0.25), 255])
  }
}
