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

    /// It may be no number at all; then it may be everything else, too.
    package static let mayBeNaN = Traits(rawValue: 1)
    /// The specification gives no bound on the way here, and that of its conformance tests was taken.
    package static let isBeyondSpecification = Traits(rawValue: 2)
    /// An integer that stands for the bits of a float: the ends are those of the float.
    package static let holdsFloatBits = Traits(rawValue: 4)
  }

  package var low: Double
  package var high: Double
  package var traits: Traits = []
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
    guard traits.contains(.holdsFloatBits) == other.traits.contains(.holdsFloatBits) else { return mixedHull(other, hull) }
    return hull
  }

  /// What bits of a float and an integer may be together.
  private func mixedHull(_ other: Interval, _ hull: Interval) -> Interval {
    var (a, b) = (asWord, other.asWord)
    if a.isExact, b.isExact { return a.hull(b) }
    (a.low, a.high) = (Double(Int32.min), Double(UInt32.max))
    b.traits = []
    a.cause = hull.cause
    return a
  }

  /// What lies in a range at most, whatever was computed.
  func clipped(_ low: Double, _ high: Double) -> Interval {
    guard !mayBeNaN else { return self }
    var clipped = self
    (clipped.low, clipped.high) = (min(max(self.low, low), high), max(min(self.high, high), low))
    return clipped
  }
}
