import EtalonComparison
import EtalonTypes
import Foundation
import Testing

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

    var testDescription: String { "\(actual) \(reference) \(pixelsPerDegree ?? 0)" }
  }

  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/flip.json")
  private static let cases = (try? JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file)).cases) ?? []

  @Test func thereAreCases() {
    #expect(Self.cases.count == 12)
  }

  @Test(arguments: cases) func agreesWithItsAuthors(example: Case) throws {
    var tolerance = Tolerance()
    tolerance.flip = FLIPLimit(mean: 0.999, pixelsPerDegree: example.pixelsPerDegree)
    let actual = Self.picture(example.actual), reference = Self.picture(example.reference)
    let flip = try #require(comparePictures(actual, reference, tolerance: tolerance).flip)
    #expect(abs(flip.mean - example.mean) < 1e-4, "\(flip.mean) instead of \(example.mean)")
    let errors = flipErrors(actual, reference, pixelsPerDegree: example.pixelsPerDegree)
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
