import Foundation

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

/// A measured number that is there only where somebody asked for it; in JSON it is left out where it is not.
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
