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
    (negated.low, negated.high) = (-high, -low)
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
