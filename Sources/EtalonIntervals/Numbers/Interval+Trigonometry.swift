internal import Foundation

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
    monotone(width, { Foundation.tanh($0) }) { x in x.sinh(width).divided(by: x.cosh(width), width) }
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
