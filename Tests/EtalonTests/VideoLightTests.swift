import EtalonGraph
import EtalonManifest
import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Light beyond white as the planes of videos, against the formulas of ITU-R BT.2100-2 and BT.2087 in double precision.
@Suite("light of videos")
struct VideoLightTests {
  private static let graphs = TestGraphs()
  private static let size = Size(20, 6)

  private static func color(_ transfer: PlaneForm.Color.Transfer, white: Double = 203, isRGB: Bool = false) -> PlaneForm.Color {
    var color = PlaneForm.Color(
      range: isRGB ? .full : .limited, matrix: isRGB ? .identity : .bt2020, transfer: transfer, primaries: .bt2020)
    color.white = white
    return color
  }

  static let forms: [PlaneForm] = [
    PlaneForm(.lumaAndChroma, bits: 10, color: color(.pq)), PlaneForm(.lumaAndChroma, bits: 10, color: color(.pq, white: 100)),
    PlaneForm(.lumaAndChroma, bits: 10, color: color(.hlg)), PlaneForm(.redGreenBlue, bits: 12, color: color(.pq, isRGB: true)),
    PlaneForm(.redGreenBlue, bits: 10, color: color(.hlg, isRGB: true)),
  ]

  /// The light of an sRGB-encoded number, beyond 1 by the same curve.
  private func light(_ number: Double) -> Double { number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4) }

  /// A color as red, green and blue of BT.2020 with the curve of a form.
  private func signal(_ encoded: [Double], _ form: PlaneForm) -> [Double] {
    let rows = [[0.6274039, 0.3292830, 0.0433131], [0.0690973, 0.9195404, 0.0113623], [0.0163914, 0.0880133, 0.8955953]]
    let own = encoded.map(light)
    let wide = rows.map { row in max(0, zip(row, own).reduce(0) { $0 + $1.0 * $1.1 }) * form.color.white }
    if form.color.transfer == .pq {
      return wide.map { nits in
        let power = pow(min(nits / 10000, 1), 2610.0 / 16384)
        return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
      }
    }
    let shown = wide.map { $0 / 1000 }
    let luminance = max(0.2627 * shown[0] + 0.6780 * shown[1] + 0.0593 * shown[2], 1e-6)
    return shown.map { part in
      let scene = part * pow(luminance, -1.0 / 6)
      return min(1, scene <= 1.0 / 12 ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073)
    }
  }

  private func numbers(_ color: [Double], _ form: PlaneForm) -> [Double] {
    guard form.channels == .lumaAndChroma else { return color.map { $0 * Double(form.largest) } }
    let luma = 0.2627 * color[0] + 0.6780 * color[1] + 0.0593 * color[2]
    return [64 + 876 * luma, 512 + 896 * (color[2] - luma) / 1.8814, 512 + 896 * (color[0] - luma) / 1.4746]
  }

  @Test(arguments: forms) func leavesWithItsCurve(_ form: PlaneForm) throws {
    let size = Self.size
    var random = SeededNumbers(seed: 5)
    // From black to 4.6 times the light of white.
    let pixels: [Float] = (0..<size.pixelCount * 4).map { index in
      index % 4 == 3 ? 1 : Float(UInt16.random(in: 0...65535, using: &random)) / 65535 * 1.9
    }
    let bytes = pixels.flatMap { pixel in (0..<4).map { UInt8(truncatingIfNeeded: pixel.bitPattern >> UInt32(8 * $0)) } }
    let picture = PixelBuffer(size: size, format: .rgba32f, alpha: .straight, bytes: bytes)
    let graph = ImageGraph(outputs: [.init(image: ImageRecipe(.picture(picture), label: "picture"), planes: form)], format: .rgba32f)
    let run = try GraphRun(graph, of: Self.graphs, frames: 1)
    for device in TestDevice.allCases {
      let found = try run.bytes(nil, on: device)
      var brightest = 0
      for y in 0..<size.height {
        for x in 0..<size.width {
          let encoded = (0..<3).map { Double(pixels[(y * size.width + x) * 4 + $0]) }
          let expected = numbers(signal(encoded, form), form)
          for plane in 0..<3 {
            let place = 2 * (y * ((size.width + 3) / 4 * 4) + x)
            let number = Int(found[plane][place]) + 256 * Int(found[plane][place + 1])
            #expect(abs(Double(number) - expected[plane]) < 0.5 + Double(form.largest) * 2e-5, "plane \(plane) of \(x), \(y): \(number)")
            brightest = max(brightest, plane == 0 ? number : 0)
          }
        }
      }
      // White alone is at 58 % of PQ and 75 % of HLG (ITU-R BT.2408).
      let white = numbers(signal([1, 1, 1], form), form)[0]
      #expect(Double(brightest) > white)
    }
  }

}
