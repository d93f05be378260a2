/// How long it may take to find out why a case fails: as long again as the case itself may take.
struct JudgingTime: Sendable {
  /// Nil for as long as it takes.
  let seconds: Double?
  private let start: ContinuousClock.Instant

  init(seconds: Double?, since start: ContinuousClock.Instant = .now) { (self.seconds, self.start) = (seconds, start) }

  /// Seconds that are left for a render, where they are counted.
  var left: Double? { seconds.map { max($0 - spent, 0.001) } }

  /// Seconds that are left for ranges, less than none when there are none: half of all, so that errors can be made on purpose in the rest.
  var leftForRanges: Double? { seconds.map { $0 / 2 - spent } }

  var isOver: Bool { seconds.map { spent > $0 } ?? false }

  /// `longer than the 20 s that judging has`.
  var words: String { "longer than the \(secondsText(seconds ?? 0)) s that judging has" }

  private var spent: Double { (ContinuousClock.now - start) / .seconds(1) }
}
