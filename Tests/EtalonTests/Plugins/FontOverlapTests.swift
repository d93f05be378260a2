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

  private func picture(
    _ letter: String, _ font: String, _ weight: String, _ settings: [String: String] = [:], on device: TestDevice = .cpu
  ) throws -> TestPicture {
    let usual = [
      "text": letter, "font": font, "size": "80", "weight": weight, "alignment": "left", "vertical": "bottom", "position": "0.1,0.2",
    ]
    var shot = TestShot(plugin: "generate/text", on: device, [:], usual.merging(settings) { $1 })
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

  /// Seams that rounding opens, and edges that lie within two steps of each other, in fonts with one step a unit.
  @Test func nearlyTheSameIsTheSame() throws {
    let shapes: [[TestFont.Point]] = [
      [(100, 0), (100, 1400), (443, 1400), (300, 0)], [(300, 0), (372, 701), (900, 701), (900, 0)],
      [(372, 701), (443, 1400), (900, 1400), (900, 701)],
    ]
    let sliver = shapes.map { Contour(points: $0) }
    let stems: [Contour] = [.box(1000, 0, 2000, 6000), .box(1001, -3000, 2001, 3000)]
    let fonts = [
      (TestFont(letters: [[.box(100, 0, 900, 1400)], sliver], unitsOfEm: 8192), "320"),
      (TestFont(letters: [[.box(1000, -3000, 2000, 6000)], stems], unitsOfEm: 8192), "80"),
    ]
    for (font, size) in fonts {
      try font.with { font in
        for weight in Self.weights {
          let settings = ["size": size]
          let (one, joined) = try (picture("A", font, weight, settings), picture("B", font, weight, settings))
          let most = zip(one.bytes, joined.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
          #expect(most <= 5, "\(size), \(weight)")
          #expect(Set(one.bytes).count > 1)
        }
      }
    }
  }

  /// A glyph that would take too long is drawn as it is.
  @Test func whatCrossesTooOftenStaysAsItIs() throws {
    let combs = (0..<700).flatMap { [Contour.box(2 * $0, 0, 2 * $0 + 1, 1400), .box(0, 2 * $0, 1400, 2 * $0 + 1)] }
    try TestFont(letters: [combs, [.box(0, 0, 500, 500), .box(250, 0, 750, 500)]]).with { font in
      let font = try FontOutlines(contentsOf: font)
      let glyph = try #require(font.glyph(of: 0x41))
      let parts = font.segments(of: glyph)
      #expect(parts == (5600, 0))
    }
  }

  /// A notch that opens to the left, cut out by a contour that runs the other way around, and a line that goes there and back.
  @Test func whatIsOutsideOnBothSidesIsNoEdge() throws {
    let notch = [Contour.box(100, 0, 700, 600), Contour.box(100, 200, 400, 400).reversed]
    let whole = Contour(points: [(700, 0), (100, 0), (100, 200), (400, 200), (400, 400), (100, 400), (100, 600), (700, 600)])
    let back: [TestFont.Point] = [(700, 300), (900, 300), (700, 300)]
    let spike = Contour(points: whole.points + back)
    try TestFont(letters: [[whole], notch, [spike]]).with { font in
      for weight in Self.weights {
        let one = try picture("A", font, weight)
        for letter in ["B", "C"] {
          let joined = try picture(letter, font, weight)
          #expect(zip(one.bytes, joined.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(letter), \(weight)")
        }
      }
    }
  }

  /// An arc that crosses the upper edge of a box where it is nearly as flat: the union has the edge on one side of the crossing, the arc on the other.
  @Test func shallowCrossingsAreFound() throws {
    let arc = Contour(
      points: [(120, 150), (120, 390), (310, 395), (500, 400), (690, 405), (880, 410), (880, 150)])
    let below = Contour.box(0, 100, 900, 400)
    let union = Contour(points: [(0, 100), (0, 400), (500, 400), (690, 405), (880, 410), (880, 400), (900, 400), (900, 100)])
    try TestFont(letters: [[union], [below, arc]]).with { font in
      for weight in Self.weights {
        let (one, joined) = try (picture("A", font, weight), picture("B", font, weight))
        let most = zip(one.bytes, joined.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(most <= 3, "\(weight)")
      }
    }
  }
}
