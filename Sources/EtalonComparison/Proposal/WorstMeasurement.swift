/// The worst of several measurements, and what it was measured of.
struct WorstMeasurement {
  private(set) var value: Double
  private(set) var source = ""

  init(_ value: Double = 0) { self.value = value }

  /// Takes over a measurement that is worse.
  mutating func add(_ measured: Double, from name: String) {
    if measured > value { (value, source) = (measured, name) }
  }
}

/// A limit that is proposed, with what it has to bear.
///
/// **Concurrency**: an immutable value.
public struct ProposedLimit: Hashable, Sendable, Codable {
  /// The key in the tolerance: `channel`, `alpha.outliers`, `flip.mean`.
  public let key: String
  /// The level to fail at; of `outliers` a share of all pixels in percent.
  public let level: Double
  /// The worst that was measured, counted as the level is.
  public let measured: Double
  /// What was measured there: a device, errors that were made on purpose, or a picture; empty where all were equal.
  public let source: String

  /// How much worse it may become.
  public let margin: Double

  init(_ key: String, _ level: Double, _ worst: WorstMeasurement, scale: Double = 1) {
    (self.key, self.level, measured, source) = (key, level, worst.value * scale, worst.source)
    margin = level - measured
  }
}
