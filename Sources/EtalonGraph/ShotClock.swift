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

  /// The exact time of a frame, in seconds.
  package func time(ofFrame frame: Int) -> Rational {
    start + Rational(frame - first) / rate.framesPerSecond
  }

  /// The number of the frame that shows at a time: the last one that starts at or before it.
  package func frame(at time: Rational) -> Int {
    let (frame, overflows) = first.addingReportingOverflow(((time - start) * rate.framesPerSecond).floor)
    return overflows ? (first < 0 ? .min : .max) : frame
  }
}
