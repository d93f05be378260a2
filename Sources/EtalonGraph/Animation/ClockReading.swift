package import EtalonTypes

/// What the clocks of a shot show on one frame.
package struct ClockReading: Sendable, Hashable {
  /// The number of the frame, as `--frames` counts.
  package let frame: Int
  /// Frames since the shot's first one.
  package let index: Int
  /// Seconds on the shot's clock.
  package let time: Double
  /// From 0 on the first frame of the shot to 1 on its last; frames before and behind it have the nearest of the two.
  package let progress: Double
  /// Seconds that the shot takes.
  package let duration: Double

  /// Reads the clocks on a frame.
  ///
  /// - Parameter time: another time than the frame's own, for a single picture between two frames.
  /// - Parameter range: the first and the last frame of the shot, whichever of its frames are rendered; nil is a shot of this frame alone.
  package init(frame: Int, clock: ShotClock, time: Rational? = nil, range: ClosedRange<Int>? = nil) {
    let range = range ?? frame...frame
    self.frame = frame
    index = frame - clock.first
    var place = Double(frame - range.lowerBound)
    if let time, time != clock.time(ofFrame: frame) {
      place = ((time - clock.time(ofFrame: range.lowerBound)) * clock.rate.framesPerSecond).double
    }
    progress = range.count > 1 ? min(max(place / Double(range.count - 1), 0), 1) : 0
    duration = (Rational(range.count) / clock.rate.framesPerSecond).double
    self.time = (time ?? clock.time(ofFrame: frame)).double
  }

  /// For messages: `at frame 37 (time 1.54 s)`.
  package var words: String { "at frame \(frame) (time \(Self.short(time)) s)" }

  /// At most three digits behind the point.
  package static func short(_ seconds: Double) -> String {
    let thousandths = (seconds * 1000).rounded()
    return thousandths.magnitude < 1e15 && thousandths == (thousandths / 1000).rounded() * 1000
      ? "\(Int(thousandths / 1000))" : "\(thousandths / 1000)"
  }
}
