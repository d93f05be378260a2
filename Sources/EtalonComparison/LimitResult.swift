import Foundation

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

extension LimitResult {
  /// The value with its unit, in as many digits as show on which side of the limit it is.
  package var describedValue: String { Words.quantity(valueText, unit) }

  /// `at most 2 levels`, for the level of a verdict; the other one when there is none.
  package func describedLimit(_ verdict: ComparisonVerdict) -> String {
    (isMinimum ? "at least " : "at most ") + Words.quantity(Self.exactText(level(of: verdict)), unit)
  }

  /// `channel is 3 levels, and may be 2`: what was measured, and what it may be.
  package var words: String {
    "\(key) is \(describedValue), and may be \(isMinimum ? "no less than " : "")\(Self.exactText(level(of: verdict)))"
  }

  private func level(of verdict: ComparisonVerdict) -> Double { (verdict == .warn ? warn ?? fail : fail ?? warn) ?? 0 }

  private var valueText: String {
    let level = level(of: verdict)
    // A value beyond a limit must not be rounded onto it.
    func isBeyond(_ value: Double) -> Bool { isMinimum ? value < level : value > level }
    let texts = (4...17).lazy.map { PlainNumber.text(value, digits: $0) }
    return texts.first { isBeyond(Double($0) ?? value) == isBeyond(value) } ?? PlainNumber.text(value)
  }

  /// A limit with all digits that were written.
  private static func exactText(_ level: Double) -> String { PlainNumber.text(level, digits: 9) }
}

// MARK: - numbers in JSON

/// A number that was measured and may be infinite, such as the signal-to-noise ratio of equal pictures.
///
/// In JSON numbers that are not finite are the texts `inf`, `-inf` and `nan`.
///
/// **Concurrency**: an immutable value.
@propertyWrapper
public struct MeasuredNumber: Hashable, Sendable, Codable {
  /// The number.
  public var wrappedValue: Double

  /// Wraps a number.
  public init(wrappedValue: Double) {
    self.wrappedValue = wrappedValue
  }

  /// Reads a number or one of the texts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      wrappedValue = number
      return
    }
    let text = try container.decode(String.self)
    guard let number = ["inf": Double.infinity, "-inf": -Double.infinity, "nan": Double.nan][text] else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a number, found '\(text)'")
    }
    wrappedValue = number
  }

  /// Writes a number or one of the texts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if wrappedValue.isFinite { try container.encode(wrappedValue) } else { try container.encode(PlainNumber.text(wrappedValue)) }
  }
}

/// A number that is measured only on request; JSON leaves it out where it was not measured.
///
/// **Concurrency**: an immutable value.
@propertyWrapper
public struct OptionalMeasuredNumber: Hashable, Sendable, Codable {
  /// The number; nil where nothing was measured.
  public var wrappedValue: Double?

  /// Wraps a number.
  public init(wrappedValue: Double?) {
    self.wrappedValue = wrappedValue
  }

  /// Reads a number or one of the texts of `MeasuredNumber`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(MeasuredNumber.self).wrappedValue
  }

  /// Writes a number or one of the texts of `MeasuredNumber`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(MeasuredNumber(wrappedValue: wrappedValue)) } else { try container.encodeNil() }
  }
}

// What the compiler writes for a property calls these, so that a key may be missing.
extension KeyedDecodingContainer {
  func decode(_ type: OptionalMeasuredNumber.Type, forKey key: Key) throws -> OptionalMeasuredNumber {
    OptionalMeasuredNumber(wrappedValue: try decodeIfPresent(MeasuredNumber.self, forKey: key)?.wrappedValue)
  }
}

extension KeyedEncodingContainer {
  mutating func encode(_ number: OptionalMeasuredNumber, forKey key: Key) throws {
    try encodeIfPresent(number.wrappedValue.map { MeasuredNumber(wrappedValue: $0) }, forKey: key)
  }
}
