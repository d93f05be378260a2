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
