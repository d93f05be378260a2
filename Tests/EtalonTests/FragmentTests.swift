import Etalon
import EtalonGraph
import EtalonTypes
import Testing

/// Pictures of fragment shaders with a `main`, with the origin of `gl_FragCoord` at the bottom left.
@Suite struct FragmentTests {
  private func shot(_ name: String, on device: TestDevice) -> TestShot { TestShot("fragment/\(name).frag", on: device) }

  @Test(arguments: TestDevice.allCases) func placesCountFromTheBottomLeft(device: TestDevice) throws {
    let picture = try shot("place", on: device).picture()
    func place(_ x: Int) -> Int { byte((Double(x) + 0.5) / 64) }
    #expect(picture.firstDifference { x, y in [place(x), place(y), byte(0.25), 255] } == nil)
  }

  /// Pixels for `u_mouse`; from 0 to 1 for `mouse`, which is in the middle until it moves.
  @Test(arguments: TestDevice.allCases) func theMouseIsWhereTheHostSaysIt(device: TestDevice) throws {
    var shot = shot("mouse", on: device)
    #expect(try shot.picture().pixel(3, 3) == [0, 0, byte(0.5), 255])
    shot.request.pointer = PointerState(x: 16, y: 48, isDown: true)
    #expect(try shot.picture().pixel(3, 3) == [byte(0.25), byte(0.75), byte(0.25), 255])
  }

  @Test(arguments: TestDevice.allCases) func buffersRunBeforeTheImage(device: TestDevice) throws {
    var shot = shot("steps", on: device)
    shot.request.frames = .range(try #require(FrameRange(0...2)))
    for (index, picture) in try shot.pictures().enumerated() {
      let step = byte(0.25 * Double(index + 1))
      #expect(picture.firstDifference { _, _ in [byte(0.5), step, 0, 255] } == nil, "frame \(index)")
    }
  }

  @Test(arguments: TestDevice.allCases) func theBackbufferIsTheFrameBefore(device: TestDevice) throws {
    var shot = shot("trail", on: device)
    shot.request.frames = .range(try #require(FrameRange(0...2)))
    for (index, picture) in try shot.pictures().enumerated() {
      #expect(picture.firstDifference { _, y in [64 * (index + 1), y >= 32 ? 32 * (index + 1) : 0, 0, 255] } == nil, "frame \(index)")
    }
  }

  /// The value of the argument is there until the function writes it.
  @Test(arguments: TestDevice.allCases) func parametersThatAreOutBeginWithTheirArguments(device: TestDevice) throws {
    let picture = try shot("out", on: device).picture()
    #expect(picture.firstDifference { x, _ in [byte(0.5), x < 32 ? byte(0.25) : 255, x < 32 ? byte(0.25) : 255, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func theFirstOfSeveralColorsIsThePicture(device: TestDevice) throws {
    let picture = try shot("array", on: device).picture()
    #expect(picture.firstDifference { _, _ in [0, 255, 0, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func picturesAreUprightAndHaveTheirSize(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let file = try folder.picture("in.png", Size(64, 32)) { x, y in [UInt8(x * 2), UInt8(y * 4), 0] }
    var shot = shot("picture", on: device)
    shot.request.inputs = [.init(input: "u_tex0", path: file)]
    shot.request.size = Size(64, 32)
    #expect(try shot.picture().firstDifference { x, y in [x * 2, y * 4, 64, 255] } == nil)
  }
}
