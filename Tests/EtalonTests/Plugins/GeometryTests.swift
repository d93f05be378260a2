import Etalon
import EtalonTypes
import Foundation
import Testing

/// The warp kernels of `Plugins` read where their formulas say.
@Suite struct GeometryTests {
  private let folder: TemporaryFolder
  private let path: String
  private let size = PluginPicture.size

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.picture("picture.png", PluginPicture.size, PluginPicture.color)
  }

  private func render(_ plugin: String, on device: TestDevice, _ settings: [String: String]) throws -> TestPicture {
    var shot = TestShot(plugin: plugin, on: device, ["inputImage": path], settings)
    shot.request.bits = 16
    return try shot.picture()
  }

  /// The straight color between four pixels; `pixel` says what lies beyond the edges.
  private func interpolated(at position: SIMD2<Double>, _ pixel: (_ x: Int, _ y: Int) -> ExactColor) -> ExactColor {
    let place = position - 0.5
    let low = place.rounded(.down)
    let part = place - low
    let (x, y) = (Int(low.x), Int(low.y))
    let bottom = pixel(x, y).premultiplied * (1 - part.x) + pixel(x + 1, y).premultiplied * part.x
    let top = pixel(x, y + 1).premultiplied * (1 - part.x) + pixel(x + 1, y + 1).premultiplied * part.x
    return (bottom * (1 - part.y) + top * part.y).straight
  }

  /// Devices interpolate with weights of at least eight bits; the CPU executor does with floats.
  private func tolerance(_ device: TestDevice) -> Double { device == .cpu ? 1e-4 : 8e-3 }

  private func transparentBeyond(_ x: Int, _ y: Int) -> ExactColor {
    (0..<size.width).contains(x) && (0..<size.height).contains(y) ? PluginPicture.exact(x, y) : .zero
  }

  @Test(arguments: TestDevice.allCases) func affineScalesSlantsTurnsAndMoves(device: TestDevice) throws {
    let picture = try render(
      "geometry/affine", on: device,
      ["translation": "3.5,-2", "angle": "30", "scale": "1.5,-0.75", "slant": "0.25", "anchor": "0.25,0.5"])
    // The matrix that takes the picture to its new place, and its inverse by Cramer's rule.
    let (c, s) = (cos(Double.pi / 6), sin(Double.pi / 6))
    let (a, b) = (c * 1.5, (c * 0.25 - s) * -0.75)
    let (e, f) = (s * 1.5, (s * 0.25 + c) * -0.75)
    let determinant = a * f - b * e
    #expect(
      picture.firstDifference(over: tolerance(device)) { x, y in
        let offset = SIMD2(Double(x) + 0.5 - 3.5 - 12, Double(y) + 0.5 + 2 - 16)
        let source = SIMD2(f * offset.x - b * offset.y, a * offset.y - e * offset.x) / determinant + SIMD2(12, 16)
        return interpolated(at: source, transparentBeyond)
      } == nil)
  }

  @Test(arguments: TestDevice.allCases) func affineChangesNothingByDefault(device: TestDevice) throws {
    let picture = try render("geometry/affine", on: device, [:])
    #expect(picture.firstDifference(over: 2.0 / 65535) { x, y in PluginPicture.exact(x, y).premultiplied.straight } == nil)
  }

  @Test func affineRefusesAPictureWithoutWidth() {
    #expect(throws: (any Error).self) { try render("geometry/affine", on: .cpu, ["scale": "0,1"]) }
  }

  private func mirroredBeyond(_ x: Int, _ y: Int) -> ExactColor {
    func mirrored(_ place: Int, _ side: Int) -> Int {
      let within = ((place % (2 * side)) + 2 * side) % (2 * side)
      return min(within, 2 * side - 1 - within)
    }
    return PluginPicture.exact(mirrored(x, size.width), mirrored(y, size.height))
  }

  @Test(arguments: TestDevice.allCases, [1, 5]) func kaleidoscopeFoldsDirections(device: TestDevice, count: Int) throws {
    let picture = try render(
      "geometry/kaleidoscope", on: device, ["count": "\(count)", "angle": "20", "center": "0.375,0.25"])
    let middle = SIMD2(18.0, 8.0)
    let start = 20 * Double.pi / 180
    let pair = 2 * Double.pi / Double(count)
    #expect(
      picture.firstDifference(over: device == .cpu ? 4e-4 : 2e-2) { x, y in
        let offset = SIMD2(Double(x), Double(y)) + 0.5 - middle
        let around = (atan2(offset.y, offset.x) - start).truncatingRemainder(dividingBy: pair)
        let direction = around < 0 ? around + pair : around
        let folded = min(direction, pair - direction) + start
        let source = middle + SIMD2(cos(folded), sin(folded)) * hypot(offset.x, offset.y)
        return interpolated(at: source, mirroredBeyond)
      } == nil)
  }

  @Test(arguments: TestDevice.allCases) func pixellateShowsTheMiddleOfEachSquare(device: TestDevice) throws {
    let picture = try render("stylize/pixellate", on: device, ["scale": "5", "center": "0.25,0"])
    #expect(
      picture.firstDifference(over: 2.0 / 65535) { x, y in
        // Four squares meet at 12, 0, so the first column of squares begins at -3.
        PluginPicture.exact(min((x + 3) / 5 * 5 - 1, 47), min(y / 5 * 5 + 2, 31))
      } == nil)
  }

  @Test(arguments: TestDevice.allCases) func cropIsAsLargeAsItsRectangle(device: TestDevice) throws {
    // From 9.6 to 40.8 and from 8 to 24: the pixel 9 has its center outside, the pixel 40 inside.
    let picture = try render("geometry/crop", on: device, ["rectangle": "0.2,0.25,0.65,0.5"])
    #expect(picture.size == Size(31, 16))
    #expect(picture.firstDifference(over: 2.0 / 65535) { x, y in PluginPicture.exact(x + 10, y + 8).premultiplied.straight } == nil)
  }
}
