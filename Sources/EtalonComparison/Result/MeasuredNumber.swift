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
