import Etalon
import EtalonTypes
import Foundation
import Testing

/// The filters that put pictures together compute with premultiplied colors.
@Suite struct CompositeTests {
  private let folder: TemporaryFolder
  private let picture: String
  private let background: String

  init() throws {
    folder = try TemporaryFolder()
    picture = try folder.picture("picture.png", PluginPicture.size, PluginPicture.color)
    background = try folder.picture("background.png", PluginPicture.size, PluginPicture.other)
  }

  private func other(_ x: Int, _ y: Int) -> ExactColor { ExactColor(bytes: PluginPicture.other(x, y)) }

  private func render(
    _ plugin: String, on device: TestDevice, _ inputs: [String: String], _ settings: [String: String] = [:]
  ) throws -> TestPicture {
    var shot = TestShot(plugin: plugin, on: device, inputs, settings)
    shot.request.bits = 16
    shot.request.size = PluginPicture.size
    return try shot.picture()
  }

  @Test(arguments: TestDevice.allCases, [0, 0.3, 1]) func sourceOverShowsTheBackgroundThroughThePicture(
    device: TestDevice, opacity: Double
  ) throws {
    let result = try render(
      "composite/source-over", on: device, ["inputImage": picture, "backgroundImage": background], ["opacity": "\(opacity)"])
    #expect(
      result.firstDifference(over: 4.0 / 65535) { x, y in
        let color = PluginPicture.exact(x, y)
        return color.premultiplied * opacity + other(x, y) * (1 - color.w * opacity)
      } == nil)
  }

  @Test(arguments: TestDevice.allCases) func theOrderOfTransparentPicturesMatters(device: TestDevice) throws {
    let result = try render("composite/source-over", on: device, ["inputImage": background, "backgroundImage": picture])
    #expect(result.firstDifference(over: 2.0 / 65535, other) == nil)
  }

  @Test(arguments: TestDevice.allCases, [false, true]) func masksCountByLumaOrAlpha(device: TestDevice, isInverted: Bool) throws {
    let inputs = ["inputImage": background, "backgroundImage": picture, "maskImage": picture]
    for channel in ["luma", "alpha"] {
      let result = try render(
        "composite/blend-with-mask", on: device, inputs, ["channel": channel, "inverted": "\(isInverted)"])
      #expect(
        result.firstDifference(over: 6.0 / 65535) { x, y in
          let color = PluginPicture.exact(x, y)
          let cover = channel == "luma" ? color.premultiplied.luma : color.w
          let weight = isInverted ? 1 - cover : cover
          return (other(x, y) * weight + color.premultiplied * (1 - weight)).straight
        } == nil)
    }
  }

  @Test(arguments: TestDevice.allCases) func dissolveMixesPremultipliedColors(device: TestDevice) throws {
    let result = try render(
      "transition/dissolve", on: device, ["startImage": picture, "endImage": background], ["progress": "0.25"])
    #expect(
      result.firstDifference(over: 4.0 / 65535) { x, y in
        (PluginPicture.exact(x, y).premultiplied * 0.75 + other(x, y) * 0.25).straight
      } == nil)
  }
}
