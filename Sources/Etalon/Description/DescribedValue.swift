internal import EtalonManifest
internal import EtalonTypes

/// A value of a description: a number, a truth value, or several numbers.
package struct DescribedValue: Sendable, Encodable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  /// As a person types it.
  package var text: String { ValueConversion.plainText(value) }

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
