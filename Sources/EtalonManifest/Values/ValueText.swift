package import EtalonTypes

/// Reads a value that a user typed: `2`, `-0.5`, `true`, `1,0,0`, `vec3(1, 0, 0)`, `#ff8800`.
package enum ValueText {
  /// The value as the declared type; nil when the text is no such value.
  package static func value(_ text: String, as type: ValueType) -> Value? {
    let text = text.filter { $0 != " " && $0 != "\t" }
    if text.hasPrefix("#") { return color(text.dropFirst(), as: type) }
    if type == .bool { return ["true": 1, "1": 1, "on": 1, "false": 0, "0": 0, "off": 0][text].map { Value(.bool, [$0]) } }
    let inner = unwrapped(text, type)
    let parts = inner.split(separator: ",", omittingEmptySubsequences: false).map { number($0) }
    let components = parts.compactMap { $0 }
    guard components.count == parts.count, !components.isEmpty else { return nil }
    // One number is no matrix unless its constructor says so.
    guard components.count > 1 || !type.isMatrix || inner.count < text.count else { return nil }
    guard type.isFloat || components.allSatisfy({ isInteger($0, type) }) else { return nil }
    return ValueConversion.constructed(type, from: components)
  }

  /// The value as the declared kind; a color of three numbers is opaque.
  package static func value(_ text: String, for kind: ParameterKind) -> Value? {
    if let value = value(text, as: kind.valueType) { return value }
    guard kind == .color, let opaque = value(text, as: .vec3) else { return nil }
    return Value(.vec4, opaque.components + [1])
  }

  /// What to type for a value of the kind.
  package static func example(for kind: ParameterKind) -> String {
    kind == .color ? "a color such as '#ff8800', or three or four numbers such as '1,0.5,0'" : example(of: kind.valueType)
  }

  /// What to type for a value of the type.
  package static func example(of type: ValueType) -> String {
    switch type {
    case .bool: "true or false"
    case .int: "a whole number"
    case .uint: "a whole number that is not negative"
    case .float: "a number"
    case .vec3: "a number, three numbers such as '1,0.5,0', or a color such as '#ff8800'"
    case .vec4: "a number, four numbers such as '1,0.5,0,1', or a color such as '#ff8800'"
    case .vec2: "a number, or two numbers such as '0.5,1'"
    case .ivec2, .ivec3, .ivec4: "a whole number, or \(type.componentCount) whole numbers with commas between them"
    case .mat2, .mat3, .mat4: "\(type.componentCount) numbers with commas between them, column by column"
    }
  }

  /// `vec3(1, 0, 0)` without its constructor.
  private static func unwrapped(_ text: String, _ type: ValueType) -> Substring {
    guard text.hasPrefix(type.rawValue + "("), text.hasSuffix(")") else { return text[...] }
    return text.dropFirst(type.rawValue.count + 1).dropLast()
  }

  private static func number(_ text: Substring) -> Double? {
    let isNumber = !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    guard isNumber, let number = Double(text.hasSuffix(".") ? text + "0" : text.hasPrefix(".") ? "0" + text : text) else { return nil }
    return number.magnitude <= Double(Float.greatestFiniteMagnitude) ? number : nil
  }

  private static func isInteger(_ number: Double, _ type: ValueType) -> Bool {
    let range = type == .uint ? 0...Double(UInt32.max) : Double(Int32.min)...Double(Int32.max)
    return number == number.rounded() && range.contains(number)
  }

  /// `rrggbb` or `rrggbbaa` as numbers from 0 to 1; a missing alpha is 1.
  private static func color(_ digits: Substring, as type: ValueType) -> Value? {
    let bytes = Array(digits.utf8)
    guard [6, 8].contains(bytes.count), type == .vec3 || type == .vec4, let number = UInt32(digits, radix: 16),
      bytes[0] != UInt8(ascii: "+")
    else { return nil }
    if type == .vec3, bytes.count == 8 { return nil }
    let all = bytes.count == 6 ? number << 8 | 0xFF : number
    let components = [24, 16, 8, 0].map { Double((all >> UInt32($0)) & 0xFF) / 255 }
    return Value(type, Array(components.prefix(type.componentCount)))
  }
}
