import EtalonComparison
import Foundation
import Testing

/// What tolerances are read from, and what contradicts itself.
@Suite struct ToleranceTests {
  static let contradictions: [([String: String], String, String)] = [
    (["outliers": "3"], "outliers", "without 'channel'"),
    (["alpha.outliers": "3"], "alpha.outliers", "without 'alpha.channel'"),
    (["channel": "4", "ceiling": "3"], "ceiling", "below 'channel'"),
    (["channel.warn": "3", "channel.fail": "2"], "channel", "never warn"),
    (["psnr.warn": "20", "psnr.fail": "30"], "psnr", "never warn"),
    (["channel": "-1"], "channel.fail", "at least 0"),
    (["channel": "1", "outliers": "101%"], "outliers.fail", "0% to 100%"),
    (["channel": "1", "outliers": "-1"], "outliers.fail", "at least 0"),
    (["channel": "1", "outliers.warn": "1"], "outliers", "no 'fail' level"),
    (["channel": "1", "outliers.warn": "3", "outliers.fail": "2"], "outliers", "never warn"),
    (["window.size": "4"], "window", "needs 'window.outliers'"),
    (["window.outliers": "4"], "window", "needs 'window.size'"),
    (["window.size": "0", "window.outliers": "4"], "window.size", "at least 1 pixel"),
    (["ssim": "1.5"], "ssim.fail", "0 to 1"),
    (["flip.mean": "2"], "flip.mean.fail", "0 to 1"),
    (["flip.pixelsPerDegree": "60"], "flip", "limits nothing"),
    (["flip.percentile.percent": "95"], "flip.percentile", "needs 'flip.percentile.value'"),
    (["flip.percentile.percent": "101", "flip.percentile.value": "0.1"], "flip.percentile.percent", "0 to 100"),
    (["oklab.window": "8"], "oklab", "needs 'oklab.distance'"),
    (["oklab.distance": "3", "oklab.pixels": "1"], "oklab.distance", "0 to 2"),
    (["shift": "2"], "shift", "0 or 1"),
    (["channel": "one"], "channel", "expected a number, found 'one'"),
    (["channel": "nan"], "channel", "expected a number"),
    (["channel": "1", "channel.fail": "1"], "channel", "say the same"),
    (["nan": "maybe"], "nan", "equal or ignore or strict"),
    (["chanel": "1"], "chanel", "no key 'chanel'"),
  ]

  @Test(arguments: contradictions) func refuses(_ example: ([String: String], String, String)) throws {
    let problems = ToleranceSettings(example.0).read().problems
    let problem = try #require(problems.first { $0.key == example.1 }, "\(problems)")
    #expect(problem.message.contains(example.2), "\(problem)")
  }

  @Test func unknownKeysHaveCandidates() {
    let problems = ToleranceSettings(["chanel": "1"]).read().problems
    #expect(problems.count == 1 && problems[0].candidates.contains("channel"))
  }

  @Test func readsEveryKey() throws {
    let texts = [
      "channel.warn": "1", "channel.fail": "2", "outliers": "0.5%", "ceiling": "9", "relative": "0.1", "ulp": "4", "mean": "0.2",
      "rmse": "0.3", "psnr": "40", "window.size": "8", "window.outliers": "3", "emd": "0.01", "ssim": "0.9", "flip.mean": "0.02",
      "flip.percentile.percent": "99", "flip.percentile.value": "0.3", "flip.pixelsPerDegree": "60", "oklab.distance": "0.03",
      "oklab.window": "5", "oklab.pixels": "2", "shift": "1", "alpha.channel": "3", "ignoreColorUnderZeroAlpha": "true", "nan": "equal",
      "denormals": "flush",
    ]
    let (tolerance, problems) = ToleranceSettings(texts).read()
    #expect(problems.isEmpty)
    #expect(tolerance.channel == Limit(warn: 1, fail: 2) && tolerance.outliers == CountLimit(fail: .percent(0.5)))
    #expect(tolerance.window == WindowLimit(size: 8, outliers: 3) && tolerance.alpha == ChannelTolerance(channel: 3))
    #expect(tolerance.flip == FLIPLimit(mean: 0.02, percentile: PercentileLimit(percent: 99, value: 0.3), pixelsPerDegree: 60))
    #expect(tolerance.oklab == OKLabLimit(distance: 0.03, window: 5, pixels: 2) && tolerance.nan == .equal && tolerance.denormals == .flush)
    #expect(texts.keys.allSatisfy(ToleranceSettings.keys.contains))
    let decoded = try JSONDecoder().decode(Tolerance.self, from: JSONEncoder().encode(tolerance))
    #expect(decoded == tolerance)
  }

  @Test func resultsSurviveJSON() throws {
    let picture = TestPictures.waves()
    for other in [picture, picture.adding([(3, 3, 1, 4)])] {
      let result = comparePictures(other, picture, metrics: Set(ComparisonMetric.allCases))
      #expect(try JSONDecoder().decode(PictureComparison.self, from: JSONEncoder().encode(result)) == result)
    }
  }
}
