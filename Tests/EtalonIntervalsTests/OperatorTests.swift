import EtalonSPIRV
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

@testable import EtalonIntervals

/// Operators, and functions of several numbers.
@Suite struct OperatorTests {
  typealias Body = @Sendable (Interval, Interval) -> Interval

  struct Operator: Sendable, CustomTestStringConvertible {
    let name: String
    let interval: Body
    let exact: @Sendable (Double, Double) -> Double
    /// Units in the last place that a device may be off.
    var ulps = 1.0

    var testDescription: String { name }
  }

  static let operators: [Operator] = [
    .init(name: "+", interval: { $0.plus($1, .single) }, exact: { $0 + $1 }),
    .init(name: "-", interval: { $0.minus($1, .single) }, exact: { $0 - $1 }),
    .init(name: "*", interval: { $0.times($1, .single) }, exact: { $0 * $1 }),
    .init(name: "/", interval: { $0.divided(by: $1, .single) }, exact: { $0 / $1 }, ulps: 3.5),
    .init(name: "min", interval: { $0.smaller($1) }, exact: { min($0, $1) }, ulps: 0),
    .init(name: "max", interval: { $0.larger($1) }, exact: { max($0, $1) }, ulps: 0),
    .init(name: "step", interval: { $1.step(edge: $0) }, exact: { $1 < $0 ? 0 : 1 }, ulps: 0),
    .init(name: "atan2", interval: { $0.atan2($1.magnitude, .single) }, exact: { atan2($0, $1.magnitude) }, ulps: 4097),
  ]

  @Test(arguments: operators) func isAsWideAsRoundingIs(_ operation: Operator) {
    var random = SeededNumbers(seed: 21)
    for _ in 0..<4000 {
      let a = random.float(in: -100...100), b = random.float(in: -100...100)
      let range = operation.interval(Interval(a), Interval(b)), exact = operation.exact(a, b)
      #expect(range.contains(exact) && range.contains(Double(Float(exact))))
      let ulp = FloatWidth.single.ulp(max(range.low.magnitude, range.high.magnitude))
      #expect(range.width <= 2 * operation.ulps * ulp, "\(a) \(operation.name) \(b): \(range.low)...\(range.high)")
    }
  }

  @Test(arguments: operators) func holdsAllOfARange(_ operation: Operator) {
    var random = SeededNumbers(seed: 22)
    for _ in 0..<1000 {
      func range() -> Interval {
        let low = random.float(in: -10...10)
        return Interval(low, Double(Float(low + random.unit() * 3)))
      }
      let (a, b) = (range(), range())
      let whole = operation.interval(a, b)
      for _ in 0..<10 {
        let (x, y) = (random.float(in: a.low...a.high), random.float(in: b.low...b.high))
        #expect(whole.contains(operation.exact(x, y)), "\(x) \(operation.name) \(y)")
      }
    }
  }

  @Test func exactResultsStayExact() {
    #expect(Interval(0.5).plus(Interval(0.25), .single).isExact)
    #expect(Interval(3).times(Interval(7), .single) == Interval(21))
    #expect(!Interval(1).plus(Interval(0x1p-60), .single).isExact)
    #expect(Interval(1).plus(Interval(0x1p-60), .single).contains(Double(Float(1).nextUp)))
    #expect(Interval(1).divided(by: Interval(1), .single).low < 1)
  }

  @Test func denormalNumbersMayBeZero() {
    let small = Interval(0x1p-100).times(Interval(0x1p-40), .single)
    #expect(small.contains(0) && small.contains(0x1p-140))
    #expect(Interval(0x1p-130).plus(Interval(0), .single).contains(0))
    #expect(Interval(-0x1p-130).rounded(.single).contains(0))
    #expect(Interval(1).rounded(.half).isExact && Interval(0x1p-15).rounded(.half).contains(0))
  }

  /// Functions of floats, those that only choose included, take denormal numbers for zero, and assume that none is infinite.
  @Test(arguments: [1e-40, -1e-40]) func functionsMayFlushTheirOperands(_ small: Double) {
    let whole: Set<GLSLInstruction> = [
      .SAbs, .SSign, .UMin, .UMax, .SMin, .SMax, .UClamp, .SClamp, .FindILsb, .FindUMsb, .FindSMsb, .Ldexp,
    ]
    let bodies: [(GLSLInstruction) -> (Interval) -> Interval?] = [
      { function in { IntervalEvaluator.unary(function, $0, .single) } },
      { function in { IntervalEvaluator.binary(function, $0, Interval(0), .single) } },
      { function in { IntervalEvaluator.binary(function, Interval(0), $0, .single) } },
      { function in { IntervalEvaluator.ternary(function, $0, Interval(0), Interval(1), .single) } },
    ]
    var count = 0
    for function in GLSLInstruction.allCases where !whole.contains(function) {
      for body in bodies.map({ $0(function) }) {
        guard let range = body(Interval(small)), let zero = body(Interval(0)), let infinite = body(Interval(.infinity)) else { continue }
        count += 1
        #expect(range.mayBeNaN || range.low <= zero.low && range.high >= zero.high, "\(function) of \(small) and of 0")
        #expect(infinite.mayBeNaN || function == .Step && infinite.width == 1, "\(function) of infinity")
      }
    }
    #expect(count > 40)
  }

  @Test func devicesMayAssumeThatNothingIsInfinite() {
    let infinity = Interval(.infinity)
    #expect(infinity.isInfinite == infinity.isInfinite.hull(Interval(0)) && infinity.isInfinite.high == 1)
    #expect(Interval(1).isInfinite == .falseValue && Interval(1).isNaN == .falseValue)
    #expect(Interval.anything.isNaN.width == 1 && Interval.anything.isInfinite.width == 1)
    #expect(infinity.plus(Interval(1), .single).mayBeNaN && infinity.times(Interval(2), .single).mayBeNaN)
  }

  @Test func powersOfTwoMayBecomeZero() {
    let product = Interval(0x1p100).scaled(byPowerOfTwo: Interval(-127), .single)
    #expect(product.contains(0) && product.contains(0x1p-27))
    #expect(Interval(0x1p100).scaled(byPowerOfTwo: Interval(-126), .single) == Interval(0x1p-26))
    #expect(Interval(1).scaled(byPowerOfTwo: Interval(128), .single).mayBeNaN)
  }

  @Test func storedNumbersNeedNotKeepTheirBits() {
    let small = Double(Float(bitPattern: 9))
    for format in PixelFormat.allCases where format.isFloat {
      let stored = format.stored([Interval(small), .anything, Interval(0.5), Interval(1)])[0]
      #expect(stored.contains(0) && stored.contains(small), "\(format)")
    }
  }

  @Test func contractionsLieInside() {
    var random = SeededNumbers(seed: 23)
    for _ in 0..<2000 {
      let (a, b, c) = (random.float(in: -4...4), random.float(in: -4...4), random.float(in: -4...4))
      let range = Interval(a).timesPlus(Interval(b), Interval(c), .single)
      #expect(range.contains(Double(Float(c).addingProduct(Float(a), Float(b)))) && range.contains(Double(Float(a) * Float(b) + Float(c))))
    }
  }

  @Test func whatHasNoResultMayBeAnything() {
    for range in [
      Interval(1).divided(by: Interval(-1, 1), .single), Interval(-1).root(.single), Interval(0).inverseRoot(.single),
      Interval(-1).power(Interval(2), .single), Interval(0).atan2(Interval(0), .single), Interval(2).asin(.single),
      Interval(0.5).smoothStep(from: Interval(1), to: Interval(0), .single), Interval(1).clamped(Interval(2), Interval(0)),
      Interval(0).log(.single),
    ] {
      #expect(range.mayBeNaN && range.contains(1e30) && range.cause?.reason == .undefined)
    }
  }

  @Test func straddlingIsNoted() {
    #expect(Interval(0.9, 1.1).floored.cause?.reason == .wholeNumber && Interval(0.2, 0.9).floored.cause == nil)
    #expect(Interval(0.9, 1.1).isLess(than: Interval(1)).cause?.reason == .comparison)
    #expect(Interval(0.9, 1.1).converted(toSigned: true).cause?.reason == .conversion)
    #expect(Interval(0.9, 1.1).fraction(.single).low == 0 && Interval(0.9, 1.1).fraction(.single).high == 1)
    #expect(Interval(-1, 1).sign.cause?.reason == .comparison)
    #expect(Interval(0.5, 1).larger(Interval(0)).cause == nil)
  }

  @Test func mixtures() {
    var random = SeededNumbers(seed: 24)
    for _ in 0..<2000 {
      let (a, b, t) = (random.float(in: -4...4), random.float(in: -4...4), random.float(in: 0...1))
      let range = Interval(a).mixed(Interval(b), Interval(t), .single)
      let (x, y, w) = (Float(a), Float(b), Float(t))
      #expect(range.contains(Double(x * (1 - w) + y * w)) && range.contains(Double(x + (y - x) * w)))
      #expect(range.width <= 12 * FloatWidth.single.ulp(max(a.magnitude, b.magnitude) * 2))
      let open = Interval(a).mixed(Interval(b), Interval(max(t - 0.1, 0), min(t + 0.1, 1)), .single)
      #expect(open.low <= range.low && range.high <= open.high && open.width <= (b - a).magnitude * 0.21 + 2e-5)
    }
  }

  /// Formulas that functions inherit their errors from, taken apart: the sums of products hold what the formulas as they stand round away.
  @Test func functionsMayBeTakenApart() {
    let near: Float = 1.9999999
    let mixed = Interval(Double(near)).mixed(Interval(Double(near)), Interval(0.5), .single)
    #expect(mixed.contains(Double((near + near * 0.5) - near * 0.5)) && (near + near * 0.5) - near * 0.5 != near)
    // Both stand on each other: the products cancel each other out.
    let incident: [Float] = [4095, 4093], normal: [Float] = [-4093, 4095]
    let reflected = incident.map { Interval(Double($0)) }.reflected(normal.map { Interval(Double($0)) }, .single)
    let last = incident[1] - 2 * normal[0] * incident[0] * normal[1] - 2 * normal[1] * incident[1] * normal[1]
    #expect(reflected[1].contains(Double(last)) && last != incident[1])
    let (from, to, at): (Float, Float, Float) = (1000, 1000.125, 1000.05)
    let step = Interval(Double(at)).smoothStep(from: Interval(Double(from)), to: Interval(Double(to)), .single)
    let t = at / (to - from) - from / (to - from)
    #expect(step.contains(Double(3 * t * t - 2 * t * t * t)))
    var random = SeededNumbers(seed: 27)
    for _ in 0..<4000 {
      func number(_ range: ClosedRange<Double> = -4...4) -> Float { Float(random.float(in: range)) }
      let (a, b, t) = (number(), number(), number(0...1))
      let mixed = Interval(Double(a)).mixed(Interval(Double(b)), Interval(Double(t)), .single)
      let rough = Interval(Double(a), Double(a.nextUp)).mixed(Interval(Double(b)), Interval(Double(t)), .single)
      for other in [(a + b * t) - a * t, (a - a * t) + b * t, a + (b * t - a * t)] {
        #expect(mixed.contains(Double(other)) && rough.contains(Double(other)), "mix(\(a), \(b), \(t)) as \(other)")
      }
      let incident = [a, b], normal = [number(), number()]
      let reflected = incident.map { Interval(Double($0)) }.reflected(normal.map { Interval(Double($0)) }, .single)
      for part in 0..<2 {
        let products = (0..<2).map { 2 * normal[$0] * incident[$0] * normal[part] }
        for other in [incident[part] - products[0] - products[1], incident[part] - products[1] - products[0]] {
          #expect(reflected[part].contains(Double(other)), "reflect(\(incident), \(normal)) as \(other)")
        }
      }
      let (edge, x) = (number(0.1...9), number(0...1))
      let at = edge + x * 0.25,
        step = Interval(Double(at)).smoothStep(from: Interval(Double(edge)), to: Interval(Double(edge + 0.25)), .single)
      let quotient = at / (edge + 0.25 - edge) - edge / (edge + 0.25 - edge)
      let u = min(max(quotient, 0), 1)
      #expect(step.contains(Double(3 * u * u - 2 * u * u * u)) && step.width < 1e-4, "smoothstep(\(edge), \(edge + 0.25), \(at))")
    }
  }

  @Test func whatRoundsNothingStaysExact() {
    let up = [Interval(0), Interval(1)], incident = [Interval(0.375), Interval(-0.75)]
    #expect(incident.reflected(up, .single) == [incident[0], incident[1].negated])
    #expect(Interval(3).smoothStep(from: Interval(1), to: Interval(2), .single) == Interval(1))
    #expect(Interval(0).smoothStep(from: Interval(1), to: Interval(2), .single) == Interval(0))
  }

  @Test func remainders() {
    var random = SeededNumbers(seed: 25)
    for _ in 0..<4000 {
      let (a, b) = (random.float(in: -50...50), random.float(in: 0.5...9))
      let (x, y) = (Float(a), Float(b))
      let floored = Interval(a).remainder(Interval(b), isFloored: true, .single)
      #expect(floored.contains(Double(x - y * (x / y).rounded(.down))))
      #expect(floored.cause != nil || floored.width < 1e-4)
      #expect(Interval(a).remainder(Interval(b), isFloored: false, .single).contains(Double(x - y * (x / y).rounded(.towardZero))))
    }
    // A multiple of the divisor: what is left is nothing, or nearly all of it.
    let multiple = Interval(6).remainder(Interval(3), isFloored: true, .single)
    #expect(multiple.contains(0) && multiple.contains(3) && multiple.cause?.reason == .wholeNumber && multiple.width < 3.001)
  }

  @Test func vectors() {
    var random = SeededNumbers(seed: 26)
    for _ in 0..<1000 {
      let vector = (0..<3).map { _ in random.float(in: -4...4) }, other = (0..<3).map { _ in random.float(in: -4...4) }
      let ranges = vector.map { Interval($0) }, others = other.map { Interval($0) }
      let length = zip(vector, vector).reduce(0) { $0 + $1.0 * $1.1 }.squareRoot()
      #expect(ranges.length(.single).contains(length) && ranges.length(.single).width < 28 * FloatWidth.single.ulp(length))
      for (part, range) in ranges.normalized(.single).enumerated() {
        #expect(range.contains(Double(Float(vector[part] / length))) && range.width < 24 * FloatWidth.single.ulp(1))
      }
      let dot = zip(vector, other).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(ranges.dot(others, .single).contains(dot))
      // Equal ranges are not equal vectors.
      let open = [Interval](repeating: Interval(-1, 1), count: 3)
      #expect(open.dot(open, .single).contains(-3) && !open.squaredLength(.single).contains(-0.5))
      // A vector that is only known roughly has a direction that is, too.
      let rough = vector.map { Interval($0 - 0.01, $0 + 0.01) }
      for (part, range) in rough.normalized(.single).enumerated() where length > 1 {
        #expect(range.contains(vector[part] / length) && range.width < 0.05)
      }
    }
  }

  @Test func whatMayBeInfiniteIsOpen() {
    let large = Interval(3e38)
    for open in [large.plus(large, .single), large.times(Interval(10), .single), Interval(100).exp(.single), large.squared(.single)] {
      #expect(open.mayBeNaN && open.cause?.reason == .undefined)
    }
    #expect(!large.times(Interval(0.5), .single).mayBeNaN)
  }

  /// A tie in one byte leaves the others certain, wherever they are read.
  @Test func packedNumbersAreCertainOneByOne() {
    let levels = [-1, 0.5, 0, 1].map { Interval($0).level(of: 127, isSigned: true) }
    let word = Interval.packed(levels, bits: 8), byte = Interval(255)
    #expect(levels[1] == Interval(63, 64).because(.wholeNumber) && !word.isExact)
    #expect([0x7F00_3F81, 0x7F00_4081].allSatisfy { word.contains(word: $0) } && !word.contains(word: 0x7FFF_4081))
    func shifted(_ count: Double) -> Interval { word.shiftedRight(Interval(count), movesSign: false, isSigned: false) }
    #expect(word.bitAnd(byte, isSigned: false).word == 0x81)
    let second = shifted(8).bitAnd(byte, isSigned: false)
    #expect(second.low == 63 && second.high == 64 && second.cause?.reason == .wholeNumber)
    #expect(shifted(16).bitAnd(byte, isSigned: false).word == 0)
    #expect(shifted(24).word == 0x7F)
    #expect(word.bitAnd(Interval(0xFFFF), isSigned: false).width > 0)
    let parts = (0..<4).map { word.unpacked(UInt32($0), bits: 8, isSigned: true) }
    #expect([parts[0], parts[2], parts[3]].map(\.low) == [-1, 0, 1] && parts[1].width == 2)
    #expect(word.hull(word).bitAnd(byte, isSigned: false).word == 0x81)
    #expect(word.hull(Interval(0x81)).bitAnd(byte, isSigned: false).width > 0)
    #expect(word.convertedToFloat(isSigned: false, .single).asFloatBits.bitAnd(byte, isSigned: false).width > 0)
    // Every bit of a number that may be negative or not is open, and no other.
    let mixed = Interval.packed([Interval(-1, 0), Interval(-3), Interval(-128, -127), Interval(5)], bits: 8)
    #expect(mixed.low == Double(0x0580_FD00) && mixed.high == Double(0x0581_FDFF) && mixed.certain(0xFF00_FF00) == 0x0500_FD00)
    #expect(mixed.certain(0xFF) == nil && mixed.certain(0xFF_0000) == nil)
    let negative = Interval.packed([Interval(0, 1), Interval(-2)], bits: 16)
    #expect(negative.reading(isSigned: true).certain(0xFFFF_0000) == 0xFFFE_0000)
    #expect(negative.shiftedRight(Interval(16), movesSign: true, isSigned: true) == Interval(-2).because(.bits))
  }

  @Test func integersStayCertain() {
    let three = Interval(3), five = Interval(5)
    #expect(three.integerMinus(five, isSigned: true) == Interval(-2))
    #expect(three.integerMinus(five, isSigned: false) == Interval(Double(UInt32.max - 1)))
    #expect(Interval(-1).reading(isSigned: false) == Interval(Double(UInt32.max)))
    #expect(Interval(Double(UInt32.max)).integerTimes(Interval(3), isSigned: false).word == UInt32.max &* 3)
    #expect(Interval(2, 4).integerPlus(three, isSigned: true).low == 5)
    #expect(Interval(7).integerRemainder(Interval(4), isSigned: true) == three)
    #expect(Interval(Double(Int32.min)).integerQuotient(Interval(-1), isSigned: true).width > 4e9, "the quotient is no integer")
    #expect(Interval(-7).integerRemainder(Interval(4), isSigned: true).width > 4e9, "GLSL says nothing about it")
    #expect(Interval(7).integerClamped(Interval(5), three, isSigned: true).width > 4e9, "the limits are in the wrong order")
    #expect(Interval(7).integerClamped(three, five, isSigned: true) == five)
    #expect(Interval(0x1234).bitAnd(Interval(0xff), isSigned: false) == Interval(0x34))
    #expect(Interval(0, 1e6).bitAnd(Interval(0xff), isSigned: false).high == 255)
    #expect(Interval(1).asFloatBits.asWord == Interval(Double(Float(1).bitPattern)))
    #expect(Interval(1, 1.5).asFloatBits.asFloat == Interval(1, 1.5))
    #expect(Interval(0.25, 0.5).converted(toSigned: false) == Interval(0))
  }
}
