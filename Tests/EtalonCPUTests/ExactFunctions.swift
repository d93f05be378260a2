import Glibc

/// The elementary functions in double precision, which is what the lane kernels are measured against.
///
/// The C library's double functions are off by less than one unit of a double's last place, which is 2^-29 of a float's; `Tests/Oracle` checks
/// the worst arguments with 200 bits.
enum ExactFunctions {
  static let unary: [(name: String, exact: @Sendable (Double) -> Double)] = [
    ("sin", { sin($0) }), ("cos", { cos($0) }), ("tan", { tan($0) }), ("asin", { asin($0) }), ("acos", { acos($0) }),
    ("atan", { atan($0) }),
    ("sinh", { sinh($0) }), ("cosh", { cosh($0) }), ("tanh", { tanh($0) }), ("asinh", { asinh($0) }), ("acosh", { acosh($0) }),
    ("atanh", { atanh($0) }), ("exp", { exp($0) }), ("exp2", { exp2($0) }), ("log", { log($0) }), ("log2", { log2($0) }),
    ("sqrt", { $0.squareRoot() }), ("inversesqrt", { 1 / $0.squareRoot() }),
  ]

  static let binary: [(name: String, exact: @Sendable (Double, Double) -> Double)] = [
    ("pow", { pow($0, $1) }), ("atan2", { atan2($0, $1) }),
  ]
}

func log2(of x: Double) -> Double { log2(x) }

/// How far a result is from the exact value, in units of the last place that a float has there; infinite when one of them is NaN, an infinity or
/// a zero of the other sign and the other is not.
func ulpError(_ word: UInt32, exact: Double) -> Double {
  let result = Float(bitPattern: word)
  if exact.isNaN { return word == 0x7fc0_0000 ? 0 : .infinity }
  if result.isNaN { return .infinity }
  if exact.magnitude >= 0x1p128 { return result == (exact < 0 ? -Float.infinity : .infinity) ? 0 : .infinity }
  if Float(exact) == 0, result.sign != exact.sign { return .infinity }
  let exponent = exact == 0 ? -149 : min(max(Int(exact.exponent) - 23, -149), 104)
  let value = result.isInfinite ? (result < 0 ? -0x1p128 : 0x1p128) : Double(result)
  return (value - exact).magnitude * Double(sign: .plus, exponent: -exponent, significand: 1)
}
