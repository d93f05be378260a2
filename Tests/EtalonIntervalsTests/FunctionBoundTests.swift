import EtalonTestSupport
import Foundation
import Testing

@testable import EtalonIntervals

/// Functions of one number against the table "Precision of GLSL.std.450 Instructions": what is exact and what is as far off as is allowed lies
/// inside, and a range is not much wider than that.
@Suite struct FunctionBoundTests {
  struct Function: Sendable, CustomTestStringConvertible {
    let name: String
    let range: ClosedRange<Double>
    let interval: @Sendable (Interval) -> Interval
    let exact: @Sendable (Double) -> Double
    /// How far off a device may be, from the operand and the exact value.
    let bound: @Sendable (Double, Double) -> Double
    /// How much wider than twice the bound a range of one number may be.
    var slack = 1.01

    var testDescription: String { name }
  }

  private static func ulp(_ value: Double) -> Double { FloatWidth.single.ulp(value) }

  static let functions: [Function] = [
    .init(name: "exp2", range: -100...100, interval: { $0.exp2(.single) }, exact: { exp2($0) }) { (3 + 2 * $0.magnitude) * ulp($1) },
    .init(name: "exp", range: -80...80, interval: { $0.exp(.single) }, exact: { exp($0) }) { (3 + 2 * $0.magnitude) * ulp($1) },
    .init(name: "log2", range: 1e-6...1e6, interval: { $0.log2(.single) }, exact: { log2($0) }) {
      $0 >= 0.5 && $0 <= 2 ? 0x1p-21 : 3 * ulp($1)
    },
    .init(name: "log", range: 0.4...2.2, interval: { $0.log(.single) }, exact: { log($0) }) {
      $0 >= 0.5 && $0 <= 2 ? 0x1p-21 : 3 * ulp($1)
    },
    .init(name: "sin", range: -3.14...3.14, interval: { $0.sin(.single) }, exact: { sin($0) }) { _, _ in 0x1p-11 },
    .init(name: "cos", range: -3.14...3.14, interval: { $0.cos(.single) }, exact: { cos($0) }) { _, _ in 0x1p-11 },
    .init(name: "sin far away", range: 4...1e5, interval: { $0.sin(.single) }, exact: { sin($0) }) { x, _ in
      max(0x1p-11, x.magnitude * 0x1p-12)
    },
    .init(
      name: "tan", range: -1.4...1.4, interval: { $0.tan(.single) }, exact: { tan($0) },
      bound: { x, y in 0x1p-11 * (1 + y.magnitude) / cos(x) * (1 - 0x1p-6) }, slack: 1.03),
    .init(name: "atan", range: -50...50, interval: { $0.atan(.single) }, exact: { atan($0) }) { 4096 * ulp($1) },
    .init(name: "asin", range: -0.99...0.99, interval: { $0.asin(.single) }, exact: { asin($0) }, bound: { 4096 * ulp($1) }, slack: 1.2),
    .init(name: "acos", range: -0.99...0.99, interval: { $0.acos(.single) }, exact: { acos($0) }, bound: { 4096 * ulp($1) }, slack: 1.2),
    .init(name: "inversesqrt", range: 1e-9...1e9, interval: { $0.inverseRoot(.single) }, exact: { 1 / $0.squareRoot() }) { 2 * ulp($1) },
    .init(
      name: "sqrt", range: 1e-9...1e9, interval: { $0.root(.single) }, exact: { $0.squareRoot() }, bound: { 2.5 * ulp($1) }, slack: 3.2),
    .init(
      name: "sinh", range: 1...20, interval: { $0.sinh(.single) }, exact: { sinh($0) }, bound: { (3 + 2 * $0) * ulp($1) / 2 }, slack: 5),
    .init(
      name: "cosh", range: 1...20, interval: { $0.cosh(.single) }, exact: { cosh($0) }, bound: { (3 + 2 * $0) * ulp($1) / 2 }, slack: 4),
    .init(name: "tanh", range: 0.5...9, interval: { $0.tanh(.single) }, exact: { tanh($0) }, bound: { _, y in ulp(y) }, slack: 200),
    .init(name: "asinh", range: 0.5...20, interval: { $0.asinh(.single) }, exact: { asinh($0) }, bound: { _, y in 2 * ulp(y) }, slack: 20),
    .init(name: "acosh", range: 1.5...20, interval: { $0.acosh(.single) }, exact: { acosh($0) }, bound: { _, y in 2 * ulp(y) }, slack: 20),
    .init(name: "atanh", range: 0.3...0.9, interval: { $0.atanh(.single) }, exact: { atanh($0) }, bound: { _, y in ulp(y) }, slack: 50),
    .init(name: "radians", range: -720...720, interval: { $0.radians(.single) }, exact: { $0 * .pi / 180 }) { _, _ in 0 },
    .init(name: "fract", range: -9...9, interval: { $0.fraction(.single) }, exact: { $0 - $0.rounded(.down) }) { _, _ in 0 },
    .init(name: "reciprocal", range: 1e-3...1e3, interval: { Interval(1).divided(by: $0, .single) }, exact: { 1 / $0 }) { 2.5 * ulp($1) },
    .init(
      name: "step of smoothstep", range: 0...1, interval: { $0.smoothStep(from: Interval(0), to: Interval(1), .single) },
      exact: {
        $0 * $0 * (3 - 2 * $0)
      }, bound: { x, _ in 2 * ulp(x) * x }, slack: 26),
  ]

  @Test(arguments: functions) func holdsEverythingThatIsAllowed(_ function: Function) {
    var random = SeededNumbers(seed: 11)
    for _ in 0..<4000 {
      let x = random.float(in: function.range)
      let range = function.interval(Interval(x)), exact = function.exact(x), bound = function.bound(x, exact)
      #expect(range.contains(exact), "\(x): \(exact) in \(range.low)...\(range.high)")
      for edge in [exact - bound * 0.999, exact + bound * 0.999] {
        #expect(range.low <= edge && edge <= range.high, "\(x): \(edge) in \(range.low)...\(range.high)")
      }
      let widest = 2 * bound * function.slack + 4 * Self.ulp(max(range.high.magnitude, range.low.magnitude))
      #expect(range.width <= widest, "\(x): \(range.low)...\(range.high) around \(exact) ± \(bound)")
    }
  }

  @Test(arguments: functions) func holdsTheFunctionOfEveryNumberOfARange(_ function: Function) {
    var random = SeededNumbers(seed: 12)
    for _ in 0..<400 {
      let (a, b) = (random.float(in: function.range), random.float(in: function.range))
      let middle = min(a, b) + (max(a, b) - min(a, b)) * pow(random.unit(), 4)
      let operand = Interval(min(a, b), Double(Float(middle).nextUp))
      let range = function.interval(operand)
      for _ in 0..<20 {
        let x = random.float(in: operand.low...max(operand.high, operand.low))
        let point = function.interval(Interval(x))
        #expect(range.mayBeNaN || (range.low <= point.low && point.high <= range.high), "\(x) of \(operand.low)...\(operand.high)")
      }
    }
  }
}

extension SeededNumbers {
  /// From 0 to 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A single-precision number of a range.
  mutating func float(in range: ClosedRange<Double>) -> Double {
    let value = range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    return min(max(Double(Float(value)), range.lowerBound), range.upperBound)
  }
}
