import Etalon
import EtalonTypes
import Foundation
import Testing

/// The filters of `Plugins/generate` draw what their formulas say.
@Suite struct GeneratorTests {
  private let size = Size(48, 32)

  private func picture(_ filter: String, on device: TestDevice, _ settings: [String: String], frame: Int = 0) throws -> TestPicture {
    var shot = TestShot(plugin: "generate/\(filter)", on: device, [:], settings)
    shot.request.size = size
    shot.request.bits = 16
    shot.request.frames = .range(try #require(FrameRange(frame...frame)))
    return try shot.picture()
  }

  @Test(arguments: TestDevice.allCases) func constantColorIsStraightInTheFile(device: TestDevice) throws {
    let picture = try picture("constant-color", on: device, ["color": "1,0.5,0.25,0.5"])
    #expect(picture.firstDifference(over: 2.0 / 65535) { _, _ in ExactColor(1, 0.5, 0.25, 0.5) } == nil)
  }

  // MARK: gradients

  private let orange = ExactColor(1, 0.5, 0, 1)
  private let clear = ExactColor(0, 0.25, 1, 0.25)
  private let colors = (orange: "1,0.5,0,1", clear: "0,0.25,1,0.25")

  private func mixed(_ place: Double, isSmooth: Bool) -> ExactColor {
    let clamped = min(max(place, 0), 1)
    let place = isSmooth ? clamped * clamped * (3 - 2 * clamped) : clamped
    return (orange.premultiplied * (1 - place) + clear.premultiplied * place).straight
  }

  @Test(arguments: TestDevice.allCases, [false, true]) func linearGradientFollowsItsLine(device: TestDevice, isSmooth: Bool) throws {
    let picture = try picture(
      "linear-gradient", on: device,
      [
        "startPoint": "0.25,0.25", "endPoint": "0.75,1", "startColor": colors.orange, "endColor": colors.clear,
        "curve": isSmooth ? "smooth" : "linear",
      ])
    #expect(
      picture.firstDifference(over: 4.0 / 65535) { x, y in
        let offset = SIMD2(Double(x) + 0.5 - 12, Double(y) + 0.5 - 8)
        return mixed((offset * SIMD2(24, 24)).sum() / (24 * 24 + 24 * 24), isSmooth: isSmooth)
      } == nil)
  }

  @Test func linearGradientNeedsALine() {
    #expect(throws: (any Error).self) {
      try picture("linear-gradient", on: .cpu, ["startPoint": "0.5,0.5", "endPoint": "0.5,0.5"])
    }
  }

  @Test(arguments: TestDevice.allCases, [false, true]) func radialGradientFollowsTheDistance(device: TestDevice, isSmooth: Bool) throws {
    let picture = try picture(
      "radial-gradient", on: device,
      [
        "center": "0.25,0.75", "radius": "0.75", "innerRadius": "0.25", "innerColor": colors.orange, "outerColor": colors.clear,
        "curve": isSmooth ? "smooth" : "linear",
      ])
    #expect(
      picture.firstDifference(over: 4.0 / 65535) { x, y in
        let distance = hypot(Double(x) + 0.5 - 12, Double(y) + 0.5 - 24)
        return mixed((distance - 6) / 18, isSmooth: isSmooth)
      } == nil)
  }

  @Test(arguments: TestDevice.allCases) func radialGradientIsADiskWithAnEdgeOfOnePixel(device: TestDevice) throws {
    let picture = try picture("radial-gradient", on: device, ["radius": "0.3", "innerRadius": "1"])
    #expect(
      picture.firstDifference(over: 4.0 / 65535) { x, y in
        let cover = min(max(9.6 + 0.5 - hypot(Double(x) + 0.5 - 24, Double(y) + 0.5 - 16), 0), 1)
        return ExactColor(cover, cover, cover, 1)
      } == nil)
  }

  // MARK: noise

  private func mixed(_ bits: UInt32) -> UInt32 {
    var bits = (bits ^ (bits >> 16)) &* 0x7feb_352d
    bits = (bits ^ (bits >> 15)) &* 0x846c_a68b
    return bits ^ (bits >> 16)
  }

  private func level(_ bits: UInt32) -> Double { Double(bits >> 8) / 16_777_215 }

  private func noise(_ x: Int, _ y: Int, seed: UInt32, frame: UInt32) -> UInt32 {
    mixed(UInt32(x) ^ mixed(UInt32(y) ^ mixed(seed ^ mixed(frame))))
  }

  @Test(arguments: TestDevice.allCases) func noiseIsAHashOfTheCell(device: TestDevice) throws {
    let gray = try picture("noise", on: device, ["seed": "7"])
    #expect(
      gray.firstDifference(over: 1.0 / 65535) { x, y in
        let value = level(noise(x, y, seed: 7, frame: 0))
        return ExactColor(value, value, value, 1)
      } == nil)
    let colored = try picture("noise", on: device, ["seed": "9", "grain": "5", "colored": "true", "animated": "true"], frame: 3)
    #expect(
      colored.firstDifference(over: 1.0 / 65535) { x, y in
        let bits = noise(x / 5, y / 5, seed: 9, frame: 3)
        return ExactColor(level(bits), level(mixed(bits ^ 1)), level(mixed(bits ^ 2)), 1)
      } == nil)
  }

  @Test func noiseIsSpreadEvenly() throws {
    let picture = try picture("noise", on: .cpu, [:])
    let levels = (0..<size.height).flatMap { y in (0..<size.width).map { x in picture.color(x, y).x } }
    let mean = levels.reduce(0, +) / Double(levels.count)
    let variance = levels.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(levels.count)
    #expect(abs(mean - 0.5) < 0.02 && abs(variance - 1.0 / 12) < 0.005)
    let neighbors = zip(levels, levels.dropFirst()).map { ($0 - mean) * ($1 - mean) }.reduce(0, +) / Double(levels.count)
    #expect(abs(neighbors) < 0.006)
  }
}
