internal import CComparison
public import EtalonTypes

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

/// The numbers behind `flipMap`, the top row first.
package func flipErrors(_ actual: PixelBuffer, _ reference: PixelBuffer, pixelsPerDegree: Double? = nil) -> [Float] {
  PicturePair(actual, reference).flip(pixelsPerDegree: pixelsPerDegree)
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
