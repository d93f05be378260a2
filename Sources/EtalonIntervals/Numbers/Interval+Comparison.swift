/// Truth values: 0 and 1, or both where a comparison may go either way.
extension Interval {
  static func truth(_ isTrue: Bool, _ isFalse: Bool, like a: Interval, _ b: Interval) -> Interval {
    if isTrue { return .trueValue }
    if isFalse { return .falseValue }
    return Interval(0, 1, like: a, b).because(.comparison)
  }

  package func isLess(than other: Interval) -> Interval {
    if mayBeNaN || other.mayBeNaN { return Self.truth(false, false, like: self, other) }
    return Self.truth(high < other.low, low >= other.high, like: self, other)
  }

  package func isAtMost(_ other: Interval) -> Interval {
    if mayBeNaN || other.mayBeNaN { return Self.truth(false, false, like: self, other) }
    return Self.truth(high <= other.low, low > other.high, like: self, other)
  }

  package func isEqual(to other: Interval) -> Interval {
    if mayBeNaN || other.mayBeNaN { return Self.truth(false, false, like: self, other) }
    return Self.truth(isExact && other.isExact && low == other.low, high < other.low || low > other.high, like: self, other)
  }

  package var not: Interval {
    var not = self
    (not.low, not.high) = (1 - high, 1 - low)
    return not
  }

  package func and(_ other: Interval) -> Interval {
    if high == 0 || other.high == 0 { return .falseValue }
    if low == 1 { return other }
    return other.low == 1 ? self : Interval(0, 1, like: self, other)
  }

  package func or(_ other: Interval) -> Interval { not.and(other.not).not }

  package func isSame(_ other: Interval) -> Interval {
    guard isExact, other.isExact else { return Interval(0, 1, like: self, other) }
    return low == other.low ? .trueValue : .falseValue
  }

  /// Whether a number may be none.
  package var isNaN: Interval { mayBeNaN ? Interval(0, 1, like: self).because(.undefined) : .falseValue }

  /// Whether a number may be infinite: also of one that is, because devices may assume that no number is.
  package var isInfinite: Interval { mayBeNaN || isUnlimited ? Interval(0, 1, like: self).because(.undefined) : .falseValue }
}
