import EtalonComparison
import EtalonTypes

/// The code of the article `ComparingPictures`.
enum ComparingPictures {
  static func compare(_ actual: PixelBuffer, _ reference: PixelBuffer) {
    var tolerance = Tolerance(channel: 2, outliers: 10, ceiling: 16)
    tolerance.flip = FLIPLimit(mean: 0.01)
    let result = comparePictures(actual, reference, tolerance: tolerance, metrics: [.ssim])
    if result.verdict.isFailure { print(result.summary) }
  }
}
