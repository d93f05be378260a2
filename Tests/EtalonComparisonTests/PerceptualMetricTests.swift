import EtalonComparison
import EtalonTypes
import Foundation
import Testing

/// Metrics against their definitions, evaluated in the plainest way.
@Suite struct PerceptualMetricTests {
  private let actual = TestPictures.rgba8 { x, y in [UInt8((x * 5 + y) % 256), UInt8((y * 9) % 256), UInt8((x * y) % 256), 255] }
  private let reference = TestPictures.rgba8 { x, y in
    [UInt8((x * 5 + y + (x % 7 == 0 ? 9 : 0)) % 256), UInt8((y * 9) % 256), UInt8((x * y + (y % 11 == 3 ? 2 : 0)) % 256), 255]
  }

  @Test(arguments: [0.01, 0.02, 0.05], [1, 5, 8, 64, 100]) func oklabWindowsEqualADirectEvaluation(distance: Double, side: Int) throws {
    var tolerance = Tolerance()
    tolerance.oklab = OKLabLimit(distance: distance, window: side, pixels: 0)
    let measured = try #require(comparePictures(actual, reference, tolerance: tolerance).oklab)
    let distances = directDistances()
    let marks = distances.map { $0.map { $0 > distance } }
    #expect(abs(measured.mean - distances.joined().reduce(0, +) / 4096) < 1e-6)
    #expect(abs(measured.largest - (distances.joined().max() ?? 0)) < 1e-5)
    #expect(measured.pixels == marks.joined().count { $0 })
    #expect(measured.window?.pixels == fullest(marks, min(side, 64)))
  }

  @Test(arguments: [1, 3, 8, 64]) func windowsOfOutliersEqualADirectCount(side: Int) throws {
    var tolerance = Tolerance(channel: 5)
    tolerance.window = WindowLimit(size: side, outliers: 0)
    let window = try #require(comparePictures(actual, reference, tolerance: tolerance).color?.window)
    let marks = (0..<64).map { y in
      (0..<64).map { x in (0..<3).contains { abs(Int(byte(actual, x, y, $0)) - Int(byte(reference, x, y, $0))) > 5 } }
    }
    #expect(window.pixels == fullest(marks, side) && window.size == side)
    let (left, top) = (window.topLeft.x, window.topLeft.yFromTop)
    #expect((top..<top + side).map { y in (left..<left + side).count { marks[y][$0] } }.reduce(0, +) == window.pixels)
  }

  @Test func ssimEqualsADirectEvaluation() throws {
    let measured = try #require(comparePictures(actual, reference, metrics: [.ssim]).ssim)
    var values: [Double] = []
    for top in stride(from: 0, through: 56, by: 4) {
      for left in stride(from: 0, through: 56, by: 4) { values.append(similarity(left, top)) }
    }
    #expect(abs(measured - values.reduce(0, +) / Double(values.count)) < 2e-5)
  }

  // MARK: Gaussian windows

  private static func one(_ x: Int, _ y: Int) -> [Int] { [(x * 5 + y) % 256, (y * 9) % 256, (x * y) % 256, 255] }
  private static func near(_ x: Int, _ y: Int) -> [Int] {
    [(x * 5 + y + (x % 7 == 0 ? 9 : 0)) % 256, (y * 9) % 256, (x * y + (y % 11 == 3 ? 2 : 0)) % 256, 255]
  }
  private static func far(_ x: Int, _ y: Int) -> [Int] { [(x * 5 + y) * 7 % 256, 255 - (y * 9) % 256, (x * x + y) % 256, 255] }

  /// `structural_similarity` of scikit-image 0.26 with `gaussian_weights=True, sigma=1.5, use_sample_covariance=False, channel_axis=-1` of red, green and
  /// blue: levels of 8 bits (`data_range=255`), others beside them, levels of 16 bits (65535), and floats from 0 to 16 (1).
  static let figures: [(width: Int, height: Int, near: Double, far: Double, deep: Double, floats: Double)] = [
    (64, 64, 0.9741201798850075, -0.11784308842409642, 0.9741108040788057, 0.9669173020840125),
    (37, 23, 0.9826384767679764, -0.10274208626548627, 0.9826575642453398, 0.974597762589663),
    (11, 11, 0.9862659056981241, 0.13670015354723833, 0.9861908492138339, 0.9808529139527732),
    (12, 40, 0.9823308590607077, 0.03907638206106545, 0.982266642414315, 0.9754376910161381),
  ]

  @Test(arguments: figures) func gaussianSimilarityIsThatOfScikitImage(
    _ figure: (width: Int, height: Int, near: Double, far: Double, deep: Double, floats: Double)
  ) throws {
    let size = Size(figure.width, figure.height)
    func measured(_ actual: PixelBuffer, _ reference: PixelBuffer) throws -> Double {
      try #require(comparePictures(actual, reference, metrics: [.ssimGaussian]).ssimGaussian)
    }
    func levels(_ pixel: (Int, Int) -> [Int]) -> PixelBuffer { TestPictures.rgba8(size) { pixel($0, $1).map { UInt8($0) } } }
    #expect(abs(try measured(levels(Self.near), levels(Self.one)) - figure.near) < 1e-9)
    #expect(abs(try measured(levels(Self.far), levels(Self.one)) - figure.far) < 1e-9)
    let deep = TestPictures.rgba16(size) { x, y in Self.one(x, y).map { UInt16($0 * 257) } }
    let other = TestPictures.rgba16(size) { x, y in
      zip(Self.near(x, y), [x * 3, y * 3, 0, 0]).map { UInt16(min($0 * 257 + $1, 65535)) }
    }
    #expect(abs(try measured(other, deep) - figure.deep) < 1e-9)
    func floats(_ pixel: (Int, Int) -> [Int]) -> PixelBuffer { TestPictures.float(size) { pixel($0, $1).map { Float($0) / 16 } } }
    #expect(abs(try measured(floats(Self.near), floats(Self.one)) - figure.floats) < 1e-9)
    #expect(try measured(levels(Self.near), levels(Self.near)) == 1)
  }

  @Test func gaussianSimilarityIsMeasuredOnlyWhereItIsAskedFor() throws {
    #expect(comparePictures(actual, reference, metrics: [.ssim]).ssimGaussian == nil)
    let (tolerance, diagnostics) = ToleranceSettings(["ssimGaussian": "0.97", "alpha.channel": "0"]).read(size: Size(64, 64))
    #expect(diagnostics.isEmpty)
    let passed = comparePictures(actual, reference, tolerance: tolerance)
    #expect(passed.verdict == .pass && passed.ssim == nil && passed.limits.first?.key == "ssimGaussian")
    var strict = tolerance
    strict.ssimGaussian = 0.98
    #expect(comparePictures(actual, reference, tolerance: strict).summary.hasPrefix("fail: ssimGaussian 0.9741, at least 0.98"))
  }

  @Test func picturesSmallerThanAGaussianWindowAreRefused() throws {
    let (tolerance, diagnostics) = ToleranceSettings(["ssimGaussian": "0.5"]).read(size: Size(64, 10))
    #expect(
      diagnostics.map(\.key) == ["ssimGaussian"] && diagnostics[0].message.hasSuffix("windows of 11x11 pixels, and none fits into 64x10"))
    let small = TestPictures.waves(Size(64, 10))
    // What cannot be measured never passes.
    #expect(comparePictures(small, small, tolerance: tolerance).verdict == .fail)
    #expect(comparePictures(small, small, metrics: [.ssimGaussian]).ssimGaussian == nil)
  }

  @Test func smallPicturesHaveOneWindow() throws {
    let tiny = TestPictures.waves(Size(3, 2)), other = TestPictures.rgba8(Size(3, 2)) { _, _ in [9, 9, 9, 255] }
    #expect(comparePictures(tiny, tiny, metrics: [.ssim]).ssim == 1)
    let ssim = try #require(comparePictures(tiny, other, metrics: [.ssim]).ssim)
    #expect(ssim < 0.9)
  }

  @Test func histogramsAreAsFarApartAsTheirColors() throws {
    let black = TestPictures.rgba8 { _, _ in [0, 0, 0, 255] }, white = TestPictures.rgba8 { _, _ in [255, 255, 255, 255] }
    #expect(comparePictures(black, white, metrics: [.emd]).color?.emd == 1)
    let moved = TestPictures.rgba8 { _, _ in [51, 0, 0, 255] }
    let emd = try #require(comparePictures(black, moved, metrics: [.emd]).color?.emd)
    #expect(abs(emd - 0.2) < 1e-12)
    // Where pixels are does not matter.
    let mirrored = TestPictures.rgba8 { x, y in (0..<4).map { byte(actual, 63 - x, y, $0) } }
    #expect(comparePictures(actual, mirrored, metrics: [.emd]).color?.emd == 0)
  }

  @Test func aShiftByAPixelIsExplained() throws {
    let edge = TestPictures.rgba8 { x, _ in x < 20 ? [10, 10, 10, 255] : [200, 200, 200, 255] }
    let moved = TestPictures.rgba8 { x, _ in x < 21 ? [10, 10, 10, 255] : [200, 200, 200, 255] }
    let farther = TestPictures.rgba8 { x, _ in x < 22 ? [10, 10, 10, 255] : [200, 200, 200, 255] }
    let shift = try #require(comparePictures(edge, moved, metrics: [.shift]).shift)
    #expect(shift.outliers == 64 && shift.unexplained == 0)
    var tolerance = Tolerance(channel: 0)
    tolerance.shift = 1
    #expect(comparePictures(edge, moved, tolerance: tolerance).verdict == .pass)
    #expect(comparePictures(edge, farther, tolerance: tolerance).verdict == .fail)
    // A pixel that exists in one picture only is no shift.
    #expect(comparePictures(edge.adding([(5, 5, 0, 100)]), edge, tolerance: tolerance).verdict == .fail)
    #expect(comparePictures(edge, edge.adding([(5, 5, 0, 100)]), tolerance: tolerance).verdict == .fail)
  }

  private func byte(_ picture: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) -> UInt8 { picture.bytes[(y * 64 + x) * 4 + channel] }

  private func fullest(_ marks: [[Bool]], _ side: Int) -> Int {
    var most = 0
    for top in 0...64 - side {
      for left in 0...64 - side {
        most = max(most, (top..<top + side).map { y in (left..<left + side).count { marks[y][$0] } }.reduce(0, +))
      }
    }
    return most
  }

  private func directDistances() -> [[Double]] {
    (0..<64).map { y in
      (0..<64).map { x in
        let a = oklab(actual, x, y), b = oklab(reference, x, y)
        return abs(a[0] - b[0]) + hypot(a[1] - b[1], a[2] - b[2])
      }
    }
  }

  private func oklab(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> [Double] {
    let light = (0..<3).map { channel in
      let value = Double(byte(picture, x, y, channel)) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    func sum(_ a: Double, _ b: Double, _ c: Double, _ v: [Double]) -> Double { a * v[0] + b * v[1] + c * v[2] }
    let roots = [
      cbrt(sum(0.4122214708, 0.5363325363, 0.0514459929, light)), cbrt(sum(0.2119034982, 0.6806995451, 0.1073969566, light)),
      cbrt(sum(0.0883024619, 0.2817188376, 0.6299787005, light)),
    ]
    return [
      sum(0.2104542553, 0.7936177850, -0.0040720468, roots), sum(1.9779984951, -2.4285922050, 0.4505937099, roots),
      sum(0.0259040371, 0.7827717662, -0.8086757660, roots),
    ]
  }

  private func similarity(_ left: Int, _ top: Int) -> Double {
    func luma(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> Double {
      (0.2126 * Double(byte(picture, x, y, 0)) + 0.7152 * Double(byte(picture, x, y, 1)) + 0.0722 * Double(byte(picture, x, y, 2))) / 255
    }
    let places = (top..<top + 8).flatMap { y in (left..<left + 8).map { ($0, y) } }
    let a = places.map { luma(actual, $0.0, $0.1) }, b = places.map { luma(reference, $0.0, $0.1) }
    let meanA = a.reduce(0, +) / 64, meanB = b.reduce(0, +) / 64
    let varianceA = a.map { ($0 - meanA) * ($0 - meanA) }.reduce(0, +) / 64,
      varianceB = b.map { ($0 - meanB) * ($0 - meanB) }.reduce(0, +) / 64
    let covariance = zip(a, b).map { ($0 - meanA) * ($1 - meanB) }.reduce(0, +) / 64
    return (2 * meanA * meanB + 1e-4) * (2 * covariance + 9e-4) / ((meanA * meanA + meanB * meanB + 1e-4) * (varianceA + varianceB + 9e-4))
  }
}
