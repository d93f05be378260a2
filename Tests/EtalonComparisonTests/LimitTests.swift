import EtalonComparison
import EtalonTypes
import Testing

/// Every limit, both ways: values on it hold, values beyond it do not, and levels to warn at come first.
@Suite struct LimitTests {
  private let gray = TestPictures.rgba8 { _, _ in [100, 100, 100, 200] }

  private var actual: PixelBuffer {
    gray.adding([(3, 3, 0, 10), (4, 3, 0, 10), (5, 3, 1, -6), (40, 40, 2, 20), (10, 50, 3, 8)])
  }

  /// Settings, and the keys of the limits that then warn or fail.
  static let examples: [(String, [String: String], [String], ComparisonVerdict)] = [
    ("nothing", [:], ["alpha.channel", "channel"], .fail),
    ("channel on it", ["channel": "20"], [], .pass),
    ("channel beyond", ["channel": "19"], ["channel"], .fail),
    ("channel warns", ["channel.warn": "19", "channel.fail": "20"], ["channel"], .warn),
    ("outliers on it", ["channel": "8", "outliers": "3"], [], .pass),
    ("outliers beyond", ["channel": "7", "outliers": "2"], ["outliers"], .fail),
    ("alpha apart", ["channel": "7", "outliers": "3", "alpha.channel": "7"], ["alpha.channel"], .fail),
    ("outliers in percent", ["channel": "8", "outliers": "0.08%"], [], .pass),
    ("too many percent", ["channel": "8", "outliers": "0.07%"], ["outliers"], .fail),
    ("outliers warn", ["channel": "8", "outliers.warn": "2", "outliers.fail": "3"], ["outliers"], .warn),
    ("channel warns of outliers", ["channel.warn": "5", "channel.fail": "8", "outliers": "3"], ["outliers"], .warn),
    ("ceiling on it", ["channel": "8", "outliers": "9", "ceiling": "20"], [], .pass),
    ("ceiling beyond", ["channel": "8", "outliers": "9", "ceiling": "19"], ["ceiling"], .fail),
    ("relative on it", ["relative": "0.17"], [], .pass),
    ("relative beyond", ["relative": "0.16"], ["relative"], .fail),
    ("ulp on it", ["ulp": "20"], [], .pass),
    ("ulp beyond", ["ulp": "19"], ["ulp"], .fail),
    ("mean on it", ["mean": "0.00375"], [], .pass),
    ("mean beyond", ["mean": "0.0037"], ["mean"], .fail),
    ("rmse on it", ["rmse": "0.23"], [], .pass),
    ("rmse beyond", ["rmse": "0.22"], ["rmse"], .fail),
    ("psnr on it", ["psnr": "60"], [], .pass),
    ("psnr beyond", ["psnr": "61.1"], ["psnr"], .fail),
    ("psnr warns", ["psnr.warn": "61.1", "psnr.fail": "60"], ["psnr"], .warn),
    ("window on it", ["channel": "5", "outliers": "99", "window.size": "4", "window.outliers": "3"], [], .pass),
    ("window beyond", ["channel": "5", "outliers": "99", "window.size": "4", "window.outliers": "2"], ["window.outliers"], .fail),
    ("small window", ["channel": "5", "outliers": "99", "window.size": "2", "window.outliers": "2"], [], .pass),
    ("emd on it", ["emd": "0.00002"], [], .pass),
    ("emd beyond", ["emd": "0.00001"], ["emd"], .fail),
    ("ssim on it", ["ssim": "0.99", "alpha.channel": "8"], [], .pass),
    ("ssim beyond", ["ssim": "0.99999", "alpha.channel": "8"], ["ssim"], .fail),
    ("flip on it", ["flip.mean": "0.01", "alpha.channel": "8"], [], .pass),
    ("flip beyond", ["flip.mean": "0.00001", "alpha.channel": "8"], ["flip.mean"], .fail),
    ("flip says nothing of alpha", ["flip.mean": "0.01"], ["alpha.channel"], .fail),
    ("oklab on it", ["oklab.distance": "0.01", "oklab.pixels": "4", "alpha.channel": "8"], [], .pass),
    ("oklab beyond", ["oklab.distance": "0.01", "oklab.pixels": "3", "alpha.channel": "8"], ["oklab.pixels"], .fail),
    (
      "oklab window", ["oklab.distance": "0.01", "oklab.window": "8", "oklab.pixels": "3", "alpha.channel": "8"], [], .pass
    ),
    ("alpha alone", ["alpha.channel": "8"], ["channel"], .fail),
  ]

  @Test(arguments: examples) func holds(_ example: (String, [String: String], [String], ComparisonVerdict)) {
    let (tolerance, diagnostics) = ToleranceSettings(example.1).read()
    #expect(diagnostics.isEmpty)
    let result = comparePictures(actual, gray, tolerance: tolerance)
    #expect(result.verdict == example.3, "\(example.0): \(result.headline)")
    #expect(result.limits.filter { $0.verdict != .pass }.map(\.key).sorted() == example.2, "\(example.0): \(result.summary)")
    for limit in result.limits where limit.verdict != .pass {
      #expect(limit.verdict == .warn || limit.margin < 0, "\(limit.key) has the margin \(limit.margin)")
    }
  }

  /// What was measured, a limit, and how both are read: what is beyond a limit never reads as if it were on it.
  static let readings: [(String, String, UInt8, String)] = [
    ("channel", "0", 1, "fail: channel 1 level, at most 0 levels"), ("channel", "1", 3, "fail: channel 3 levels, at most 1 level"),
    ("ssim", "0.99999999", 1, "fail: ssim 0.9999998, at least 0.99999999"),
    ("mean", "0.00008138", 1, "fail: mean 0.0000813802 levels, at most 0.00008138 levels"),
    ("ulp", "0", 1, "fail: ulp 1 step, at most 0 steps"),
  ]

  @Test(arguments: readings) func readsAsItIs(_ example: (String, String, UInt8, String)) {
    let tolerance = ToleranceSettings([example.0: example.1, "alpha.channel": "8"]).read().tolerance
    let headline = comparePictures(gray.adding([(8, 8, 0, Int(example.2))]), gray, tolerance: tolerance).headline
    #expect(headline == example.3)
  }

  @Test func exactIsTheDefault() {
    #expect(Tolerance().effectiveColor == ChannelTolerance(channel: 0) && Tolerance().effectiveAlpha == ChannelTolerance(channel: 0))
    #expect(comparePictures(gray, gray, tolerance: Tolerance()).verdict == .pass)
  }
}
