/// The operators: correctly rounded in either direction, save for divisions.
extension Interval {
  /// a + b.
  package func plus(_ other: Interval, _ width: FloatWidth) -> Interval {
    let (a, b) = (flushed(width), other.flushed(width))
    if a.mayBeNaN || b.mayBeNaN || a.low == -.infinity && b.high == .infinity || a.high == .infinity && b.low == -.infinity {
      return .anything(.undefined, like: a, b)
    }
    let ends = width.flushed(Self.sumDown(a.low, b.low, width), -Self.sumDown(-a.high, -b.high, width))
    return Interval(ends.low, ends.high, like: a, b).unlessInfinite(of: a, b)
  }

  /// The largest float that is not above a sum.
  private static func sumDown(_ a: Double, _ b: Double, _ width: FloatWidth) -> Double {
    let sum = a + b
    let down = width.down(sum)
    guard sum.isFinite, down == sum else { return down }
    // What the sum lost as a double: where it is too large, the float below counts.
    let part = sum - a
    let lost = (a - (sum - part)) + (b - part)
    return lost < 0 ? width.down(sum.nextDown) : down
  }

  package var negated: Interval {
    var negated = self
    (negated.low, negated.high, negated.certainBits) = (-high, -low, 0)
    return negated
  }

  /// a - b.
  package func minus(_ other: Interval, _ width: FloatWidth) -> Interval { plus(other.negated, width) }

  /// a b.
  package func times(_ other: Interval, _ width: FloatWidth) -> Interval {
    let (a, b) = (flushed(width), other.flushed(width))
    if a.mayBeNaN || b.mayBeNaN || a.containsZero && b.isUnlimited || b.containsZero && a.isUnlimited {
      return .anything(.undefined, like: a, b)
    }
    let (p, q, r, s) = (a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high)
    let ends = width.outward(min(min(p, q), min(r, s)), max(max(p, q), max(r, s)))
    return Interval(ends.low, ends.high, like: a, b).unlessInfinite(of: a, b)
  }

  /// x x: unlike a product of two numbers never negative.
  package func squared(_ width: FloatWidth) -> Interval {
    let a = flushed(width)
    guard !a.mayBeNaN else { return .anything(.undefined, like: a) }
    let (p, q) = (a.low * a.low, a.high * a.high)
    let ends = width.outward(a.containsZero ? 0 : min(p, q), max(p, q))
    return Interval(ends.low, ends.high, like: a).unlessInfinite(of: a)
  }

  /// a / b: 2.5 units in the last place where the divisor has an ordinary size.
  package func divided(by other: Interval, _ width: FloatWidth) -> Interval {
    let (a, b) = (flushed(width), other.flushed(width))
    if a.mayBeNaN || b.mayBeNaN || b.containsZero || a.isUnlimited && b.isUnlimited { return .anything(.undefined, like: a, b) }
    let (p, q, r, s) = (a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high)
    var quotient = Interval(min(min(p, q), min(r, s)), max(max(p, q), max(r, s)), like: a, b)
    quotient = quotient.widened(ulps: 2.5, width)
    let largest = max(b.low.magnitude, b.high.magnitude)
    // Beyond, the reciprocal is a denormal number, which may be flushed.
    if largest > (width == .single ? 0x1p126 : 0x1p14) { quotient = quotient.hull(Interval(0)) }
    return quotient.unlessInfinite(of: a, b)
  }

  /// a b + c, with one rounding or two.
  package func timesPlus(_ factor: Interval, _ summand: Interval, _ width: FloatWidth) -> Interval {
    times(factor, width).plus(summand, width)
  }

  var containsZero: Bool { low <= 0 && high >= 0 }
  var isUnlimited: Bool { low == -.infinity || high == .infinity }

  package var magnitude: Interval {
    guard !mayBeNaN else { return self }
    var magnitude = self
    if low >= 0 { return self }
    magnitude.certainBits = 0
    (magnitude.low, magnitude.high) = high <= 0 ? (-high, -low) : (0, max(-low, high))
    return magnitude
  }

  /// a - b trunc(a / b), or with the floor: the quotient may be off as divisions are.
  package func remainder(_ other: Interval, isFloored: Bool, _ width: FloatWidth) -> Interval {
    let quotient = divided(by: other, width)
    guard !quotient.mayBeNaN, quotient.low.magnitude < 0x1p52, quotient.high.magnitude < 0x1p52 else {
      return .anything(.undefined, like: self, other)
    }
    let whole = isFloored ? quotient.floored : quotient.truncated
    if whole.isExact { return minus(other.times(whole, width), width) }
    let naive = minus(other.times(whole, width), width)
    guard !naive.mayBeNaN else { return naive }
    // A quotient that is a little off leaves the remainder in its range, but for as much of the divisor.
    let size = max(other.low.magnitude, other.high.magnitude)
    let error = size * max(width.ulp(quotient.low), width.ulp(quotient.high)) * 4 + 2 * max(width.ulp(low), width.ulp(high))
    let isPositive = other.low > 0, isNegative = other.high < 0
    guard isFloored else { return naive.clipped(high <= 0 ? -size - error : low >= 0 ? -error : -size - error, size + error) }
    return naive.clipped(isPositive ? -error : -size - error, isNegative ? error : size + error).rounded(width)
  }
}

// MARK: - Whole numbers and choices

/// Functions to whole numbers, and those that only choose: exact, but for numbers that may lie on either side.
extension Interval {
  private func steps(_ function: (Double) -> Double, _ reason: Cause.Reason = .wholeNumber) -> Interval {
    guard !mayBeNaN else { return self }
    let steps = Interval(function(low), function(high), like: self)
    return steps.low == steps.high ? steps : steps.because(reason)
  }

  package var floored: Interval { steps { $0.rounded(.down) } }
  package var ceiled: Interval { steps { $0.rounded(.up) } }
  package var truncated: Interval { steps { $0.rounded(.towardZero) } }
  /// Halves round to even.
  package var roundedToEven: Interval { steps { $0.rounded(.toNearestOrEven) } }
  package var sign: Interval { steps({ $0 > 0 ? 1 : $0 < 0 ? -1 : 0 }, .comparison) }

  /// Halves round in a direction that the device chooses.
  package var roundedEitherWay: Interval {
    guard !mayBeNaN else { return self }
    let rounded = Interval((low - 0.5).rounded(.up), (high + 0.5).rounded(.down), like: self)
    return rounded.low == rounded.high ? rounded : rounded.because(.wholeNumber)
  }

  /// x - floor(x).
  package func fraction(_ width: FloatWidth) -> Interval {
    guard !mayBeNaN, low.isFinite, high.isFinite else { return .anything(.undefined, like: self) }
    let whole = floored
    guard whole.isExact else {
      var open = Interval(0, 1, like: self)
      // Where there is one whole number between, both ends of the range and nothing between may come out: a hull cannot say so.
      open.cause = whole.cause
      return open
    }
    return minus(whole, width).clipped(0, 1)
  }

  package func smaller(_ other: Interval) -> Interval {
    if mayBeNaN || other.mayBeNaN { return .anything(.undefined, like: self, other) }
    return Interval(min(low, other.low), min(high, other.high), like: self, other)
      .dropping(self, where: other.high < low, other, where: high < other.low)
  }

  package func larger(_ other: Interval) -> Interval {
    if mayBeNaN || other.mayBeNaN { return .anything(.undefined, like: self, other) }
    return Interval(max(low, other.low), max(high, other.high), like: self, other)
      .dropping(self, where: other.low > high, other, where: low > other.high)
  }

  /// What is known about the one of two operands that the result certainly is.
  private func dropping(_ first: Interval, where isSecond: Bool, _ second: Interval, where isFirst: Bool) -> Interval {
    isSecond ? second : isFirst ? first : self
  }

  package func clamped(_ least: Interval, _ most: Interval) -> Interval {
    if !least.mayBeNaN, !most.mayBeNaN, least.high > most.low { return .anything(.undefined, like: self, least, most) }
    return larger(least).smaller(most)
  }

  /// A choice by a truth value; both where that may be either.
  package func select(_ accepted: Interval, _ rejected: Interval) -> Interval {
    if low == 1 { return accepted }
    if high == 0 { return rejected }
    return accepted.joined(rejected, because: cause)
  }

  /// Either of two, marked with what decides unless they are the same.
  func joined(_ other: Interval, because cause: Cause?) -> Interval {
    if low == other.low, high == other.high, traits == other.traits { return self.cause == nil ? other : self }
    var joined = hull(other)
    joined.cause = joined.cause ?? cause
    return joined
  }
}

// MARK: - Widths of floats

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
    rounded.certainBits = 0
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
