/// What a number may be on a device that follows the Vulkan specification: everything from `low` to `high`.
///
/// Floats, integers and truth values (0 and 1) are all kept so; ends of floats are themselves floats of the width that was computed with.
///
/// ```swift
/// let third = Interval(1).divided(by: Interval(3), .single)   // 2.5 units in the last place around 1/3
/// third.contains(0.33333334)
/// ```
///
/// **Concurrency**: an immutable value.
package struct Interval: Sendable, Hashable {
  /// What there is to know beside the ends.
  package struct Traits: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It may be NaN; then it may be any number, too.
    package static let mayBeNaN = Traits(rawValue: 1)
    /// The specification has no bound for an operation before it, so that the bound of the conformance tests was taken.
    package static let isBeyondSpecification = Traits(rawValue: 2)
    /// An integer that stands for the bits of a float: the ends are those of the float.
    package static let holdsFloatBits = Traits(rawValue: 4)
  }

  package var low: Double
  package var high: Double
  package var traits: Traits = []
  /// Bits of an integer that are those of `low` in all words that it may be, where the ends do not tell it: numbers that were packed.
  var certainBits: UInt32 = 0
  /// Why devices may disagree by more than small errors; nil where that is all.
  package var cause: Cause?

  package init(_ value: Double) { (low, high) = (value, value) }

  package init(_ low: Double, _ high: Double) { (self.low, self.high) = (low, high) }

  init(_ low: Double, _ high: Double, like origin: Interval) {
    self.init(low, high)
    (traits, cause) = (origin.traits.subtracting([.mayBeNaN, .holdsFloatBits]), origin.cause)
  }

  init(_ low: Double, _ high: Double, like first: Interval, _ second: Interval) {
    self.init(low, high, like: first)
    traits.formUnion(second.traits.subtracting([.mayBeNaN, .holdsFloatBits]))
    cause = cause ?? second.cause
  }

  /// Anything that a float can be.
  package static let anything: Interval = {
    var anything = Interval(-.infinity, .infinity)
    anything.traits = .mayBeNaN
    return anything
  }()

  static let trueValue = Interval(1)
  static let falseValue = Interval(0)

  /// Anything, because of a reason; an earlier one counts more.
  static func anything(_ reason: Cause.Reason, like operands: Interval...) -> Interval {
    var result = anything
    for operand in operands { result.inherit(operand) }
    return result.because(reason)
  }

  package var isExact: Bool { low == high && !traits.contains(.mayBeNaN) }
  package var mayBeNaN: Bool { traits.contains(.mayBeNaN) }
  package var width: Double { high - low }

  package func contains(_ value: Double) -> Bool { mayBeNaN || (value >= low && value <= high) }

  /// Takes over what is known about an operand beside its ends.
  mutating func inherit(_ operand: Interval) {
    traits.formUnion(operand.traits.intersection(.isBeyondSpecification))
    cause = cause ?? operand.cause
  }

  /// The same, marked as open for a reason, unless there is an earlier one.
  func because(_ reason: Cause.Reason) -> Interval {
    var marked = self
    marked.cause = cause ?? Cause(reason)
    return marked
  }

  /// Everything that either may be.
  package func hull(_ other: Interval) -> Interval {
    var hull = Interval(min(low, other.low), max(high, other.high))
    hull.traits = traits.union(other.traits)
    hull.cause = cause ?? other.cause
    if certainBits != 0, other.certainBits != 0 { hull.certainBits = certainBits & other.certainBits & ~(lowWord ^ other.lowWord) }
    guard traits.contains(.holdsFloatBits) == other.traits.contains(.holdsFloatBits) else { return mixedHull(other, hull) }
    return hull
  }

  /// What bits of a float and an integer may be together.
  private func mixedHull(_ other: Interval, _ hull: Interval) -> Interval {
    var (a, b) = (asWord, other.asWord)
    if a.isExact, b.isExact { return a.hull(b) }
    (a.low, a.high, a.certainBits) = (Double(Int32.min), Double(UInt32.max), 0)
    b.traits = []
    a.cause = hull.cause
    return a
  }

  /// What lies in a range at most, whatever was computed.
  func clipped(_ low: Double, _ high: Double) -> Interval {
    guard !mayBeNaN else { return self }
    var clipped = self
    (clipped.low, clipped.high) = (min(max(self.low, low), high), max(min(self.high, high), low))
    clipped.certainBits = 0
    return clipped
  }
}

/// Why devices may disagree about a number by more than the errors that each operation may make.
///
/// **Concurrency**: an immutable value.
package struct Cause: Sendable, Hashable {
  package enum Reason: UInt8, Sendable, Hashable, CaseIterable {
    case comparison, wholeNumber, conversion, index, undefined, texel, bits, order, wave

    /// The reason in words: `a comparison may go either way`.
    package var words: String {
      switch self {
      case .comparison: "a comparison may go either way"
      case .wholeNumber: "a number may be rounded to either of two whole numbers"
      case .conversion: "a conversion to an integer may go either way"
      case .index: "an index may name either of two elements"
      case .undefined: "an operation may have no defined result"
      case .texel: "a position may lie in either of two texels"
      case .bits: "the bits of a number are not certain"
      case .wave: "a sine of a number so large has no bound"
      case .order: "the order of invocations is not defined"
      }
    }
  }

  package let reason: Reason
  /// The number of the place among those of the program that is run; -1 until it is known.
  package var site: Int32 = -1

  init(_ reason: Reason) { self.reason = reason }
}

// MARK: - Comparisons

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
