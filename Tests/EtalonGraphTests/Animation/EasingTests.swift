import Foundation
import Testing

@testable import EtalonGraph

/// The curves against the formulas that easings.net gives for them, with the functions of the C library.
@Suite struct EasingTests {
  private static let formulas: [String: @Sendable (Double) -> Double] = [
    "linear": { $0 },
    "sine-in": { 1 - cos($0 * .pi / 2) }, "sine-out": { sin($0 * .pi / 2) }, "sine-in-out": { -(cos(.pi * $0) - 1) / 2 },
    "quad-in": { pow($0, 2) }, "quad-out": { 1 - pow(1 - $0, 2) }, "quad-in-out": { $0 < 0.5 ? 2 * $0 * $0 : 1 - pow(-2 * $0 + 2, 2) / 2 },
    "cubic-in": { pow($0, 3) }, "cubic-out": { 1 - pow(1 - $0, 3) },
    "cubic-in-out": { $0 < 0.5 ? 4 * pow($0, 3) : 1 - pow(-2 * $0 + 2, 3) / 2 },
    "quart-in": { pow($0, 4) }, "quart-out": { 1 - pow(1 - $0, 4) },
    "quart-in-out": { $0 < 0.5 ? 8 * pow($0, 4) : 1 - pow(-2 * $0 + 2, 4) / 2 },
    "quint-in": { pow($0, 5) }, "quint-out": { 1 - pow(1 - $0, 5) },
    "quint-in-out": { $0 < 0.5 ? 16 * pow($0, 5) : 1 - pow(-2 * $0 + 2, 5) / 2 },
    "expo-in": { pow(2, 10 * $0 - 10) }, "expo-out": { 1 - pow(2, -10 * $0) },
    "expo-in-out": { $0 < 0.5 ? pow(2, 20 * $0 - 10) / 2 : (2 - pow(2, -20 * $0 + 10)) / 2 },
    "circ-in": { 1 - sqrt(1 - pow($0, 2)) }, "circ-out": { sqrt(1 - pow($0 - 1, 2)) },
    "circ-in-out": { $0 < 0.5 ? (1 - sqrt(1 - pow(2 * $0, 2))) / 2 : (sqrt(1 - pow(-2 * $0 + 2, 2)) + 1) / 2 },
    "back-in": { 2.70158 * pow($0, 3) - 1.70158 * $0 * $0 },
    "back-out": { 1 + 2.70158 * pow($0 - 1, 3) + 1.70158 * pow($0 - 1, 2) },
    "back-in-out": { x in
      let c = 1.70158 * 1.525
      return x < 0.5 ? pow(2 * x, 2) * ((c + 1) * 2 * x - c) / 2 : (pow(2 * x - 2, 2) * ((c + 1) * (x * 2 - 2) + c) + 2) / 2
    },
    "elastic-in": { -pow(2, 10 * $0 - 10) * sin(($0 * 10 - 10.75) * 2 * .pi / 3) },
    "elastic-out": { pow(2, -10 * $0) * sin(($0 * 10 - 0.75) * 2 * .pi / 3) + 1 },
    "elastic-in-out": { x in
      let wave = sin((20 * x - 11.125) * 2 * .pi / 4.5)
      return x < 0.5 ? -(pow(2, 20 * x - 10) * wave) / 2 : pow(2, -20 * x + 10) * wave / 2 + 1
    },
    "bounce-in": { 1 - bounce(1 - $0) }, "bounce-out": { bounce($0) },
    "bounce-in-out": { $0 < 0.5 ? (1 - bounce(1 - 2 * $0)) / 2 : (1 + bounce(2 * $0 - 1)) / 2 },
  ]

  private static func bounce(_ t: Double) -> Double {
    if t < 1 / 2.75 { return 7.5625 * t * t }
    if t < 2 / 2.75 { return 7.5625 * pow(t - 1.5 / 2.75, 2) + 0.75 }
    if t < 2.5 / 2.75 { return 7.5625 * pow(t - 2.25 / 2.75, 2) + 0.9375 }
    return 7.5625 * pow(t - 2.625 / 2.75, 2) + 0.984375
  }

  @Test func everyNameButHoldHasAFormula() {
    #expect(Set(KeyframeEasing.names) == Set(Self.formulas.keys).union(["hold"]))
  }

  @Test(arguments: KeyframeEasing.names.filter { $0 != "hold" }) func followsItsFormula(name: String) throws {
    let easing = try #require(KeyframeEasing(name))
    let formula = try #require(Self.formulas[name])
    #expect(easing.description == name)
    for step in 1..<200 {
      let time = Double(step) / 200
      #expect(abs(easing.progress(at: time) - formula(time)) < 1e-12, "at \(time)")
    }
    #expect(easing.progress(at: 0) == 0)
    #expect(easing.progress(at: 1) == 1)
  }

  @Test func holdWaits() {
    #expect(KeyframeEasing.hold.progress(at: 0.999) == 0)
    #expect(KeyframeEasing.hold.progress(at: 1) == 1)
  }

  /// On the curve with parameter s both coordinates are polynomials: x(s) is the time of y(s).
  @Test(arguments: [(0.25, 0.1, 0.25, 1), (0, 0, 1, 1), (0.68, -0.55, 0.265, 1.55), (1, 0, 0, 1), (0, 1, 1, 0)])
  func bezierPassesThroughItsPoints(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) throws {
    let bezier = try #require(CubicBezier(x1, y1, x2, y2))
    func point(_ s: Double, _ a: Double, _ b: Double) -> Double { 3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s }
    for step in 1..<50 where step != 25 {
      let s = Double(step) / 50
      #expect(abs(bezier.y(at: point(s, x1, x2)) - point(s, y1, y2)) < 1e-9, "at \(s)")
    }
  }

  @Test(arguments: [
    "cubic-bezier(0.2, 0, 0.8, 1)", "cubic-bezier(.2,0,.8,1)", "0.2, 0, 0.8, 1",
  ]) func readsBeziers(_ text: String) {
    #expect(KeyframeEasing(text) == CubicBezier(0.2, 0, 0.8, 1).map { .bezier($0) })
  }

  @Test(arguments: [
    "", "cubic", "in-out", "cubic-inout", "Linear", "cubic-bezier(2, 0, 0, 1)", "cubic-bezier(0, 1)", "cubic-bezier(0, 0, 1, nan)", "1",
  ]) func refusesOthers(_ text: String) {
    #expect(KeyframeEasing(text) == nil)
  }

  @Test func seriesAgreeWithTheLibrary() {
    for step in -300...300 {
      let x = Double(step) / 97
      #expect(abs(SeriesFunctions.sine(turns: x) - sin(x * 2 * .pi)) < 1e-14)
      #expect(abs(SeriesFunctions.cosine(turns: x) - cos(x * 2 * .pi)) < 1e-14)
      #expect(abs(SeriesFunctions.powerOfTwo(x) / pow(2, x) - 1) < 1e-15)
    }
  }
}
