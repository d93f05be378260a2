import Etalon
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// The filters of `Plugins` compute what their descriptions promise.
@Suite struct ShippedFilterTests {
  private let vignette = "stylize/vignette"
  private let histogram = "analysis/histogram"

  // MARK: vignette

  @Test(arguments: TestDevice.allCases) func vignetteDarkensTheCorners(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let path = try folder.picture("flat.png", Size(64, 32)) { _, _ in [200, 100, 50] }
    let unchanged = try TestShot(plugin: vignette, on: device, ["inputImage": path], ["amount": "0"]).picture()
    #expect(unchanged.firstDifference { _, _ in [200, 100, 50, 255] } == nil)
    let settings = ["amount": "1", "softness": "0.25", "color": "0,0,1,1"]
    let picture = try TestShot(plugin: vignette, on: device, ["inputImage": path], settings).picture()
    #expect(picture.pixel(32, 16) == [200, 100, 50, 255])
    #expect(picture.pixel(0, 0) == [0, 0, 255, 255])
    #expect(picture.pixel(63, 31) == [0, 0, 255, 255])
    // On the middle of each side half of the effect is reached.
    #expect((90...120).contains(picture.pixel(0, 16)[0]))
    #expect((90...120).contains(picture.pixel(32, 0)[0]))
  }

  // MARK: histogram

  @Test(arguments: TestDevice.allCases) func histogramCountsLevels(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let level = { (x: Int) in x < 48 ? 66 : 194 }
    let path = try folder.picture("two.png", Size(64, 64)) { x, _ in Array(repeating: UInt8(level(x)), count: 3) }
    let settings = ["height": "1", "shade": "0", "channels": "luma"]
    let picture = try TestShot(plugin: histogram, on: device, ["inputImage": path], settings).picture()
    let bar = { (x: Int, y: Int) in x == 16 || (x == 48 && y < 21) }
    #expect(
      picture.firstDifference { x, y in
        let gray = bar(x, y) ? byte(Double(level(x)) / 255 * 0.1 + 0.9) : level(x)
        return [gray, gray, gray, 255]
      } == nil)
  }

  // MARK: transitions

  @Test(arguments: TestDevice.allCases) func transitionsFollowTheClockUntilProgressIsSet(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let inputs = [
      "startImage": try folder.picture("start.png", Size(16, 16)) { x, _ in [UInt8(x * 10), 0, 0] },
      "endImage": try folder.picture("end.png", Size(16, 16)) { _, y in [0, UInt8(y * 10), 100] },
    ]
    for filter in [
      "Tests/Corpus/gl-transitions/fade.glsl", "Tests/Corpus/native/transition.glsl", "Plugins/transition/dissolve/dissolve.glsl",
    ] {
      let start = try TestShot(filter: filter, on: device, inputs, ["progress": "0"]).picture()
      #expect(start.firstDifference { x, _ in [x * 10, 0, 0, 255] } == nil)
      let end = try TestShot(filter: filter, on: device, inputs, ["progress": "1"]).picture()
      #expect(end.firstDifference { _, y in [0, y * 10, 100, 255] } == nil)
      var running = TestShot(filter: filter, on: device, inputs)
      running.request.frames = .range(try #require(FrameRange(10...14)))
      let frames = try running.pictures()
      #expect(frames.count == 5 && frames[0] == start && frames[4] == end)
      #expect(frames[2].firstDifference { x, y in [x * 5, y * 5, 50, 255] } == nil)
    }
  }
}
