package import EtalonTypes

/// Fits values to types, as GLSL's constructors do, and writes them as GLSL.
package enum ValueConversion {
  /// The value of `type(components…)`: one component fills a vector or the diagonal of a matrix.
  ///
  /// Nil when their number does not fit, or when an integer type does not have such numbers.
  package static func constructed(_ type: ValueType, from components: [Double]) -> Value? {
    var components = components
    if let component = components.first, components.count == 1 {
      components = (0..<type.componentCount).map { !type.isMatrix || $0 % (type.columnCount + 1) == 0 ? component : 0 }
    }
    guard components.count == type.componentCount else { return nil }
    if type.isFloat { return Value(type, components) }
    if type == .bool { return Value(type, components.map { $0 == 0 ? 0 : 1 }) }
    let whole = components.map { $0.rounded(.towardZero) }
    let range = type == .uint ? 0...Double(UInt32.max) : Double(Int32.min)...Double(Int32.max)
    return whole.allSatisfy(range.contains) ? Value(type, whole) : nil
  }

  /// The same value as another type where GLSL converts without being asked: integers to floats.
  package static func converted(_ value: Value, to type: ValueType) -> Value? {
    if value.type == type { return value }
    guard type.isFloat, !type.isMatrix, value.type != .bool, value.components.count == type.componentCount else { return nil }
    return Value(type, value.components)
  }

  /// The GLSL text of a value; negative numbers stand in parentheses, so that the text fits into any expression.
  package static func text(of value: Value) -> String {
    let components = value.components.map { scalar($0, of: value.type) }
    guard components.count == 1 else { return "\(value.type.rawValue)(\(components.joined(separator: ", ")))" }
    return components[0].hasPrefix("-") ? "(\(components[0]))" : components[0]
  }

  /// The value as a person types it: components with commas between them, whole numbers without a fraction.
  package static func plainText(_ value: Value) -> String {
    if value.type == .bool { return value.components[0] == 0 ? "false" : "true" }
    return value.components.map { $0 == $0.rounded() && $0.magnitude < 1e15 ? "\(Int($0))" : "\($0)" }.joined(separator: ",")
  }

  /// The value as a person types it, with no more digits than a shader sees.
  package static func shaderText(_ value: Value) -> String {
    guard value.type.isFloat else { return plainText(value) }
    return value.components.map { number in
      let single = Float(number)
      if single.isNaN { return "not a number" }
      if single.isInfinite { return single < 0 ? "-infinity" : "infinity" }
      return single == single.rounded() && single.magnitude < 1e6 ? "\(Int(single))" : "\(single)"
    }.joined(separator: ",")
  }

  private static func scalar(_ number: Double, of type: ValueType) -> String {
    if type == .bool { return number == 0 ? "false" : "true" }
    if type.isFloat { return "\(number)" }
    return type == .uint ? "\(UInt32(number))u" : "\(Int(number))"
  }
}

extension ValueType {
  package var isMatrix: Bool { self == .mat2 || self == .mat3 || self == .mat4 }

  /// How many columns a matrix has; 1 for all other types.
  fileprivate var columnCount: Int { [.mat2: 2, .mat3: 3, .mat4: 4][self] ?? 1 }
}
