package import EtalonTypes

/// The longer times than usual between the pictures of a stream.
///
/// A time is longer than usual where it is more than one and a half of the longest usual one of the last 25, and of what the rate says. It is usual itself from
/// then on where it is at most four times as long, or follows another one: so a stream that gets slower, or whose rate varies, has few gaps.
///
/// **Concurrency**: a value.
package struct StreamGaps: Sendable, Hashable {
  package struct Gap: Sendable, Hashable {
    /// Seconds since the first picture: of the one before, and of the one behind.
    package let from: Rational
    package let to: Rational
    /// Whether the stream has begun to count anew, so that the length is not known.
    package let isRestart: Bool
  }

  private static let mostGaps = 20
  private static let mostSteps = 25
  private static let longestStep: Int64 = 1 << 40

  /// The first ones.
  package private(set) var found: [Gap] = []
  /// How many there were.
  package private(set) var count = 0
  /// The seconds of a unit of time.
  private let base: Rational
  /// The units between pictures where the stream is at its rate.
  private let usualStep: Int64
  /// The usual times between the last pictures.
  private var steps: [Int64] = []
  private var wasLong = false
  private var longestUsual: Int64 = 0

  init(base: Rational, usualStep: Int64) { (self.base, self.usualStep) = (base, usualStep) }

  /// Those of a recorded stream.
  ///
  /// - Parameters:
  ///   - timeStamps: of all pictures in seconds, in their order.
  ///   - base: the seconds of a unit of its clock.
  ///   - rate: pictures a second.
  package init(_ timeStamps: [Rational], base: Rational, rate: Rational) {
    self.init(base: base, usualStep: Self.step(rate, base))
    let times = timeStamps.map { Int64(($0 / base).floor) }
    for (last, time) in zip(times, times.dropFirst()) { add(from: last, to: time) }
  }

  /// The units of a clock between pictures.
  static func step(_ rate: Rational, _ base: Rational) -> Int64 {
    Int64(min(max(1, (1 / ((rate > 0 ? rate : 25) * base)).floor), 1 << 40))
  }

  /// The longest of the times that are not too long, in seconds.
  package var longestUsualTime: Rational { base * Rational(Int(max(usualStep, longestUsual))) }

  /// Looks at the time between two pictures, in units.
  mutating func add(from last: Int64, to time: Int64, isRestart: Bool = false) {
    let (step, overflows) = time.subtractingReportingOverflow(last)
    let length = overflows ? Self.longestStep : min(step, Self.longestStep), longest = max(usualStep, steps.max() ?? 0)
    let isLong = isRestart || length > longest + longest / 2 + 1
    defer { wasLong = isLong }
    if isLong {
      count += 1
      if found.count < Self.mostGaps {
        found.append(Gap(from: base * Rational(Int(last)), to: base * Rational(Int(time)), isRestart: isRestart))
      }
    }
    if !isLong { longestUsual = max(longestUsual, length) }
    guard !isLong || !isRestart && (wasLong || length <= 4 * longest) else { return }
    steps.append(length)
    if steps.count > Self.mostSteps { steps.removeFirst() }
  }
}
