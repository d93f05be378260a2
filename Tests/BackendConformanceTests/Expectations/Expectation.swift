/// What a kernel has to write in one word of its result.
struct Expectation: Sendable {
  /// What the CPU executor has to give.
  enum OnCPU: Sendable, Equatable {
    /// These bits.
    case bits(UInt32)
    /// A float at most 2 ulp from this value.
    case near(Double)
    /// A float at most this far from a value.
    case within(Double, of: Double)
  }

  let onCPU: OnCPU
  /// How far a float may be off on a Vulkan device; 0 for exactly the bits, nil when the specification leaves the result open.
  let vulkanTolerance: Double?
  /// Another value that a Vulkan device may give, within the same tolerance.
  let vulkanAlternatives: [Double]

  private init(_ onCPU: OnCPU, vulkanTolerance: Double?, vulkanAlternatives: [Double] = []) {
    (self.onCPU, self.vulkanTolerance, self.vulkanAlternatives) = (onCPU, vulkanTolerance, vulkanAlternatives)
  }

  /// An integer; `isDefined` says whether the specification fixes it.
  static func word(_ word: UInt32, isDefined: Bool = true) -> Self { Self(.bits(word), vulkanTolerance: isDefined ? 0 : nil) }

  static func signed(_ word: Int32, isDefined: Bool = true) -> Self { .word(UInt32(bitPattern: word), isDefined: isDefined) }

  /// A float that the CPU has to give exactly.
  static func float(_ value: Float, within tolerance: Double?, or alternatives: [Double] = []) -> Self {
    // Vulkan may ignore the sign of a zero, so that even exact results are compared as numbers.
    let tolerance = tolerance.map { max($0, 0x1p-200) }
    return Self(.bits(value.canonicalBits), vulkanTolerance: value.isOrdinary ? tolerance : nil, vulkanAlternatives: alternatives)
  }

  /// An exact value that the CPU has to come close to.
  static func near(_ value: Double, within tolerance: Double?) -> Self {
    Self(.near(value), vulkanTolerance: Float(value).isOrdinary ? tolerance : nil)
  }

  /// A float whose formula is long: both executors within an absolute distance of the exact value.
  static func roughly(_ value: Double, within tolerance: Double) -> Self {
    Self(.within(tolerance, of: value), vulkanTolerance: tolerance)
  }

  /// The same, with nothing asked of Vulkan unless all operands are zero or normal numbers: others need not be preserved there.
  func forOperands(_ operands: Float...) -> Self {
    operands.allSatisfy(\.isOrdinary) ? self : Self(onCPU, vulkanTolerance: nil)
  }

  func forOperands(_ operands: [Float]) -> Self {
    operands.allSatisfy(\.isOrdinary) ? self : Self(onCPU, vulkanTolerance: nil)
  }

  func acceptsOnCPU(_ word: UInt32) -> Bool {
    switch onCPU {
    case .bits(let bits): word == bits
    case .near(let exact): ulpError(word, exact: exact) <= 2
    case .within(let distance, let exact): (Double(Float(bitPattern: word)) - exact).magnitude <= distance
    }
  }

  func acceptsOnVulkan(_ word: UInt32) -> Bool {
    guard let tolerance = vulkanTolerance else { return true }
    let exact: Double
    switch onCPU {
    case .bits(let bits):
      if word == bits { return true }
      if tolerance == 0 { return false }
      exact = Double(Float(bitPattern: bits))
    case .near(let value), .within(_, let value): exact = value
    }
    let actual = Double(Float(bitPattern: word))
    return ([exact] + vulkanAlternatives).contains { (actual - $0).magnitude <= tolerance }
  }

  var description: String {
    switch onCPU {
    case .bits(let bits): "\(hexadecimal(bits)) (\(Float(bitPattern: bits)))"
    case .near(let value), .within(_, let value): "\(value)"
    }
  }
}

extension Float {
  /// Zero or a normal number: what every Vulkan device computes with.
  var isOrdinary: Bool { isZero || isNormal }
  /// The bits with which the CPU executor makes a NaN visible.
  var canonicalBits: UInt32 { isNaN ? 0x7fc0_0000 : bitPattern }
}

/// The distance between floats at a value.
func ulp(_ value: Double) -> Double { Double(max(Float(value.magnitude).ulp, .leastNonzeroMagnitude)) }

func hexadecimal(_ word: UInt32) -> String { "0x" + String(word, radix: 16) }

/// How far a result is from the exact value, in units of the last place of a float there; infinite where only one of them is NaN.
func ulpError(_ word: UInt32, exact: Double) -> Double {
  let result = Float(bitPattern: word)
  if exact.isNaN { return word == 0x7fc0_0000 ? 0 : .infinity }
  if result.isNaN { return .infinity }
  if exact.magnitude >= 0x1p128 { return result == (exact < 0 ? -Float.infinity : .infinity) ? 0 : .infinity }
  let exponent = exact == 0 ? -149 : min(max(Int(exact.exponent) - 23, -149), 104)
  let value = result.isInfinite ? (result < 0 ? -0x1p128 : 0x1p128) : Double(result)
  return (value - exact).magnitude * Double(sign: .plus, exponent: -exponent, significand: 1)
}
