import Glibc

/// The elementary functions: the CPU within 2 ulp of the exact value, Vulkan within the bounds of its specification.
enum ElementaryFunctions {
  /// How far Vulkan may be off, from the operand and the exact result; nil for as far as it wants.
  private typealias Bound = @Sendable (_ x: Double, _ result: Double) -> Double?

  private static func one(_ exact: @escaping @Sendable (Double) -> Double, _ bound: @escaping Bound) -> FloatFunctions.Function {
    { words in
      let x = Float(bitPattern: words[0]), result = exact(Double(x))
      return Expectation.near(result, within: result.isNaN ? nil : bound(Double(x), result)).forOperands(x)
    }
  }

  private static func two(
    _ exact: @escaping @Sendable (Double, Double) -> Double, _ bound: @escaping @Sendable (Double, Double, Double) -> Double?
  ) -> FloatFunctions.Function {
    { words in
      let x = Float(bitPattern: words[0]), y = Float(bitPattern: words[1]), result = exact(Double(x), Double(y))
      return Expectation.near(result, within: result.isNaN ? nil : bound(Double(x), Double(y), result)).forOperands(x, y)
    }
  }

  static let table: [String: FloatFunctions.Function] = [
    "sqrt": root, "inversesqrt": inverseRoot, "sin": one({ sin($0) }, angle), "cos": one({ cos($0) }, angle),
    "tan": one({ tan($0) }) { x, result in
      guard x.magnitude <= .pi, cos(x).magnitude > 0x1p-8 else { return nil }
      return 0x1p-10 * (1 + result.magnitude) / cos(x).magnitude
    }, "asin": one({ asin($0) }, arc), "acos": one({ acos($0) }, arc), "atan": one({ atan($0) }) { _, result in 4096 * ulp(result) },
    "atan2": two({ atan2($0, $1) }) { y, x, result in x == 0 || y == 0 ? nil : 4096 * ulp(result) },
    "sinh": one({ sinh($0) }) { x, _ in (3 + 2 * x.magnitude) * 0x1p-22 * cosh(x) },
    "cosh": one({ cosh($0) }) { x, _ in (3 + 2 * x.magnitude) * 0x1p-22 * cosh(x) },
    "tanh": one({ tanh($0) }) { x, _ in (4 + 4 * x.magnitude) * 0x1p-21 },
    "asinh": one({ asinh($0) }) { x, result in
      let root = (x * x + 1).squareRoot()
      return 0x1p-21 * (x.magnitude + root) / (x + root) + 0x1p-20 + 3 * ulp(result)
    }, "acosh": one({ acosh($0) }) { _, _ in nil }, "atanh": one({ atanh($0) }) { _, _ in nil },
    "exp": one({ exp($0) }) { x, result in (3 + 2 * x.magnitude) * ulp(result) },
    "exp2": one({ exp2($0) }) { x, result in (3 + 2 * x.magnitude) * ulp(result) }, "log": one({ log($0) }, logarithm),
    "log2": one({ log2($0) }, logarithm),
    "pow": two({ pow($0, $1) }) { x, y, result in
      guard x > 0 else { return nil }
      let exponent = y * log2(x)
      let logarithmError = max(3 * ulp(log2(x)), x >= 0.5 && x <= 2 ? 0x1p-21 : 0) * y.magnitude + ulp(exponent)
      return result * (exp2(logarithmError) - 1) + (3 + 2 * exponent.magnitude) * ulp(result)
    },
  ]

  private static let angle: Bound = { x, _ in x.magnitude <= .pi ? 0x1p-11 : nil }
  private static let arc: Bound = { _, result in 0x1p-11 + 4096 * ulp(result) }
  private static let logarithm: Bound = { x, result in x >= 0.5 && x <= 2 ? 0x1p-21 : 3 * ulp(result) }

  /// Correctly rounded on the CPU.
  private static let root: FloatFunctions.Function = { words in
    let x = Float(bitPattern: words[0]), result = x.squareRoot()
    return Expectation.float(result, within: 5 * ulp(Double(result))).forOperands(x)
  }

  private static let inverseRoot: FloatFunctions.Function = { words in
    let x = Float(bitPattern: words[0]), result = 1 / x.squareRoot()
    return Expectation.float(result, within: 3 * ulp(Double(result))).forOperands(x)
  }
}
