import EtalonComparison
import EtalonTypes
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

  /// Limits that nothing can exceed, whatever the pictures are.
  static let unreachable: [([String: String], String, String)] = [
    (["emd": "1"], "emd.fail", "histograms are at most 1 apart"),
    (["relative": "2"], "relative.fail", "the larger value"),
    (["flip.mean": "1"], "flip.mean.fail", "never above 1"),
    (["flip.percentile.percent": "99", "flip.percentile.value": "1"], "flip.percentile.value.fail", "never above 1"),
    (["noise": "0"], "noise.fail", "never below 0"),
    (["channel": "2", "outliers": "100%"], "outliers.fail", "all pixels"),
    (["channel": "2", "ceiling": "9", "outliers.warn": "2", "outliers.fail": "100%"], "outliers.fail", "never fail"),
    (["alpha.channel": "2", "alpha.outliers": "100%"], "alpha.outliers.fail", "all pixels"),
    (["window.size": "8", "window.outliers": "64"], "window.outliers.fail", "8x8 pixels are 64"),
    (["oklab.distance": "0.1", "oklab.window": "4", "oklab.pixels": "16"], "oklab.pixels.fail", "4x4 pixels are 16"),
    (["channel.warn": "1"], "channel", "'channel' only warns, and nothing else lets color fail"),
    (["ssim.warn": "0.9"], "ssim", "'ssim' only warns, and nothing else lets color fail"),
    (["channel.warn": "1", "flip.mean": "0.1"], "channel", "nothing else lets alpha fail"),
    (["channel": "1", "alpha.mean.warn": "1"], "alpha.mean", "nothing else lets alpha fail"),
  ]

  /// Limits that nothing can exceed where pictures have levels; those of floats can be.
  static let unreachableOfLevels: [([String: String], String, String)] = [
    (["channel": "255"], "channel.fail", "levels are at most 255 apart"),
    (["channel.warn": "255", "mean": "1"], "channel.warn", "never warn"),
    (["ceiling": "300"], "ceiling.fail", "at most 255"),
    (["mean": "255"], "mean.fail", "at most 255"),
    (["alpha.rmse": "255"], "alpha.rmse.fail", "at most 255"),
    (["relative": "1"], "relative.fail", "the larger value"),
    (["ulp": "255"], "ulp.fail", "at most 255 steps"),
    (["psnr": "0"], "psnr.fail", "never above their largest signal"),
    (["flicker": "510"], "flicker.fail", "changes by at most 510"),
    (["oklab.distance": "1.2", "oklab.pixels": "1"], "oklab.distance", "no two colors"),
    (["nan": "equal"], "nan", "neither NaN nor infinities"),
    (["denormals": "flush"], "denormals", "no denormal numbers"),
  ]

  @Test(arguments: unreachable + unreachableOfLevels) func refusesWhatNothingExceeds(_ example: ([String: String], String, String)) throws {
    let (tolerance, diagnostics) = ToleranceSettings(example.0).read(comparing: [.bits8])
    let diagnostic = try #require(diagnostics.first { $0.key == example.1 }, "\(diagnostics)")
    #expect(diagnostic.message.contains(example.2), "\(diagnostic)")
    #expect(tolerance.diagnostics(comparing: [.bits8]).map(\.key) == [example.1])
  }

  @Test(arguments: unreachable) func refusesItOfAllPictures(_ example: ([String: String], String, String)) {
    #expect(ToleranceSettings(example.0).read().tolerance.diagnostics.map(\.key) == [example.1])
  }

  @Test(arguments: unreachableOfLevels) func bearsItOfFloats(_ example: ([String: String], String, String)) {
    let tolerance = ToleranceSettings(example.0).read().tolerance
    #expect(tolerance.diagnostics(comparing: [.floats]) == [] && tolerance.diagnostics == [])
  }

  @Test func deepIntegersHaveMoreSteps() {
    let tolerance = ToleranceSettings(["ulp": "300"]).read().tolerance
    #expect(
      tolerance.diagnostics(comparing: ChannelKind.levels) == [] && tolerance.diagnostics(comparing: [.bits8]).map(\.key) == ["ulp.fail"])
  }

  /// What no picture of 64x64 pixels, or of 4x4, can exceed.
  static let unreachableOfSizes: [([String: String], Size, String?)] = [
    (["channel": "2", "outliers": "4096"], Size(64, 64), "outliers.fail"), (["channel": "2", "outliers": "4095"], Size(64, 64), nil),
    (["channel": "2", "outliers.warn": "200", "outliers.fail": "0.1%"], Size(64, 64), "outliers"),
    (["channel": "2", "outliers.warn": "4", "outliers.fail": "0.1%"], Size(64, 64), nil),
    (["channel": "2", "outliers.warn": "200", "outliers.fail": "0.1%"], Size(640, 640), nil),
    (["window.size": "8", "window.outliers": "16"], Size(4, 4), "window.outliers.fail"),
    (["oklab.distance": "0.1", "oklab.pixels": "16"], Size(4, 4), "oklab.pixels.fail"),
  ]

  @Test(arguments: unreachableOfSizes) func refusesWhatPicturesAreTooSmallFor(_ example: ([String: String], Size, String?)) {
    let tolerance = ToleranceSettings(example.0).read().tolerance
    #expect(tolerance.diagnostics(comparing: [.bits8], size: example.1).map(\.key) == [example.2].compactMap(\.self))
    #expect(tolerance.diagnostics(comparing: [.bits8]) == [])
  }

  /// Structures may be opposite, so that 0 is a limit.
  @Test func similarityFallsBelowZero() {
    let checker = TestPictures.rgba8 { x, y in [UInt8](repeating: (x + y) % 2 == 0 ? 60 : 200, count: 3) + [255] }
    let opposite = TestPictures.rgba8 { x, y in [UInt8](repeating: (x + y) % 2 == 0 ? 200 : 60, count: 3) + [255] }
    var tolerance = Tolerance()
    tolerance.ssim = 0
    #expect(tolerance.diagnostics == [] && comparePictures(opposite, checker, tolerance: tolerance).verdict == .fail)
  }

  /// The largest measurements that there are, each beside the bound that limits must stay below.
  @Test func boundsAreReached() throws {
    let black = TestPictures.rgba8 { _, _ in [0, 0, 0, 0] }, yellow = TestPictures.rgba8 { _, _ in [255, 255, 0, 255] }
    let white = TestPictures.rgba8 { _, _ in [255, 255, 255, 255] }
    let result = comparePictures(white, black, metrics: Set(ComparisonMetric.allCases))
    let color = try #require(result.color)
    #expect(color.largest == 255 && color.mean == 255 && color.rmse == 255 && color.psnr == 0)
    #expect(color.relative == 1 && color.ulp == 255 && color.emd == 1)
    let distance = try #require(comparePictures(yellow, black, metrics: [.oklab]).oklab).largest
    #expect(distance < 1.179 && distance > 1.1785)
    var meter = FlickerMeter()
    _ = meter.add(white, black)
    #expect(meter.add(black, white)?.largest == 510)
  }

  @Test func saysWhichPartOfALineIsWrong() {
    func part(_ texts: [String: String]) -> ToleranceDiagnostic.Part? {
      ToleranceSettings(texts).read(comparing: [.bits8]).diagnostics.first?.part
    }
    #expect(part(["chanel": "1"]) == .key && part(["outliers": "3"]) == .key && part(["window.size": "3"]) == .key)
    #expect(part(["channel": "255"]) == .value && part(["channel": "one"]) == .value && part(["nan": "equal"]) == .key)
  }

  @Test(arguments: contradictions) func refuses(_ example: ([String: String], String, String)) throws {
    let diagnostics = ToleranceSettings(example.0).read().diagnostics
    let diagnostic = try #require(diagnostics.first { $0.key == example.1 }, "\(diagnostics)")
    #expect(diagnostic.message.contains(example.2), "\(diagnostic)")
  }

  @Test func unknownKeysHaveCandidates() {
    let diagnostics = ToleranceSettings(["chanel": "1"]).read().diagnostics
    #expect(diagnostics.count == 1 && diagnostics[0].candidates.contains("channel"))
  }

  @Test func readsEveryKey() throws {
    let texts = [
      "channel.warn": "1", "channel.fail": "2", "outliers": "0.5%", "ceiling": "9", "relative": "0.1", "ulp": "4", "mean": "0.2",
      "rmse": "0.3", "psnr": "40", "window.size": "8", "window.outliers": "3", "emd": "0.01", "ssim": "0.9", "flip.mean": "0.02",
      "flip.percentile.percent": "99", "flip.percentile.value": "0.3", "flip.pixelsPerDegree": "60", "oklab.distance": "0.03",
      "oklab.window": "5", "oklab.pixels": "2", "shift": "1", "alpha.channel": "3", "ignoreColorUnderZeroAlpha": "true", "nan": "equal",
      "denormals": "flush",
    ]
    let (tolerance, diagnostics) = ToleranceSettings(texts).read()
    #expect(diagnostics.isEmpty)
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
