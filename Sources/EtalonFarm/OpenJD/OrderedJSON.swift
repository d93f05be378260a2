internal import Foundation

/// JSON whose members stand in the order in which people read them.
package indirect enum OrderedJSON: Sendable {
  case text(String)
  case integer(Int)
  /// A finite number.
  case number(Double)
  case list([OrderedJSON])
  case object([(key: String, value: OrderedJSON)])

  /// An object without the members that are nil.
  static func members(_ members: KeyValuePairs<String, OrderedJSON?>) -> OrderedJSON {
    .object(members.compactMap { key, value in value.map { (key, $0) } })
  }

  /// The text of a document, indented, with a newline at its end.
  package var document: String { written(indent: "") + "\n" }

  private func written(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .text(let text): return Self.quoted(text)
    case .integer(let number): return "\(number)"
    case .number(let number): return number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    case .list(let values):
      if values.isEmpty { return "[]" }
      return "[\n" + values.map { inner + $0.written(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map { "\(inner)\(Self.quoted($0.key)): \($0.value.written(indent: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let data = try? encoder.encode(text) else { preconditionFailure("texts always encode") }
    return String(decoding: data, as: UTF8.self)
  }
}
