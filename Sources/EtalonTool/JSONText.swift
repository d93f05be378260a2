import Foundation

/// JSON for programs, in one line; keys are sorted, so equal values give equal bytes.
enum JSONText {
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { preconditionFailure("strings and finite numbers always encode") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
