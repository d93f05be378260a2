/// One limit of a tolerance, and what was measured for it.
///
/// **Concurrency**: an immutable value.
public struct LimitResult: Hashable, Sendable, Codable {
  /// The key of the limit in the tolerance: `channel`, `alpha.outliers`, `flip.mean`.
  public let key: String
  /// What was measured.
  @MeasuredNumber public internal(set) var value: Double
  /// The level to warn at.
  @OptionalMeasuredNumber public internal(set) var warn: Double?
  /// The level to fail at.
  @OptionalMeasuredNumber public internal(set) var fail: Double?
  /// Whether values must not fall below the levels; they must not exceed them otherwise.
  public let isMinimum: Bool
  /// What the value is counted in: `levels`, `px`, `dB`; empty for plain numbers.
  public let unit: String
  /// How far the value is from the level that it comes nearest to failing at; negative when it is beyond.
  @MeasuredNumber public internal(set) var margin: Double
  /// Whether this limit holds.
  public let verdict: ComparisonVerdict
}
