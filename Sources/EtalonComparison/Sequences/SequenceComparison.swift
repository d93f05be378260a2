/// What frames have in common with their references, one by one and over time.
///
/// **Concurrency**: an immutable value.
public struct SequenceComparison: Hashable, Sendable, Codable {
  /// One frame that both sequences have.
  public struct Frame: Hashable, Sendable, Codable {
    /// What the frame is called: its number, or the name of its file.
    public let name: String
    /// How it compares.
    public let comparison: PictureComparison
    /// How much the difference changed since the frame before; nil for the first one.
    public let flicker: FlickerMeasurement?

    /// The worse one of the comparison and of what the tolerance says about flicker.
    public var verdict: ComparisonVerdict { max(comparison.verdict, flicker?.limit?.verdict ?? .pass) }
  }

  /// The frames in their order.
  public let frames: [Frame]
  /// Frames that the actual sequence lacks.
  public let missing: [String]
  /// Frames that only the actual sequence has.
  public let unexpected: [String]

  /// The worst verdict; missing and unexpected frames fail.
  public var verdict: ComparisonVerdict {
    let worst = frames.map(\.verdict).max() ?? .fail
    return missing.isEmpty && unexpected.isEmpty ? worst : max(worst, .fail)
  }

  /// The first frame that fails; the first that warns when none does.
  public var firstDiffering: Frame? {
    frames.first { $0.verdict.isFailure } ?? frames.first { $0.verdict == .warn }
  }

  /// The frame with the worst verdict, and of those the one that differs most; nil when all are equal.
  public var worst: Frame? {
    let different = frames.filter { !$0.comparison.isEqual }
    return different.max { Self.rank($0) < Self.rank($1) }
  }

  /// The frame whose difference changed most.
  public var mostFlicker: Frame? {
    frames.filter { ($0.flicker?.mean ?? 0) > 0 }.max { ($0.flicker?.mean ?? 0) < ($1.flicker?.mean ?? 0) }
  }

  private static func rank(_ frame: Frame) -> (ComparisonVerdict, Double, Double) {
    let color = frame.comparison.color, alpha = frame.comparison.alpha
    return (frame.verdict, max(color?.largest ?? 0, alpha?.largest ?? 0), max(color?.mean ?? 0, alpha?.mean ?? 0))
  }
}

/// How much a difference flickers: by how much the difference of a frame differs from that of the frame before, in the unit of the comparison.
public struct FlickerMeasurement: Hashable, Sendable, Codable {
  /// The mean over all color channels.
  @MeasuredNumber public internal(set) var mean: Double
  /// The largest change of a channel.
  @MeasuredNumber public internal(set) var largest: Double
  /// What the tolerance says about the mean; nil where it says nothing.
  public let limit: LimitResult?
}
