/// How often checkpoints are written while frames are rendered: at most once in an interval, and so rarely that writing takes at most a twentieth of the time.
struct CheckpointPace {
  private let shortest: Duration
  /// How many times as long as writing takes rendering has to take.
  private static let worth = 20
  private var last: ContinuousClock.Instant?
  private var cost = Duration.zero

  init(shortest: Duration) { self.shortest = shortest }

  /// Whether another one is worth it; the time counts from when it is asked first.
  mutating func isDue(_ now: ContinuousClock.Instant = .now) -> Bool {
    if shortest == .zero { return true }
    guard let last else {
      last = now
      return false
    }
    return now - last >= max(shortest, cost * Self.worth)
  }

  /// Notes that one was written, and how long that took.
  mutating func wrote(in duration: Duration, _ now: ContinuousClock.Instant = .now) {
    (last, cost) = (now, duration)
  }
}
