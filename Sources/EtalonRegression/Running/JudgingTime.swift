/// How long it may take to find out why a case fails: as long again as the case itself may take.
struct JudgingTime: Sendable {
  /// Nil for as long as it takes.
  let seconds: Double?
  /// How much processor time the specification may take where no tolerance asks for it; nil for as much as it takes.
  let processorSeconds: Double?
  private let start: ContinuousClock.Instant

  /// How often the processor time of a case the specification may take.
  private static let processorFactor = 10.0
  /// The processor time that it may always take, in seconds: a case may be rendered by a graphics unit, and need hardly any.
  private static let leastProcessorSeconds = 0.5

  init(seconds: Double?, processorSeconds: Double? = nil, since start: ContinuousClock.Instant = .now) {
    (self.seconds, self.processorSeconds, self.start) = (seconds, processorSeconds, start)
  }

  /// - Parameter seconds: the processor time that a case took until its pictures were compared.
  static func processorSeconds(afterCaseOf seconds: Double) -> Double { max(seconds * processorFactor, leastProcessorSeconds) }

  /// Seconds that are left for a render, where they are counted.
  var left: Double? { seconds.map { max($0 - spent, 0.001) } }

  /// Seconds that are left for ranges, less than none when there are none: half of all, so that errors can be made on purpose in the rest.
  var leftForRanges: Double? { seconds.map { $0 / 2 - spent } }

  var isOver: Bool { seconds.map { spent > $0 } ?? false }

  /// `longer than the 20 s that judging has`.
  var words: String { "longer than the \(secondsText(seconds ?? 0)) s that judging has" }

  private var spent: Double { (ContinuousClock.now - start) / .seconds(1) }
}
