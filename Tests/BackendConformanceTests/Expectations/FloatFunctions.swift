/// What the operations on floats give: the first value is what IEEE 754 gives for the formula that the executor documents.
enum FloatFunctions {
  typealias Function = @Sendable ([UInt32]) -> Expectation

  /// One operand; the bound is in units of the last place of the result.
  private static func one(ulps: Double, _ body: @escaping @Sendable (Float) -> Float) -> Function {
    { words in
      let x = Float(bitPattern: words[0]), result = body(x)
      return Expectation.float(result, within: ulps * ulp(Double(result))).forOperands(x)
    }
  }

  /// Two operands; the bound is an absolute distance.
  private static func two(
    _ body: @escaping @Sendable (Float, Float) -> Float, within bound: @escaping @Sendable (Double, Double, Double) -> Double?
  ) -> Function {
    { words in
      let x = Float(bitPattern: words[0]), y = Float(bitPattern: words[1]), result = body(x, y)
      return Expectation.float(result, within: bound(Double(x), Double(y), Double(result))).forOperands(x, y)
    }
  }

  private static func exact(_ body: @escaping @Sendable (Float, Float) -> Float) -> Function { two(body) { _, _, result in ulp(result) } }

  private static func three(_ body: @escaping @Sendable (Float, Float, Float) -> Float) -> Function {
    { words in
      let x = Float(bitPattern: words[0]), y = Float(bitPattern: words[1]), z = Float(bitPattern: words[2])
      let result = body(x, y, z)
      let size = max(x.magnitude, y.magnitude, z.magnitude, (x * y).magnitude, (y * z).magnitude, (x * z).magnitude)
      return Expectation.float(result, within: size.isFinite ? 4 * ulp(Double(size)) : nil).forOperands(x, y, z)
    }
  }

  static let arithmetic: [String: Function] = [
    "add": exact { $0 + $1 }, "subtract": exact { $0 - $1 }, "multiply": exact { $0 * $1 },
    "divide": two({ $0 / $1 }) { _, y, result in y.magnitude > 0x1p-126 && y.magnitude < 0x1p126 ? 2.5 * ulp(result) : nil },
    "negate": one(ulps: 0) { -$0 }, "modulo": remainder { $0 - $1 * ($0 / $1).rounded(.down) },
    "remainder": remainder { $0 - $1 * ($0 / $1).rounded(.towardZero) }, "multiply-add": three { $0 * $1 + $2 },
    "square-sum": two({ $0 * $0 + $1 * $1 }) { x, y, _ in 2 * ulp(x * x + y * y) },
  ]

  /// x - y q: a quotient that is off may make the whole number q one more or less.
  private static func remainder(_ body: @escaping @Sendable (Float, Float) -> Float) -> Function {
    { words in
      let x = Float(bitPattern: words[0]), y = Float(bitPattern: words[1]), result = body(x, y)
      let tolerance = (x / y).isOrdinary ? 4 * ulp(Double(max(x.magnitude, y.magnitude))) : nil
      let step = Double(y.magnitude)
      return Expectation.float(result, within: tolerance, or: [Double(result) + step, Double(result) - step]).forOperands(x, y)
    }
  }

  static let common: [String: Function] = [
    "floor": one(ulps: 0) { $0.rounded(.down) }, "ceiling": one(ulps: 0) { $0.rounded(.up) },
    "truncate": one(ulps: 0) { $0.rounded(.towardZero) }, "round-even": one(ulps: 0) { $0.rounded(.toNearestOrEven) },
    "fraction": one(ulps: 1) { $0 - $0.rounded(.down) }, "sign": one(ulps: 0) { $0.isNaN ? 0 : $0.isZero ? $0 : $0 < 0 ? -1 : 1 },
    "magnitude": one(ulps: 0) { $0.magnitude }, "minimum": two(smaller) { _, _, _ in 0 },
    "maximum": two(larger) { _, _, _ in 0 },
    "clamp": clamp,
    "step": two({ $1 < $0 ? 0 : 1 }) { _, _, _ in 0 }, "mix": three { x, y, a in x * (1 - a) + y * a }, "smoothstep-of": smoothstep,
    "radians": one(ulps: 2) { $0 * 0x1.1df46ap-6 }, "degrees": one(ulps: 2) { $0 * 0x1.ca5dc2p+5 },
    "modf-fraction": one(ulps: 0) { Float(signOf: $0, magnitudeOf: $0.isInfinite ? 0 : $0 - $0.rounded(.towardZero)) },
    "frexp-significand": one(ulps: 0) { $0.isZero || !$0.isFinite ? $0 : Float(sign: $0.sign, exponent: -1, significand: $0.significand) },
    "frexp-exponent": { words in
      let x = Float(bitPattern: words[0])
      return .signed(x.isZero || !x.isFinite ? 0 : Int32(x.exponent + 1), isDefined: x.isOrdinary)
    },
    "ldexp": { words in
      let x = Float(bitPattern: words[0]), exponent = Int(Int32(bitPattern: words[1]))
      let result = Float(Double(x) * Double(sign: .plus, exponent: min(max(exponent, -400), 400), significand: 1))
      return Expectation.float(result, within: (-126...127).contains(exponent) ? ulp(Double(result)) : nil).forOperands(x)
    },
  ]

  /// A clamp whose limits are in order; otherwise Vulkan leaves the result open.
  private static func smaller(_ x: Float, _ y: Float) -> Float { y < x || x.isNaN ? y : x }
  private static func larger(_ x: Float, _ y: Float) -> Float { x < y || x.isNaN ? y : x }

  private static let clamp: Function = { words in
    let x = Float(bitPattern: words[0]), low = Float(bitPattern: words[1]), high = Float(bitPattern: words[2])
    return Expectation.float(smaller(larger(x, low), high), within: low <= high ? 0 : nil).forOperands(x, low, high)
  }

  private static let smoothstep: Function = { words in
    let low = Float(bitPattern: words[0]), high = Float(bitPattern: words[1]), x = Float(bitPattern: words[2])
    var t = (x - low) / (high - low)
    t = t > 0 ? t : 0
    t = t < 1 ? t : 1
    let slope = Double(max(x.magnitude, low.magnitude, high.magnitude) / (high - low).magnitude)
    return Expectation.float(t * t * (3 - 2 * t), within: low < high ? 0x1p-20 * (1 + slope) : nil).forOperands(low, high, x)
  }

  static let geometry: [String: Function] = [
    "dot2": combined { $0[0] * $0[2] + $0[1] * $0[3] },
    "dot4-reversed": combined { $0[0] * $0[3] + $0[1] * $0[2] + $0[2] * $0[1] + $0[3] * $0[0] },
    "length3": combined { ($0[0] * $0[0] + $0[1] * $0[1] + $0[2] * $0[2]).squareRoot() },
    "distance2": combined { v in
      let x = v[0] - v[2], y = v[1] - v[3]
      return (x * x + y * y).squareRoot()
    },
  ]

  /// A sum of products, in which every operand may meet every other.
  private static func combined(_ body: @escaping @Sendable ([Float]) -> Float) -> Function {
    { words in
      let v = words.map(Float.init(bitPattern:)), result = body(v)
      let size = v.map { Double($0) * Double($0) }.reduce(0, +)
      return Expectation.float(result, within: 8 * ulp(max(size, size.squareRoot()))).forOperands(v)
    }
  }

  static let comparisons: [String: Function] = [
    "comparisons": bits { x, y in [x < y, x <= y, x > y, x >= y, x == y, x != y] },
    "unordered-comparisons": bits { x, y in [!(x >= y), !(x > y), !(x <= y), !(x < y), !(x < y || x > y), x != y] },
    "number-class": { words in
      let x = Float(bitPattern: words[0])
      return .word(bitMask([x.isNaN, x.isInfinite]), isDefined: x.isOrdinary)
    },
    "select-less": two({ $0 < $1 ? 1 : -1 }) { _, _, _ in 0 }, "not-less": bits { x, y in [!(x < y)] },
    "unordered-select-less": two({ !($0 >= $1) ? 1 : -1 }) { _, _, _ in 0 }, "unordered-not-less": bits { x, y in [!(!(x >= y))] },
  ]

  private static func bits(_ body: @escaping @Sendable (Float, Float) -> [Bool]) -> Function {
    { words in
      let x = Float(bitPattern: words[0]), y = Float(bitPattern: words[1])
      return .word(bitMask(body(x, y)), isDefined: x.isOrdinary && y.isOrdinary)
    }
  }
}

/// Bit k says whether condition k holds.
func bitMask(_ conditions: [Bool]) -> UInt32 {
  conditions.enumerated().reduce(0) { $0 | ($1.element ? 1 : 0) << UInt32($1.offset) }
}

extension Float {
  init(signOf sign: Float, magnitudeOf value: Float) { self.init(bitPattern: value.magnitude.bitPattern | sign.bitPattern & 1 << 31) }
}
