internal import CComparison
public import EtalonTypes
internal import Foundation

/// The absolute differences of the color channels, made brighter: black where both pictures are equal.
///
/// ```
/// let picture = differencePicture(actual, reference)    // 16 levels are white
/// ```
public func differencePicture(_ actual: PixelBuffer, _ reference: PixelBuffer, gain: Double = 16) -> PixelBuffer {
  PicturePair(actual, reference).paintedDifference(ofAlpha: false, gain: gain)
}

/// The absolute differences of alpha as shades of gray, made brighter.
public func alphaDifferencePicture(_ actual: PixelBuffer, _ reference: PixelBuffer, gain: Double = 16) -> PixelBuffer {
  PicturePair(actual, reference).paintedDifference(ofAlpha: true, gain: gain)
}

/// The largest difference of each pixel as a color, from black (equal) over violet and red to pale yellow (255 levels).
///
/// The scale is logarithmic, so that one level can be seen; pixels where only one picture is finite are cyan.
public func falseColor(_ actual: PixelBuffer, _ reference: PixelBuffer, tolerance: Tolerance = .exact) -> PixelBuffer {
  let pair = PicturePair(actual, reference, tolerance: tolerance)
  var maps = DifferenceMaps(pair)
  if tolerance.shift == 1 { maps = maps.shifted(pair) }
  let levels: Float = PicturePair.unit(actual, reference) == .levels ? 1 : 255
  let none = [Float](repeating: 0, count: pair.size.pixelCount)
  let values = zip(maps.color?.values ?? none, maps.alpha?.values ?? none).map { max($0, $1) * levels }
  return FalseColor.picture(values, pair.size, scale: 255 / 8, isLogarithmic: true)
}

/// How visible the difference is at each pixel, by FLIP, in the same colors on a linear scale.
public func flipMap(_ actual: PixelBuffer, _ reference: PixelBuffer, pixelsPerDegree: Double? = nil) -> PixelBuffer {
  let pair = PicturePair(actual, reference)
  return FalseColor.picture(pair.flip(pixelsPerDegree: pixelsPerDegree), pair.size, scale: 255, isLogarithmic: false)
}

extension PicturePair {
  fileprivate func paintedDifference(ofAlpha: Bool, gain: Double) -> PixelBuffer {
    let count = size.pixelCount * 4
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { pixels, used in
      unsafe withPair { unsafe comparison_paint_difference($0, ofAlpha, Float(gain), pixels.baseAddress) }
      used = count
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes)
  }
}

/// A palette whose lightness rises evenly, so that a brighter color is a larger number also in print and for color-blind readers.
private enum FalseColor {
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
