import Etalon
import EtalonGraph
import EtalonTypes
import Testing

/// The uniforms of ShaderToy, read back as colors.
@Suite struct UniformTests {
  /// The numbers that `uniforms.glsl` shows, with its channel 0 of 5×3 pixels of gray 77.
  private func numbers(on device: TestDevice, _ change: (inout TestShot) throws -> Void = { _ in }) throws -> [[Int]] {
    let folder = try TemporaryFolder()
    var shot = TestShot("uniforms", on: device, size: Size(24, 4))
    shot.request.inputs = [.init(input: nil, path: try folder.picture("gray.png", Size(5, 3)) { _, _ in [77, 77, 77] })]
    try change(&shot)
    return try shot.pictures().map { picture in (0..<24).map { picture.pixel($0, 0) }.map { $0[1] > 0 ? -$0[0] : $0[0] } }
  }

  @Test(arguments: TestDevice.allCases) func defaults(device: TestDevice) throws {
    #expect(
      try numbers(on: device) == [[24, 4, 1, 0, 4, 60, 0, 0, 0, 0, 0, 24, 0, 1, 0, 0, 0, 100, 5, 3, 1, 0, 0, 77]])
  }

  @Test(arguments: TestDevice.allCases) func everythingSet(device: TestDevice) throws {
    let range = try #require(FrameRange(1001...1003, step: 2))
    let rate = try #require(FrameRate("24"))
    let date = try #require(CalendarDate("2024-02-29T23:59:58"))
    let numbers = try numbers(on: device) { shot in
      shot.request.frames = .range(range)
      shot.request.clock = ShotClock(first: 1001, start: Rational(2), rate: rate)
      shot.request.pointer = PointerState(x: 20.7, y: 3, isDown: true)
      shot.request.date = date
    }
    // The date goes on with the time: two seconds later it is March.
    #expect(
      numbers == [
        [24, 4, 1, 48, 4, 24, 0, 20, 3, 20, 3, 24, 2, 1, 0, 0, 0, 100, 5, 3, 1, 0, 0, 77],
        [24, 4, 1, 50, 10, 24, 2, 20, 3, 20, -3, 24, 2, 1, 0, 0, 0, 100, 5, 3, 1, 0, 0, 77],
      ])
  }

  @Test(arguments: TestDevice.allCases) func aReleasedMouse(device: TestDevice) throws {
    let numbers = try numbers(on: device) { $0.request.pointer = PointerState(x: 10, y: 20, isDown: false) }
    #expect(Array(numbers[0][7...10]) == [10, 20, -10, -20])
  }

  @Test(arguments: TestDevice.allCases) func aSinglePictureShowsTheFrameOfItsTime(device: TestDevice) throws {
    var shot = TestShot("clock", on: device)
    shot.request.clock = ShotClock(rate: try #require(FrameRate("24")))
    shot.request.frames = .single(time: Rational(99, 100))
    #expect(try shot.picture().pixel(0, 0) == [23, 99, 0, 255])
  }

  @Test(arguments: TestDevice.allCases) func numberingMovesNoPicture(device: TestDevice) throws {
    var plain = TestShot("clock", on: device)
    plain.request.frames = .range(try #require(FrameRange(0...2)))
    var numbered = plain
    numbered.request.frames = .range(try #require(FrameRange(1001...1003)))
    numbered.request.clock = ShotClock(first: 1001)
    let pictures = try plain.pictures()
    #expect(try numbered.pictures() == pictures)
    #expect(pictures.map { $0.pixel(0, 0)[0] } == [0, 1, 2])
  }
}
