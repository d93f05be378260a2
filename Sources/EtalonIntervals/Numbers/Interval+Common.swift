/// Functions of GLSL that are formulas of others.
///
/// Vulkan lets devices take "inherited from" formulas apart by associativity, commutativity and distributivity, even where operands are added that
/// cancel each other out.
extension Interval {
  /// a (1 - t) + b t, or a + (b - a) t, or a - a t + b t in any order.
  package func mixed(_ other: Interval, _ t: Interval, _ width: FloatWidth) -> Interval {
    guard !mayBeNaN, !other.mayBeNaN, !t.mayBeNaN else { return .anything(.undefined, like: self, other, t) }
    // The result depends on each operand along a line, so that it is largest and smallest at ends; roundings between may be larger by a little.
    let points = t.isExact ? [t] : [Interval(t.low), Interval(t.high)]
    var result: Interval?
    for point in points {
      let weighted = times(Interval(1).minus(point, width), width).plus(other.times(point, width), width)
      let stepped = plus(spread(to: other, point, width), width)
      var all = weighted.hull(stepped)
      if isExact, other.isExact { all = all.hull(expanded(to: other, point, width)) }
      result = result?.hull(all) ?? all
    }
    guard var mixed = result, !mixed.mayBeNaN else { return .anything(.undefined, like: self, other, t) }
    let areExact = t.isExact && (isExact && other.isExact || t.low == 0)
    if !areExact {
      // What the sums of the others may be off, and what lies between the ends.
      let all = largest + t.largest * (largest + other.largest)
      mixed = mixed.widened(by: 5 * width.ulp(all), width)
    }
    (mixed.traits, mixed.cause) = ([], nil)
    for operand in [self, other, t] { mixed.inherit(operand) }
    return mixed
  }

  /// a - a t + b t of single numbers.
  private func expanded(to other: Interval, _ t: Interval, _ width: FloatWidth) -> Interval {
    let (less, more) = (times(t, width), other.times(t, width))
    let sums = [minus(less, width).plus(more, width), plus(more, width).minus(less, width), plus(more.minus(less, width), width)]
    return sums[0].hull(sums[1]).hull(sums[2])
  }

  /// The magnitude of the number that is farthest from zero.
  var largest: Double { max(low.magnitude, high.magnitude) }

  /// (b - a) t as part of a + (b - a) t, where a is the same number both times: its ends are used one at a time.
  private func spread(to other: Interval, _ t: Interval, _ width: FloatWidth) -> Interval {
    // a (1 - t) + b t is between these; what is added to a is what is left of it.
    guard t.low >= 0, t.high <= 1 else { return other.minus(self, width).times(t, width) }
    let difference = Interval(other.low - low, other.high - high)
    let sorted = Interval(min(difference.low, difference.high), max(difference.low, difference.high)).rounded(width)
    return sorted.times(t, width).widened(ulps: 2, width)
  }

  /// (a - b) / c, or a / c - b / c.
  func difference(_ other: Interval, dividedBy divisor: Interval, _ width: FloatWidth) -> Interval {
    let quotient = minus(other, width).divided(by: divisor, width)
    guard !quotient.mayBeNaN, largest > 0, other.largest > 0 else { return quotient }
    let least = min(divisor.low.magnitude, divisor.high.magnitude)
    return quotient.widened(by: 2.5 * (width.ulp(largest / least) + width.ulp(other.largest / least)), width)
  }

  /// t t (3 - 2 t) of t = clamp((x - from) / (to - from), 0, 1); undefined unless from < to.
  package func smoothStep(from: Interval, to: Interval, _ width: FloatWidth) -> Interval {
    guard !mayBeNaN, !from.mayBeNaN, !to.mayBeNaN, from.low < to.high, from.high < to.low || from.isExact && to.isExact else {
      return .anything(.undefined, like: self, from, to)
    }
    let span = to.minus(from, width), t = difference(from, dividedBy: span, width)
    guard !t.mayBeNaN else { return t }
    let clamped = t.clipped(0, 1)
    func curve(_ t: Double) -> Interval {
      let point = Interval(t)
      let product = point.squared(width).times(Interval(3).minus(point.times(Interval(2), width), width), width)
      // Or 3 t t - 2 t t t, which is exact at both ends.
      return t == 0 || t == 1 ? product : product.widened(by: 3 * width.ulp(1) * t * t * (3 + 2 * t), width)
    }
    let hull = curve(clamped.low).hull(curve(clamped.high))
    let widened = clamped.isExact ? hull : hull.widened(by: 2 * width.ulp(hull.high), width)
    return Interval(max(widened.low, 0), widened.high, like: clamped)
  }

  /// x < edge ? 0 : 1.
  package func step(edge: Interval) -> Interval {
    let isBelow = isLess(than: edge)
    return isBelow.not
  }

  package func radians(_ width: FloatWidth) -> Interval { times(Interval(width.down(.pi / 180), width.up(.pi / 180)), width) }
  package func degrees(_ width: FloatWidth) -> Interval { times(Interval(width.down(180 / .pi), width.up(180 / .pi)), width) }

  /// x 2^exponent: zero as well where the exponent is below -126, even of products that are normal numbers.
  package func scaled(byPowerOfTwo exponent: Interval, _ width: FloatWidth) -> Interval {
    guard !mayBeNaN, exponent.isExact else { return .anything(.undefined, like: self, exponent) }
    guard exponent.low <= 128 else { return .anything(.undefined, like: self, exponent) }
    let x = flushed(width)
    guard !x.mayBeNaN else { return x }
    let factor = Double(sign: .plus, exponent: Int(max(exponent.low, -1000)), significand: 1)
    let ends = width.outward(x.low * factor, x.high * factor)
    let product = Interval(ends.low, ends.high, like: x, exponent).unlessInfinite(of: x, exponent)
    return exponent.low < -126 ? product.hull(Interval(0)) : product
  }

  /// The significand, from 0.5 to 1, and the exponent.
  package var significandAndExponent: (Interval, Interval) {
    func split(_ value: Double) -> (Double, Double) {
      guard value != 0, value.isFinite else { return (value, 0) }
      return (value.sign == .minus ? -value.significand / 2 : value.significand / 2, Double(value.exponent + 1))
    }
    guard !mayBeNaN, low.isFinite, high.isFinite else { return (.anything(.undefined, like: self), .anyWord(.undefined, like: self)) }
    // Denormal numbers may be zero, or what their bits are otherwise.
    if low.magnitude < 0x1p-126 && low != 0 || high.magnitude < 0x1p-126 && high != 0 || low < 0 && high > 0 {
      return (
        Interval(low < 0 ? -1 : 0, high > 0 ? 1 : 0, like: self).because(.comparison),
        Interval(-149, max(split(low).1, split(high).1, 0), like: self).because(.comparison)
      )
    }
    let (first, last) = (split(low), split(high))
    if first.1 == last.1, low.sign == high.sign || low == 0 && high == 0 {
      return (Interval(first.0, last.0, like: self), Interval(first.1, last.1, like: self))
    }
    let largest = max(first.1, last.1), smallest = containsZero ? -149 : min(first.1, last.1)
    return (
      Interval(low < 0 ? -1 : containsZero ? 0 : 0.5, high > 0 ? 1 : containsZero ? 0 : -0.5, like: self).because(.comparison),
      Interval(smallest, max(largest, 0), like: self).because(.comparison)
    )
  }
}
