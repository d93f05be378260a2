internal import EtalonTypes

/// When the pictures of a live stream show in a preview: as far apart as their time stamps, and as soon after they have come as the stream allows.
///
/// A part of a playlist comes at once, and shows over its length. A picture that comes later than it should show makes all that follow later; what they could
/// show earlier is looked at over `span`, and taken back.
struct LivePace {
  /// When the time stamp 0 shows; nil before the first picture.
  private var start: ContinuousClock.Instant?
  private var began: ContinuousClock.Instant?
  /// How long pictures waited since then at least.
  private var leastWait: Duration?

  private static let span = Duration.seconds(10)

  /// Takes note of a picture.
  ///
  /// - Parameter now: when it has come.
  mutating func arrived(_ timeStamp: Rational, at now: ContinuousClock.Instant) {
    let stamp = Duration.seconds(timeStamp.double)
    guard let start, start + stamp >= now else {
      (start, began, leastWait) = (now - stamp, now, nil)
      return
    }
    let wait = start + stamp - now
    leastWait = min(leastWait ?? wait, wait)
    guard let began, now - began > Self.span else { return }
    if let leastWait { self.start = start - leastWait }
    (self.began, leastWait) = (now, nil)
  }

  /// When a picture shows; nil before the first has come.
  func due(_ timeStamp: Rational) -> ContinuousClock.Instant? { start.map { $0 + .seconds(timeStamp.double) } }
}
