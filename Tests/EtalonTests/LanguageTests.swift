import Etalon
import EtalonTypes
import Testing

/// Shaders that lean on what the site's player forgives.
@Suite struct LanguageTests {
  @Test(arguments: TestDevice.allCases) func discardLeavesNothing(device: TestDevice) throws {
    var shot = TestShot("discarded", on: device)
    shot.request.alpha = .straight
    #expect(try shot.picture().firstDifference { x, _ in x < 32 ? [0, 0, 0, 0] : [255, 255, 255, 255] } == nil)
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
