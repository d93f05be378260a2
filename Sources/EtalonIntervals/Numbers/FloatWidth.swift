/// A width of floats, and how numbers are rounded to it.
package enum FloatWidth: Sendable, Hashable {
  case single, half

  /// Bits after the point of a normal number.
  private var fractionBits: Int { self == .single ? 23 : 10 }
  private var leastExponent: Int { self == .single ? -126 : -14 }
  var largest: Double { self == .single ? Double(Float.greatestFiniteMagnitude) : 65504 }
  var leastNormal: Double { self == .single ? 0x1p-126 : 0x1p-14 }

  /// The distance between floats at a value.
  func ulp(_ value: Double) -> Double {
    let magnitude = min(value.magnitude, largest)
    let exponent = magnitude == 0 ? leastExponent : max(Int(magnitude.exponent), leastExponent)
    return Double(sign: .plus, exponent: exponent - fractionBits, significand: 1)
  }

  /// The largest float that is not above a value.
  func down(_ value: Double) -> Double {
    switch self {
    case .single:
      let nearest = Float(value)
      return Double(Double(nearest) > value ? nearest.nextDown : nearest)
    case .half:
      guard value.isFinite else { return value }
      let nearest = Float16(Float(value))
      let candidate = Double(nearest)
      return candidate > value ? Double(nearest.nextDown) : candidate
    }
  }

  /// The smallest float that is not below a value.
  func up(_ value: Double) -> Double { -down(-value) }

  /// Everything between two values that floats can be after rounding in any direction; denormals may be flushed to zero.
  func outward(_ low: Double, _ high: Double) -> (low: Double, high: Double) {
    flushed(down(low), up(high))
  }

  /// The same with zero, where denormal numbers are.
  func flushed(_ low: Double, _ high: Double) -> (low: Double, high: Double) {
    (low > 0 && low < leastNormal ? 0 : low, high < 0 && high > -leastNormal ? 0 : high)
  }
}

extension Interval {
  /// Anything where finite operands may give infinity: devices need not keep it.
  func unlessInfinite(of operands: Interval...) -> Interval {
    guard !mayBeNaN, isUnlimited, operands.allSatisfy({ !$0.isUnlimited }) else { return self }
    var anything = Interval.anything
    for operand in operands { anything.inherit(operand) }
    return anything.because(.undefined)
  }

  /// Rounded to a width in any direction.
  func rounded(_ width: FloatWidth) -> Interval {
    guard !mayBeNaN else { return self }
    var rounded = self
    (rounded.low, rounded.high) = width.outward(low, high)
    return rounded
  }

  /// What an operation reads: it may take denormal numbers for zero, and assume that no operand is infinite, so that its result is anything.
  func flushed(_ width: FloatWidth) -> Interval {
    guard mayBeNaN || !isUnlimited else { return .anything(.undefined, like: self) }
    return withZero(width)
  }

  /// The same, or zero, where denormal numbers are.
  func withZero(_ width: FloatWidth) -> Interval {
    var flushed = self
    (flushed.low, flushed.high) = width.flushed(low, high)
    return flushed
  }

  /// Off by some units in the last place, and rounded.
  func widened(ulps: Double, _ width: FloatWidth) -> Interval {
    guard !mayBeNaN else { return self }
    var widened = self
    (widened.low, widened.high) = width.outward(low - ulps * width.ulp(low), high + ulps * width.ulp(high))
    return widened
  }

  /// Off by an absolute error, and rounded.
  func widened(by error: Double, _ width: FloatWidth) -> Interval {
    guard !mayBeNaN else { return self }
    var widened = self
    (widened.low, widened.high) = width.outward(low - error, high + error)
    return widened
  }
}
