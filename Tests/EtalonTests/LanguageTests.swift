import Etalon
import EtalonInspection
import EtalonTypes
import Testing

/// Shaders that lean on what the site's player forgives.
@Suite struct LanguageTests {
  @Test(arguments: TestDevice.allCases) func discardLeavesNothing(device: TestDevice) throws {
    var shot = TestShot("discarded", on: device)
    shot.request.alpha = .straight
    #expect(try shot.picture().firstDifference { x, _ in x < 32 ? [0, 0, 0, 0] : [255, 255, 255, 255] } == nil)
  }

  /// The canvas of the site is not cleared: each column of `kept-image` is drawn in one frame and stays.
  @Test(arguments: TestDevice.allCases) func discardedPixelsOfTheImageStay(device: TestDevice) throws {
    var shot = TestShot("kept-image", on: device, size: Size(4, 1))
    shot.request.frames = .range(try #require(FrameRange(0...3)))
    let rows = try shot.pictures().map { picture in (0..<4).map { picture.pixel($0, 0)[0] } }
    #expect(rows == [[1, 0, 0, 0], [1, 2, 0, 0], [1, 2, 3, 0], [1, 2, 3, 4]])
    shot.request.frames = .range(try #require(FrameRange(3...3)))
    #expect(try shot.picture().pixel(1, 0)[0] == 2)
  }

  @Test(arguments: TestDevice.allCases) func variablesStartAtZero(device: TestDevice) throws {
    #expect(try TestShot("uninitialised", on: device).picture().firstDifference { _, _ in [255, 0, 0, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func wordsOfLaterLanguagesAreNames(device: TestDevice) throws {
    #expect(try TestShot("reserved-words", on: device).picture().firstDifference { _, _ in [128, byte(0.75), 0, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func uniformsMayBeMentionedInVain(device: TestDevice) throws {
    #expect(try TestShot("unused-uniforms", on: device).picture().firstDifference { _, _ in [0, 255, 0, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func indicesBeyondALocalArrayStayInside(device: TestDevice) throws {
    #expect(try TestShot("local-index", on: device).picture().firstDifference { _, _ in [128, 128, 128, 255] } == nil)
  }

  /// What `selected-composites` shows, in the words of its text.
  private static func selected(_ x: Int, _ y: Int) -> [Int] {
    let isRight = x >= 32, isHigh = y >= 32, column = x % 3
    let c = [0.6, 0.8, 1.0], d = [0.4, 0.2, 0.0]
    let grown = isRight ? (isHigh ? 0.8 : 0.4) : (isHigh ? 0.2 : 0.6)
    let red = isHigh && !isRight ? 0.8 : 0.4
    let green = (isHigh ? c : isRight ? d : c)[column]
    let blue = (1 - grown / 2) * (grown > 0.5 ? 1 : 0.5)
    return [red, green, blue].map(byte)
  }

  @Test(arguments: TestDevice.allCases) func compositesAreSelected(device: TestDevice) throws {
    let picture = try TestShot("selected-composites", on: device).picture()
    for y in [3, 31, 32, 60] {
      for x in [0, 1, 2, 31, 32, 33, 34, 63] {
        let found = picture.pixel(x, y), expected = Self.selected(x, y)
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "(\(x), \(y)) is \(found), expected \(expected)")
      }
    }
  }

  @Test func selectedCompositesHaveRanges() throws {
    var request = TestShot("selected-composites", on: .cpu).request
    request.timeout = 60
    let places = [3, 40].flatMap { y in [1, 33, 62].map { (x: $0, y: y) } }
    for range in try SpecificationRanges(request).ranges(ofFrame: 0, at: places) {
      #expect(!range.isUnknown)
      for (channel, expected) in zip(range.channels, Self.selected(range.x, range.y)) {
        #expect(channel.low * 255 <= Double(expected) + 0.6 && channel.high * 255 >= Double(expected) - 0.6, "\(range)")
        #expect(channel.high - channel.low < 0.01)
      }
    }
  }

  @Test(
    arguments: [(0, [64, 191, 0, 255]), (1, [0, 64, 191, 255]), (2, [0, 64, 0, 255]), (3, [191, 255, 191, 255])], TestDevice.allCases)
  func armsThatUniformsDecideKeepTheirValues(_ path: (number: Int, color: [Int]), device: TestDevice) throws {
    var shot = TestShot("branches-of-constants", on: device, size: Size(2, 2))
    shot.request.settings = [.init(name: "path", value: "\(path.number)")]
    #expect(try shot.picture().pixel(1, 1) == path.color)
  }

  @Test(arguments: TestDevice.allCases) func nestedReturnsKeepTheirValues(device: TestDevice) throws {
    #expect(
      try TestShot("nested-returns", on: device).picture().firstDifference { x, y in
        let band = x / 16
        return [[51, 102, 153, 204][band], y < 32 ? [51, 102, 153, 0][band] : [51, 0, 153, 204][band], band == 3 ? 255 : 0, 255]
      } == nil)
  }
}
