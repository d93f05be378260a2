import Etalon
import EtalonTypes
import Testing

/// What the result of a filter covers.
@Suite struct ExtentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func picture(_ shader: String, on device: TestDevice, size: Size? = nil) throws -> TestPicture {
    var shot = TestShot(shader, on: device)
    shot.request.size = size
    let path = try folder.picture("ramp.png", Size(16, 12)) { x, y in [UInt8(x * 10), UInt8(y * 10), 7] }
    shot.request.inputs = [.init(input: nil, path: path)]
    return try shot.picture()
  }

  /// Passes reach 2 (1 at half the size) and 2.5 pixels, so that 3 + 2 columns and 3 rows are rounded up to 6 and 4.
  @Test(arguments: TestDevice.allCases) func aResultGrowsByTheReachOfAllPasses(device: TestDevice) throws {
    let picture = try picture("grown", on: device)
    #expect(picture.size == Size(16 + 12, 12 + 8))
    #expect(
      picture.firstDifference { x, y in
        (6..<22).contains(x) && (4..<16).contains(y) ? [(x - 6) * 10, (y - 4) * 10, 7, 255] : [0, 0, 0, 0]
      } == nil)
  }

  @Test(arguments: TestDevice.allCases) func aRectangleCutsAndAdds(device: TestDevice) throws {
    let picture = try picture("cropped", on: device)
    #expect(picture.size == Size(10, 8))
    #expect(picture.firstDifference { x, y in y < 1 ? [0, 0, 0, 0] : [(x + 3) * 10, (y - 1) * 10, 7, 255] } == nil)
  }

  /// A filter with a size of its own reads the whole picture, in its pixels.
  @Test(arguments: TestDevice.allCases) func aResultHasASizeOfItsOwn(device: TestDevice) throws {
    let picture = try picture("enlarged", on: device)
    #expect(picture.size == Size(16 * 3, 12 * 2))
    #expect(picture.firstDifference { x, y in [x / 3 * 10, y / 2 * 10, 48, 255] } == nil)
  }

  /// Nothing reads the picture, but the result is as large.
  @Test func aPictureThatIsNotReadGivesTheSize() throws {
    #expect(try picture("unread", on: .cpu).size == Size(16, 12))
    #expect(try picture("unread", on: .cpu, size: Size(5, 4)).size == Size(5, 4))
    var shot = TestShot("unread", on: .cpu)
    shot.request.size = nil
    #expect(try shot.prepared().size == Size(1280, 720))
  }

  @Test func aSizeThatIsAskedForStays() throws {
    #expect(try picture("grown", on: .cpu, size: Size(20, 10)).size == Size(20, 10))
  }
}
