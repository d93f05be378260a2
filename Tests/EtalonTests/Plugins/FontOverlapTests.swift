import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Letters whose contours cross, touch, repeat or contain each other are drawn as their union, also where they become thinner and bolder.
@Suite struct FontOverlapTests {
  private typealias Contour = TestFont.Contour
  private static let weights = ["0.02", "0.08", "0.16"]

  private func picture(_ letter: String, _ font: String, _ weight: String, on device: TestDevice = .cpu) throws -> TestPicture {
    let settings = [
      "text": letter, "font": font, "size": "80", "weight": weight, "alignment": "left", "vertical": "bottom", "position": "0.1,0.2",
    ]
    var shot = TestShot(plugin: "generate/text", on: device, [:], settings)
    shot.request.size = Size(96, 80)
    return try shot.picture()
  }

  /// Each draws an L of 200 and 250 units.
  private static let corners: [(String, [Contour])] = [
    ("crossing", [.box(100, 0, 300, 700), .box(100, 0, 900, 250)]),
    ("the other way around", [Contour.box(100, 0, 300, 700).reversed, Contour.box(150, 0, 900, 250).reversed]),
    ("beside each other", [.box(100, 250, 300, 700), .box(100, 0, 900, 250)]),
    ("squares", [.box(100, 0, 300, 250), .box(300, 0, 900, 250), .box(100, 250, 300, 500), .box(100, 500, 300, 700)]),
    ("twice", [.box(100, 0, 300, 700), .box(100, 0, 900, 250), .box(100, 0, 300, 700)]),
    ("inside", [.box(100, 0, 300, 700), .box(100, 0, 900, 250), .box(150, 50, 250, 150), .box(400, 80, 800, 200)]),
    ("a corner on an edge", [.box(100, 0, 300, 700), .box(300, 0, 900, 250)]),
    (
      "cut in a slope",
      [
        .init(points: [(100, 0), (100, 700), (300, 700), (300, 250), (500, 0)]),
        .init(points: [(500, 0), (300, 250), (900, 250), (900, 0)]),
      ]
    ),
  ]

  @Test(arguments: corners) func polygonsAreJoined(name: String, contours: [TestFont.Contour]) throws {
    let whole = Contour(points: [(100, 0), (100, 700), (300, 700), (300, 250), (900, 250), (900, 0)])
    try TestFont(letters: [[whole], contours]).with { font in
      for weight in Self.weights {
        let (one, joined) = try (picture("A", font, weight), picture("B", font, weight))
        let most = zip(one.bytes, joined.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(most <= 1, "\(name), \(weight)")
        #expect(Set(one.bytes).count > 2)
      }
    }
  }

  @Test func holesStayHoles() throws {
    let frame = [Contour.box(100, 0, 900, 700), Contour.box(300, 200, 700, 500).reversed]
    // The same frame of four bars.
    let bars = [Contour.box(100, 0, 900, 200), .box(100, 500, 900, 700), .box(100, 0, 300, 700), .box(700, 0, 900, 700)]
    try TestFont(letters: [frame, bars]).with { font in
      for weight in Self.weights {
        let (one, joined) = try (picture("A", font, weight), picture("B", font, weight))
        #expect(zip(one.bytes, joined.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(weight)")
      }
      let drawn = try picture("B", font, "0.08")
      let origin = Int(0.1 * 96)
      #expect(drawn.pixel(origin + 40, 16 + 28)[3] == 0 && drawn.pixel(origin + 16, 16 + 28)[3] == 255)
    }
  }

  /// Two circles of 300 units around (350, 350) and (600, 350), against the distance from their union.
  @Test(arguments: TestDevice.allCases) func circlesAreJoined(device: TestDevice) throws {
    let centers = [SIMD2(350.0, 350.0), SIMD2(600.0, 350.0)]
    let crossing = SIMD2(475.0, (300.0 * 300 - 125 * 125).squareRoot())
    func distance(_ point: SIMD2<Double>) -> Double {
      func length(_ way: SIMD2<Double>) -> Double { (way.x * way.x + way.y * way.y).squareRoot() }
      let isInside = centers.contains { length(point - $0) < 300 }
      var nearest = [350 + crossing.y, 350 - crossing.y].map { length(point - SIMD2(crossing.x, $0)) }
      for center in centers {
        let onCircle = center + (point - center) * (300 / length(point - center))
        if centers.allSatisfy({ length(onCircle - $0) >= 299.999 }) { nearest.append(length(point - onCircle)) }
      }
      return (isInside ? -1 : 1) * (nearest.min() ?? 0)
    }
    let circles = centers.map { Contour.circle(Int($0.x), Int($0.y), radius: 300) }
    try TestFont(letters: [circles]).with { font in
      for (weight, offset) in [("0.02", -30.0), ("0.08", 0), ("0.16", 40)] {
        let drawn = try picture("A", font, weight, on: device)
        for y in 0..<80 {
          for x in 0..<96 {
            let point = SIMD2(Double(x) + 0.5 - 9.6, Double(y) + 0.5 - 16) * 12.5
            let wanted = min(max(0.5 - (distance(point) - offset) / 12.5, 0), 1)
            #expect(abs(Double(drawn.pixel(x, y)[3]) / 255 - wanted) < 0.03, "\(weight): \(x), \(y)")
          }
        }
      }
    }
  }

  /// Fewer texels than a letter may have become more where each of its lines crosses all others.
  @Test func aLetterThatCrossesItselfTooOftenIsRefused() throws {
    let combs = (0..<300).flatMap { [Contour.box(4 * $0, 0, 4 * $0 + 2, 1200), .box(0, 4 * $0, 1200, 4 * $0 + 2)] }
    try TestFont(letters: [combs]).with { font in
      let error = #expect(throws: RenderError.self) { try FontOutlines(contentsOf: font) }
      #expect(error.map { "\($0)".contains("more than 65535 points") } == true)
    }
  }
}
