package import EtalonTypes

/// When each frame of a shot happens: frame `n` is at `start + (n − first) / rate` seconds.
///
/// Counters and state count from `first`, so that a shot numbered from 1001 shows the same pictures as one numbered from 0.
package struct ShotClock: Sendable, Hashable {
  /// The number of the shot's first frame.
  package let first: Int
  /// The time of the first frame, in seconds.
  package let start: Rational
  package let rate: FrameRate

  package init(first: Int = 0, start: Rational = .zero, rate: FrameRate = .sixty) {
    self.first = first
    self.start = start
    self.rate = rate
  }

  /// Times lie between minus this many seconds and this many, about thirty years: so arithmetic with them is exact at every rate.
  package static let longestTime = Rational(1_000_000_000)

  /// Whether a time is one that shots may have.
  package static func holds(_ time: Rational) -> Bool { time >= .zero - longestTime && time <= longestTime }

  /// The exact time of a frame, in seconds.
  package func time(ofFrame frame: Int) -> Rational {
    start + Rational(frame - first) / rate.framesPerSecond
  }

  /// The number of the frame that shows at a time: the last one that starts at or before it.
  ///
  /// Exact for times that shots may have (`holds`), which those who read times check; of others it is the number that is nearest.
  package func frame(at time: Rational) -> Int {
    let (frame, overflows) = first.addingReportingOverflow(((time - start) * rate.framesPerSecond).floor)
    return overflows ? (first < 0 ? .min : .max) : frame
  }

  /// The first and the last frame of a shot of some length in seconds: a frame that begins within the length belongs to it.
  ///
  /// Nil where the length is not above 0, or has more frames than one run may.
  package func frames(lasting seconds: Rational) -> ClosedRange<Int>? { frames(counting: seconds * rate.framesPerSecond) }

  /// The same for a length as people write it: `10s`, `2.5`, `48f`; nil also for what is no length.
  package func frames(lasting text: String) -> ClosedRange<Int>? {
    if text.hasSuffix("f") { return Int(text.dropLast()).flatMap { $0 > 0 ? frames(counting: Rational($0)) : nil } }
    return Rational(text.hasSuffix("s") ? text.dropLast() : text[...]).flatMap { frames(lasting: $0) }
  }

  private func frames(counting length: Rational) -> ClosedRange<Int>? {
    guard length > .zero, length <= Rational(FrameRange.mostFrames) else { return nil }
    let last = first + -(Rational.zero - length).floor - 1
    return last <= FrameRange.largestFrame ? first...last : nil
  }
}
