import EtalonTypes
import Foundation
import Testing

@testable import EtalonComparison

/// FLIP against numbers of its authors' implementation, which `Fixtures/make-flip-fixture` writes down.
@Suite struct FLIPTests {
  struct Fixture: Decodable {
    let cases: [Case]
  }

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Probe: Decodable, Sendable {
      let x: Int
      let y: Int
      let value: Double
    }

    let actual: String
    let reference: String
    let mean: Double
    let probes: [Probe]
    let pixelsPerDegree: Double?
    let exposures: FLIPMeasurement.Exposures?

    var testDescription: String { "\(actual) \(reference) \(pixelsPerDegree ?? 0)" }
  }

  private static func cases(_ name: String) -> [Case] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
    return (try? JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file)).cases) ?? []
  }

  private static let cases = cases("flip.json")
  private static let lights = cases("flip-hdr.json")

  @Test func thereAreCases() {
    #expect(Self.cases.count == 12 && Self.lights.count == 12)
  }

  @Test(arguments: lights) func agreesWithItsAuthorsOnFloats(example: Case) throws {
    var tolerance = Tolerance()
    tolerance.flip = FLIPLimit(mean: 0.999, pixelsPerDegree: example.pixelsPerDegree)
    let actual = Self.light(example.actual), reference = Self.light(example.reference)
    let flip = try #require(comparePictures(actual, reference, tolerance: tolerance).flip)
    let exposures = try #require(flip.exposures), expected = try #require(example.exposures)
    #expect(abs(exposures.start - expected.start) < 1e-4 && abs(exposures.stop - expected.stop) < 1e-4, "\(exposures)")
    #expect(exposures.count == expected.count)
    #expect(abs(flip.mean - example.mean) < 1e-3, "\(flip.mean) instead of \(example.mean)")
    let errors = PicturePair(actual, reference).flip(pixelsPerDegree: example.pixelsPerDegree)
    for probe in example.probes {
      let error = Double(errors[probe.y * actual.size.width + probe.x])
      #expect(abs(error - probe.value) < 1e-3, "\(error) instead of \(probe.value) at \(probe.x), \(probe.y)")
    }
  }

  @Test func integersHaveNoExposures() throws {
    let waves = Self.picture("waves")
    #expect(try #require(comparePictures(waves, waves, metrics: [.flip]).flip).exposures == nil)
    #expect(try #require(comparePictures(Self.light("lights"), waves, metrics: [.flip]).flip).exposures == nil)
  }

  /// References that are black, black in most places, or not finite somewhere have exposures, too.
  @Test(arguments: [0, 1, 2]) func exposuresAreFinite(kind: Int) throws {
    let odd: [Float] = [0, 1, .nan]
    let reference = TestPictures.float { x, y in [x == 3 && y == 9 ? odd[kind] : 0, 0, 0, 1] }
    let actual = TestPictures.float { x, _ in [x == 3 ? 2 : 0, Float(x) / 64, 1e30, 1] }
    let flip = try #require(comparePictures(actual, reference, metrics: [.flip]).flip)
    let exposures = try #require(flip.exposures)
    #expect(exposures.start.isFinite && exposures.stop.isFinite && (1...2).contains(exposures.count))
    #expect(flip.mean > 0 && flip.mean < 1)
  }

  @Test(arguments: cases) func agreesWithItsAuthors(example: Case) throws {
    var tolerance = Tolerance()
    tolerance.flip = FLIPLimit(mean: 0.999, pixelsPerDegree: example.pixelsPerDegree)
    let actual = Self.picture(example.actual), reference = Self.picture(example.reference)
    let flip = try #require(comparePictures(actual, reference, tolerance: tolerance).flip)
    #expect(abs(flip.mean - example.mean) < 1e-4, "\(flip.mean) instead of \(example.mean)")
    let errors = PicturePair(actual, reference).flip(pixelsPerDegree: example.pixelsPerDegree)
    for probe in example.probes {
      let error = Double(errors[probe.y * actual.size.width + probe.x])
      #expect(abs(error - probe.value) < 1e-3, "\(error) instead of \(probe.value) at \(probe.x), \(probe.y)")
    }
  }

  @Test func isTheSameBothWays() throws {
    let a = Self.picture("waves"), b = Self.picture("gray")
    let there = try #require(comparePictures(a, b, metrics: [.flip]).flip),
      back = try #require(comparePictures(b, a, metrics: [.flip]).flip)
    #expect(abs(there.mean - back.mean) < 1e-6)
  }

  @Test func percentilesRise() throws {
    let flip = try #require(comparePictures(Self.picture("dots"), Self.picture("gray"), metrics: [.flip]).flip)
    #expect(flip.median <= flip.percentile95 && flip.percentile95 <= flip.percentile99 && flip.percentile99 <= flip.largest)
    #expect(flip.largest > 0.1 && flip.median < 0.02)
  }

  @Test func limitsItsMeanAndAPercentile() {
    let a = Self.picture("dots"), b = Self.picture("gray")
    var tolerance = Tolerance()
    tolerance.flip = FLIPLimit(mean: 0.02, percentile: PercentileLimit(percent: 50, value: 0.02))
    #expect(comparePictures(a, b, tolerance: tolerance).verdict == .pass)
    tolerance.flip?.mean = Limit(warn: 0.01, fail: 0.02)
    #expect(comparePictures(a, b, tolerance: tolerance).verdict == .warn)
    tolerance.flip?.percentile = PercentileLimit(percent: 100, value: 0.02)
    #expect(comparePictures(a, b, tolerance: tolerance).limits.filter { $0.verdict == .fail }.map(\.key) == ["flip.percentile.value"])
  }

  /// The same integers as the script makes.
  private static func picture(_ kind: String) -> PixelBuffer {
    TestPictures.rgba8 { x, y in color(kind, x, y).map { UInt8($0) } + [255] }
  }

  /// The same floats as the script makes.
  private static func light(_ kind: String) -> PixelBuffer {
    TestPictures.float { x, y in Self.strengths(kind, x, y).map { Float($0) } + [1] }
  }

  private static func strengths(_ kind: String, _ x: Int, _ y: Int) -> [Double] {
    func parts(_ counts: [Int], of whole: [Double]) -> [Double] { zip(counts, whole).map { Double($0) / $1 } }
    switch kind {
    case "lights": return parts([(x * 5 + y * 3) % 256, (x * y) % 251, (x * x + 7 * y) % 241], of: [16, 32, 64])
    case "shifted-lights": return strengths("lights", x + 1, y)
    case "sun", "moved-sun":
      let middle = kind == "sun" ? 32 : 34
      guard (x - middle) * (x - middle) + (y - 32) * (y - 32) >= 40 else { return [512, 480, 256] }
      return parts([1 + (x + y) % 16, 1 + x % 8, 1 + y % 8], of: [128, 128, 128])
    case "dim": return parts([1 + x, 1 + y, 1 + x + y], of: [4096, 4096, 8192])
    case "dim-plus": return parts([3 + x, 1 + y, 1 + x + y], of: [4096, 4096, 8192])
    case "dots": return [Double](repeating: x % 16 == 8 && y % 16 == 8 ? 4 : 0.25, count: 3)
    default: return [0.25, 0.25, 0.25]
    }
  }

  private static func color(_ kind: String, _ x: Int, _ y: Int) -> [Int] {
    switch kind {
    case "waves": [(x * 5 + y * 3) % 256, (x * y) % 251, (x * x + 7 * y) % 241]
    case "shifted-waves": color("waves", x + 1, y)
    case "dots": [Int](repeating: x % 16 == 8 && y % 16 == 8 ? 255 : 128, count: 3)
    case "ramp": [x * 4, y * 4, (x + y) * 2]
    case "ramp-plus": [x * 4 + 3, y * 4, (x + y) * 2 + 1]
    case "green": [0, 255, 0]
    case "blue": [0, 0, 255]
    case "edge": [Int](repeating: x < 32 ? 20 : 230, count: 3)
    case "moved-edge": [Int](repeating: x < 33 ? 20 : 230, count: 3)
    default: [128, 128, 128]
    }
  }
}
