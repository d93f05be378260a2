internal import EtalonManifest

/// Numbers that are a tenth larger, one more, of the other sign, or 0 instead of 1.
struct ConstantRule: MutationRule {
  let kind = MutationKind.constant

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.changeable.flatMap { index -> [TextChange] in
      let token = text.tokens[index]
      switch token.kind {
      case .float: return Self.others(float: token.text).map { text.change(kind, index, to: $0) }
      case .integer: return Self.others(integer: token.text).map { text.change(kind, index, to: $0) }
      case .identifier, .punctuator, .string, .space, .comment, .lineEnd, .other: return []
      }
    }
  }

  private static func others(float text: String) -> [String] {
    let digits = text.prefix { !"fFlL".contains($0) }
    guard let value = Double(digits.hasSuffix(".") ? digits + "0" : digits.hasPrefix(".") ? "0" + digits : String(digits)) else {
      return []
    }
    if value == 0 { return ["1.0"] }
    let others = [value * 1.1, value + 1] + (value == 1 ? [0] : [])
    return others.map(written) + ["(-\(text))"]
  }

  private static func others(integer text: String) -> [String] {
    let suffix = text.hasSuffix("u") || text.hasSuffix("U") ? String(text.suffix(1)) : ""
    let digits = text.dropLast(suffix.count)
    let value = digits.lowercased().hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
    guard let value, value < UInt64(UInt32.max) else { return [] }
    let others = [value + 1] + (value == 1 ? [0] : [])
    return others.map { "\($0)\(suffix)" } + (suffix.isEmpty && value != 0 ? ["(-\(text))"] : [])
  }

  /// A number as GLSL has it, with at most seven digits.
  private static func written(_ value: Double) -> String {
    let text = "\(Float(value))"
    return text.contains(".") || text.contains("e") ? text : "\(text).0"
  }
}
