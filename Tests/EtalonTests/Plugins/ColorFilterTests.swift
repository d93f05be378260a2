import Etalon
import EtalonTypes
import Foundation
import Testing

/// The filters of `Plugins/color` do to premultiplied pixels what their formulas do to straight colors.
@Suite struct ColorFilterTests {
  /// Renders a filter with 16 bits for each channel and compares it with a function of straight colors.
  private func check(
    _ filter: String, on device: TestDevice, _ settings: [String: String], tolerance: Double = 4.0 / 65535,
    _ expected: (ExactColor) -> ExactColor
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.picture("picture.png", PluginPicture.size, PluginPicture.color)
    var shot = TestShot(plugin: "color/\(filter)", on: device, ["inputImage": path], settings)
    shot.request.bits = 16
    let picture = try shot.picture()
    #expect(
      picture.firstDifference(over: tolerance) { x, y in
        let color = PluginPicture.exact(x, y)
        return color.w == 0 ? .zero : expected(color)
      } == nil)
  }

  @Test(arguments: TestDevice.allCases, [0, 30, 120, -77.5]) func hueRotateIsTheMatrixOfCSS(device: TestDevice, angle: Double) throws {
    let c = cos(angle * .pi / 180)
    let s = sin(angle * .pi / 180)
    try check("hue-rotate", on: device, ["angle": "\(angle)"]) { color in
      let rotated = [
        [0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928],
        [0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283],
        [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072],
      ].map { $0[0] * color.x + $0[1] * color.y + $0[2] * color.z }
      return ExactColor(rotated[0], rotated[1], rotated[2], color.w)
    }
  }

  @Test(arguments: TestDevice.allCases, [0, 0.5, 1, 3]) func saturationKeepsTheLuma(device: TestDevice, amount: Double) throws {
    try check("saturation", on: device, ["amount": "\(amount)"]) { color in
      var result = (color - color.luma) * amount + color.luma
      result.w = color.w
      return result
    }
  }

  @Test(arguments: TestDevice.allCases) func brightnessAndContrastSeeStraightColors(device: TestDevice) throws {
    try check("brightness-contrast", on: device, ["brightness": "0.1", "contrast": "1.5"]) { color in
      var result = (color - 0.5) * 1.5 + 0.6
      result.w = color.w
      return result
    }
    try check("brightness-contrast", on: device, ["contrast": "1"]) { $0 }
  }

  @Test(arguments: TestDevice.allCases, [0.45, 1, 2.2]) func gammaSeesStraightColors(device: TestDevice, gamma: Double) throws {
    try check("gamma", on: device, ["gamma": "\(gamma)"], tolerance: 8.0 / 65535) { color in
      ExactColor(pow(color.x, 1 / gamma), pow(color.y, 1 / gamma), pow(color.z, 1 / gamma), color.w)
    }
  }

  @Test(arguments: TestDevice.allCases) func monoWeighsTheChannels(device: TestDevice) throws {
    try check("mono", on: device, ["amount": "0.75", "color": "1,0.5,0.25,0.8", "weights": "0.5,0.3,0.1"]) { color in
      let gray = 0.5 * color.x + 0.3 * color.y + 0.1 * color.z
      var result = color * 0.4 + ExactColor(1, 0.5, 0.25, 0) * gray * 0.6
      result.w = color.w
      return result
    }
    try check("mono", on: device, ["amount": "0"]) { $0 }
    try check("mono", on: device, [:]) { color in ExactColor(color.luma, color.luma, color.luma, color.w) }
  }
}
