internal import CComparison
import EtalonTypes
import Foundation

/// A palette whose lightness rises evenly, so that brighter means more to every eye, and in print.
enum FalseColor {
  /// 256 colors of four bytes: black, then lightness from 0.2 to 0.97 in OKLab, hue from blue over red to yellow.
  static let palette: [UInt8] = [0, 0, 0, 255] + (1..<256).flatMap { index in color(Double(index) / 255) + [255] }

  static func picture(_ map: [Float], _ size: Size, scale: Float, isLogarithmic: Bool) -> PixelBuffer {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: map.count * 4) { pixels, used in
      unsafe map.withUnsafeBufferPointer { map in
        unsafe palette.withUnsafeBufferPointer { palette in
          unsafe comparison_paint_map(map.baseAddress, map.count, scale, isLogarithmic, palette.baseAddress, pixels.baseAddress)
        }
      }
      used = map.count * 4
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes)
  }

  private static func color(_ position: Double) -> [UInt8] {
    let lightness = 0.2 + 0.77 * position
    let hue = (285 + 185 * position) * Double.pi / 180
    // The most colorful that a screen shows at this lightness and hue, up to a limit.
    var chroma = 0.22 * sin(Double.pi * min(1, position * 1.02 + 0.02))
    while chroma > 0, linear(lightness, chroma, hue).contains(where: { $0 < -1e-4 || $0 > 1 + 1e-4 }) { chroma -= 0.002 }
    return linear(lightness, max(0, chroma), hue).map { UInt8((255 * encoded(max(0, min(1, $0)))).rounded()) }
  }

  private static func linear(_ lightness: Double, _ chroma: Double, _ hue: Double) -> [Double] {
    let a = chroma * cos(hue), b = chroma * sin(hue)
    let l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3)
    let m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3)
    let s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3)
    return [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
  }

  private static func encoded(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}
