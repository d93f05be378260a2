internal import Foundation

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
