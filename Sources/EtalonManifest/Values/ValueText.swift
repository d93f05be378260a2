package import EtalonGLSL
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
    // One number alone is not a matrix; `mat2(1)` is.
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

  /// A text as an expression of the type: in parentheses, and numbers that stand beside each other in a constructor.
  ///
  /// `(progress*20), 3` becomes `(vec2(progress*20, 3))`.
  package static func expression(_ text: String, of type: ValueType) -> String {
    let parts = parts(of: text).map(withoutParentheses)
    guard parts.count > 1, parts.count == type.componentCount else { return "(\(text))" }
    return "(\(type.rawValue)(\(parts.joined(separator: ", "))))"
  }

  /// What stands between the commas that are in no parentheses.
  private static func parts(of text: String) -> [String] {
    var depth = 0
    return text.split(omittingEmptySubsequences: false) { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "," && depth == 0
    }.map { String($0.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
  }

  /// The text inside of parentheses that belong together.
  private static func withoutParentheses(_ text: String) -> String {
    guard text.hasPrefix("("), text.hasSuffix(")") else { return text }
    let inner = text.dropFirst().dropLast()
    var depth = 0
    for character in inner {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth < 0 { return text }
    }
    return String(inner)
  }

  /// `vec3(1, 0, 0)` without its constructor.
  private static func unwrapped(_ text: String, _ type: ValueType) -> Substring {
    guard text.hasPrefix(type.rawValue + "("), text.hasSuffix(")") else { return text[...] }
    return text.dropFirst(type.rawValue.count + 1).dropLast()
  }

  static func number(_ text: Substring) -> Double? {
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

// MARK: - values as text

extension ValueConversion {
  /// The GLSL text of a value; negative numbers stand in parentheses, so that the text fits into any expression.
  package static func text(of value: Value) -> String {
    if let text = value.text { return text.quotedAsJSON }
    if value.columns != nil { return plainText(value) }
    let components = value.components.map { scalar($0, of: value.type) }
    guard components.count == 1 else { return "\(value.type.rawValue)(\(components.joined(separator: ", ")))" }
    return components[0].hasPrefix("-") ? "(\(components[0]))" : components[0]
  }

  /// The value as a person types it: components with commas between them, whole numbers without a fraction.
  package static func plainText(_ value: Value) -> String {
    if let text = value.text { return CharacterRules.typed(text) }
    if value.type == .bool { return value.components[0] == 0 ? "false" : "true" }
    return inRows(value, value.components.map { $0 == $0.rounded() && $0.magnitude < 1e15 ? "\(Int($0))" : "\($0)" })
  }

  /// The value as a person types it, with no more digits than a shader sees.
  package static func shaderText(_ value: Value) -> String {
    guard value.type.isFloat else { return plainText(value) }
    let texts = value.components.map { number in
      let single = Float(number)
      if single.isNaN { return "not a number" }
      if single.isInfinite { return single < 0 ? "-infinity" : "infinity" }
      return single == single.rounded() && single.magnitude < 1e6 ? "\(Int(single))" : "\(single)"
    }
    return inRows(value, texts)
  }

  /// Numbers with commas between them, and semicolons between the rows of a list.
  private static func inRows(_ value: Value, _ numbers: [String]) -> String {
    let width = value.columns ?? numbers.count
    return stride(from: 0, to: numbers.count, by: width).map { numbers[$0..<$0 + width].joined(separator: ",") }.joined(separator: ";")
  }

  private static func scalar(_ number: Double, of type: ValueType) -> String {
    if type == .bool { return number == 0 ? "false" : "true" }
    if type.isFloat { return "\(number)" }
    return type == .uint ? "\(UInt32(number))u" : "\(Int(number))"
  }
}
