internal import EtalonManifest
internal import EtalonTypes
internal import Foundation

/// A value of a description: a number, a truth value, or several numbers.
package struct DescribedValue: Sendable, Encodable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  /// As a person types it, with at most six digits a number; a color that bytes can hold is `#rrggbb`, with its alpha unless that is 1.
  package func text(isColor: Bool) -> String {
    if isColor, let color { return color }
    return value.type == .bool ? ValueConversion.plainText(value) : value.components.map(Self.shortText).joined(separator: ",")
  }

  /// As a person would have to type it to get exactly this value.
  package var exactText: String {
    value.type == .bool ? ValueConversion.plainText(value) : value.components.map { "\($0)" }.joined(separator: ",")
  }

  /// A number with at most six digits.
  package static func shortText(_ number: Double) -> String {
    let text = ValueConversion.plainText(Value(.float, [number]))
    guard text.count > 8, number != 0, number.isFinite else { return text }
    let scale = Foundation.pow(10, 5 - Foundation.floor(Foundation.log10(number.magnitude)))
    return ValueConversion.plainText(Value(.float, [(number * scale).rounded() / scale]))
  }

  private var color: String? {
    let bytes = value.components.map { ($0 * 255).rounded() }
    guard bytes.count == 4, zip(bytes, value.components).allSatisfy({ (0...255).contains($0) && ($0 / 255 - $1).magnitude < 1e-9 }) else {
      return nil
    }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String(Int($0), radix: 16) }
    return "#" + (bytes[3] == 255 ? digits.prefix(3) : digits[...]).joined()
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if value.type == .bool {
      try container.encode(value.components[0] != 0)
    } else if value.components.count == 1 {
      try container.encode(value.components[0])
    } else {
      try container.encode(value.components)
    }
  }
}
