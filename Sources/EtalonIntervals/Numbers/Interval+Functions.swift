internal import Foundation

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

// MARK: - Exponentials, logarithms and roots

/// Exponentials, logarithms and roots, with the errors of the table "Precision of GLSL.std.450 Instructions".
extension Interval {
  /// 2^x: 3 + 2 |x| units in the last place; in half precision 1 + 2 |x|.
  package func exp2(_ width: FloatWidth) -> Interval { exponential(width) { Foundation.exp2($0) } }

  /// e^x, as far off as 2^x.
  package func exp(_ width: FloatWidth) -> Interval { exponential(width) { Foundation.exp($0) } }

  private func exponential(_ width: FloatWidth, _ function: (Double) -> Double) -> Interval {
    let x = flushed(width)
    guard !x.mayBeNaN else { return .anything(.undefined, like: x) }
    func error(_ x: Double, _ value: Double) -> Double {
      value == 0 || !value.isFinite ? 0 : ((width == .single ? 3 : 1) + 2 * x.magnitude) * width.ulp(value)
    }
    let (first, last) = (function(x.low), function(x.high))
    let ends = width.outward(max(first - error(x.low, first), 0), last + error(x.high, last))
    return Interval(ends.low, ends.high, like: x).unlessInfinite(of: x)
  }

  /// The binary logarithm: 3 units in the last place, and 2^-21 from 0.5 to 2; in half precision 2^-7.
  package func log2(_ width: FloatWidth) -> Interval { logarithm(width) { Foundation.log2($0) } }

  package func log(_ width: FloatWidth) -> Interval { logarithm(width) { Foundation.log($0) } }

  private func logarithm(_ width: FloatWidth, _ function: (Double) -> Double) -> Interval {
    let x = flushed(width)
    guard !x.mayBeNaN, x.low > 0 else { return .anything(.undefined, like: x) }
    let near = width == .single ? 0x1p-21 : 0x1p-7
    func error(_ x: Double, _ value: Double) -> Double {
      guard value.isFinite else { return 0 }
      return x >= 0.5 && x <= 2 ? near : 3 * width.ulp(value)
    }
    let (first, last) = (function(x.low), function(x.high))
    var (low, high) = (first - error(x.low, first), last + error(x.high, last))
    // The bound grows where the absolute one begins.
    if x.low < 0.5, x.high >= 0.5 { low = min(low, function(0.5) - near) }
    if x.low <= 2, x.high > 2 { high = max(high, function(2) + near) }
    let ends = width.outward(low, high)
    return Interval(ends.low, ends.high, like: x)
  }

  /// x^y, as exp2(y log2(x)).
  package func power(_ exponent: Interval, _ width: FloatWidth) -> Interval {
    let x = flushed(width), y = exponent.flushed(width)
    guard !x.mayBeNaN, !y.mayBeNaN, x.low >= 0, x.low > 0 || y.low > 0 else { return .anything(.undefined, like: x, y) }
    guard x.low == 0 else { return y.times(x.log2(width), width).exp2(width) }
    guard x.high > 0 else { return Interval(0, 0, like: x, y) }
    var top = x
    top.low = x.high
    var power = y.times(top.log2(width), width).exp2(width)
    power.low = 0
    return power
  }

  /// 1 / sqrt(x): 2 units in the last place.
  package func inverseRoot(_ width: FloatWidth) -> Interval {
    let x = flushed(width)
    guard !x.mayBeNaN, x.low > 0 else { return .anything(.undefined, like: x) }
    return Interval(1 / x.high.squareRoot(), 1 / x.low.squareRoot(), like: x).widened(ulps: 2, width)
  }

  /// As 1 / inversesqrt(x); the root of zero is zero.
  package func root(_ width: FloatWidth) -> Interval {
    let x = flushed(width)
    guard !x.mayBeNaN, x.low >= 0 else { return .anything(.undefined, like: x) }
    guard x.high > 0 else { return x }
    var top = x
    if x.low == 0 { top.low = x.high }
    var root = Interval(1).divided(by: top.inverseRoot(width), width)
    if x.low == 0 { root.low = 0 }
    return root.clipped(0, .infinity)
  }
}

// MARK: - Trigonometry

/// Sines and what follows from them.
extension Interval {
  package func sin(_ width: FloatWidth) -> Interval { wave(width, phase: 0) }

  package func cos(_ width: FloatWidth) -> Interval { wave(width, phase: .pi / 2) }

  /// sin(x + phase): 2^-11 from -π to π.
  ///
  /// Outside, where nothing is said, 2^-12 |x| is taken, as the conformance tests do; in half precision 2^-7.
  private func wave(_ width: FloatWidth, phase: Double) -> Interval {
    let x = flushed(width)
    guard !x.mayBeNaN, x.low.isFinite, x.high.isFinite else { return .anything(.undefined, like: x) }
    let largest = max(x.low.magnitude, x.high.magnitude)
    let inside = width == .single ? 0x1p-11 : 0x1p-7
    let isInside = largest <= Double.pi
    let error = isInside ? inside : max(inside, largest * inside / 2)
    let ends = [x.low, x.high].map { phase == 0 ? Foundation.sin($0) : Foundation.cos($0) }
    var (low, high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    // The number of whole turns to the next crest tells whether one lies between.
    func reaches(_ top: Double) -> Bool {
      let turn = 2 * Double.pi, first = (x.low + phase - top) / turn, last = (x.high + phase - top) / turn
      return (first - 0x1p-40).rounded(.up) <= last + 0x1p-40
    }
    if reaches(.pi / 2) { high = 1 }
    if reaches(-.pi / 2) { low = -1 }
    var wave = Interval(low, high, like: x).widened(by: error, width)
    if !isInside { wave.traits.insert(.isBeyondSpecification) }
    // Where the error is the whole range of a sine, nothing is known of it.
    return error < 2 ? wave : wave.because(.wave)
  }

  /// As sin(x) / cos(x).
  package func tan(_ width: FloatWidth) -> Interval {
    let quotient = sin(width).divided(by: cos(width), width)
    guard !quotient.mayBeNaN, x(isWithoutPole: self) else { return quotient }
    // Both change together: the ends of the range decide, each as a number alone.
    let ends = [low, high].map { Interval($0).sin(width).divided(by: Interval($0).cos(width), width) }
    let hull = ends[0].hull(ends[1])
    return hull.mayBeNaN ? quotient : quotient.clipped(hull.low - hull.width * 0x1p-10, hull.high + hull.width * 0x1p-10).rounded(width)
  }

  private func x(isWithoutPole x: Interval) -> Bool {
    ((x.low / .pi) - 0.5).rounded(.down) == ((x.high / .pi) - 0.5).rounded(.down)
  }

  // MARK: Inverse functions

  /// 4096 units in the last place; in half precision 5.
  private static func arcError(_ width: FloatWidth) -> Double { width == .single ? 4096 : 5 }

  package func atan(_ width: FloatWidth) -> Interval {
    let x = flushed(width)
    guard !x.mayBeNaN else { return .anything(.undefined, like: x) }
    return Interval(Foundation.atan(x.low), Foundation.atan(x.high), like: x).widened(ulps: Self.arcError(width), width)
  }

  /// The angle of (x, self).
  ///
  /// - Parameter isRoot: whether this is a root, whose zero has no other sign.
  package func atan2(_ other: Interval, isRoot: Bool = false, _ width: FloatWidth) -> Interval {
    let y = flushed(width), x = other.flushed(width)
    guard !y.mayBeNaN, !x.mayBeNaN, !(y.containsZero && x.containsZero) else { return .anything(.undefined, like: y, x) }
    // The sign of zero need not be kept, so that angles of the negative axis jump.
    if y.containsZero, x.low < 0, !isRoot {
      return Interval(-.pi, .pi, like: y, x).because(.comparison).widened(ulps: Self.arcError(width), width)
    }
    let corners = [(y.low, x.low), (y.low, x.high), (y.high, x.low), (y.high, x.high)].map { Foundation.atan2($0.0, $0.1) }
    let low = corners.reduce(.infinity) { min($0, $1) }, high = corners.reduce(-.infinity) { max($0, $1) }
    return Interval(low, high, like: y, x).widened(ulps: Self.arcError(width), width)
  }

  /// As atan2(x, sqrt(1 - x x)).
  package func asin(_ width: FloatWidth) -> Interval {
    monotone(domain: -1...1, width, { Foundation.asin($0) }) { x in
      x.atan2(Interval(1).minus(x.squared(width), width).clipped(0, 1).root(width), width)
    }
  }

  /// As atan2(sqrt(1 - x x), x).
  package func acos(_ width: FloatWidth) -> Interval {
    monotone(domain: -1...1, isFalling: true, width, { Foundation.acos($0) }) { x in
      Interval(1).minus(x.squared(width), width).clipped(0, 1).root(width).atan2(x, isRoot: true, width)
    }
  }

  // MARK: Hyperbolic functions

  package func sinh(_ width: FloatWidth) -> Interval {
    monotone(width, { Foundation.sinh($0) }) { x in x.exp(width).minus(x.negated.exp(width), width).times(Interval(0.5), width) }
  }

  package func cosh(_ width: FloatWidth) -> Interval {
    magnitude.monotone(width, { Foundation.cosh($0) }) { x in x.exp(width).plus(x.negated.exp(width), width).times(Interval(0.5), width) }
  }

  package func tanh(_ width: FloatWidth) -> Interval {
    monotone(width, { Foundation.tanh($0) }) { x in
      let (rising, falling) = (x.exp(width).times(Interval(0.5), width), x.negated.exp(width).times(Interval(0.5), width))
      return rising.difference(falling, dividedBy: rising.plus(falling, width), width)
    }
  }

  package func asinh(_ width: FloatWidth) -> Interval {
    monotone(width, { Foundation.asinh($0) }) { x in x.plus(x.squared(width).plus(Interval(1), width).root(width), width).log(width) }
  }

  package func acosh(_ width: FloatWidth) -> Interval {
    monotone(domain: 1...Double.infinity, width, { Foundation.acosh($0) }) { x in
      x.plus(x.squared(width).minus(Interval(1), width).clipped(0, .infinity).root(width), width).log(width)
    }
  }

  package func atanh(_ width: FloatWidth) -> Interval {
    monotone(domain: (-1).nextUp...Double(1).nextDown, width, { Foundation.atanh($0) }) { x in
      Interval(1).difference(x.negated, dividedBy: Interval(1).minus(x, width), width).log(width).times(Interval(0.5), width)
    }
  }

  /// A function that only rises or only falls: its ends are those of the range, and its errors those of a formula there, and half as much more for
  /// what lies between.
  private func monotone(
    domain: ClosedRange<Double> = -.infinity...Double.infinity, isFalling: Bool = false, _ width: FloatWidth,
    _ function: (Double) -> Double, _ formula: (Interval) -> Interval
  ) -> Interval {
    let x = flushed(width)
    guard !x.mayBeNaN, x.low >= domain.lowerBound, x.high <= domain.upperBound else { return .anything(.undefined, like: x) }
    func error(_ at: Double) -> Double? {
      let (exact, computed) = (function(at), formula(Interval(at)))
      guard !computed.mayBeNaN, computed.low.isFinite, computed.high.isFinite else { return nil }
      return max(exact - computed.low, computed.high - exact, 0)
    }
    guard let first = error(x.low), let last = error(x.high) else {
      var open = Interval.anything(.undefined, like: x)
      open.traits.insert(.isBeyondSpecification)
      return open
    }
    let ends = isFalling ? (function(x.high), function(x.low)) : (function(x.low), function(x.high))
    guard x.low < x.high else { return formula(x).hull(Interval(ends.0)).inheriting(x) }
    return Interval(ends.0, ends.1, like: x).widened(by: 1.5 * max(first, last), width)
  }

  private func inheriting(_ operand: Interval) -> Interval {
    var result = self
    result.inherit(operand)
    return result
  }
}
