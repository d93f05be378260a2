package import EtalonTypes

/// Reads a GLSL expression that is nothing but a literal: `2.0`, `-1`, `true`, `vec3(1, 0, 0)`, `(0.5)`.
package struct LiteralReader {
  private let tokens: [Token]
  private let places: [Int]
  private var next = 0
  /// Signs and brackets around the place being read.
  private var depth = 0

  private static let deepest = 64

  /// The value of some visible tokens; nil when they are anything else than a literal.
  package static func value(of places: [Int], in tokens: [Token]) -> Value? {
    var reader = LiteralReader(tokens: tokens, places: places)
    guard let value = reader.value(), reader.next == places.count else { return nil }
    return value
  }

  private init(tokens: [Token], places: [Int]) {
    self.tokens = tokens
    self.places = places
  }

  private var token: Token? { next < places.count ? tokens[places[next]] : nil }

  private mutating func take(_ mark: String) -> Bool {
    guard token?.isMark(mark) == true else { return false }
    next += 1
    return true
  }

  private mutating func value() -> Value? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { return nil }
    if take("-") { return value().flatMap { Self.negated($0) } }
    if take("+") { return value() }
    if take("(") {
      guard let inner = value(), take(")") else { return nil }
      return inner
    }
    guard let token else { return nil }
    next += 1
    switch token.kind {
    case .integer, .float: return NumberLiteral.value(token.text)
    case .identifier where token.text == "true" || token.text == "false": return Value(.bool, [token.text == "true" ? 1 : 0])
    case .identifier: return ValueType(rawValue: token.text).flatMap { constructor($0) }
    default: return nil
    }
  }

  private static func negated(_ value: Value) -> Value? {
    guard value.type != .bool, value.type != .uint else { return nil }
    return Value(value.type, value.components.map { -$0 })
  }

  private mutating func constructor(_ type: ValueType) -> Value? {
    guard take("(") else { return nil }
    var components: [Double] = []
    repeat {
      guard let argument = value() else { return nil }
      components += argument.components
    } while take(",")
    guard take(")") else { return nil }
    return ValueConversion.constructed(type, from: components)
  }
}

/// The numbers of GLSL.
enum NumberLiteral {
  /// The value of `12`, `0x1F`, `3u`, `2.`, `.5e3f`; nil for anything else.
  static func value(_ text: String) -> Value? {
    let lower = text.lowercased()
    if lower.hasPrefix("0x") {
      let isUnsigned = lower.hasSuffix("u")
      return UInt32(lower.dropFirst(2).prefix { $0 != "u" }, radix: 16).map { integer(Double($0), isUnsigned: isUnsigned) }
    }
    if lower.hasSuffix("u") { return UInt32(lower.dropLast()).map { integer(Double($0), isUnsigned: true) } }
    if let number = Int32(lower) { return Value(.int, [Double(number)]) }
    var digits = lower.hasSuffix("lf") ? lower.dropLast(2) : lower.hasSuffix("f") ? lower.dropLast() : lower[...]
    if digits.hasPrefix(".") { digits = "0" + digits }
    let normal = digits.replacing(".e", with: ".0e")
    return Double(normal.hasSuffix(".") ? normal + "0" : normal).flatMap { $0.isFinite ? Value(.float, [$0]) : nil }
  }

  private static func integer(_ number: Double, isUnsigned: Bool) -> Value {
    isUnsigned ? Value(.uint, [number]) : Value(.int, [number > Double(Int32.max) ? number - 4_294_967_296 : number])
  }
}

// MARK: - conversion

/// Fits values to types, as GLSL's constructors do.
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
}

extension ValueType {
  package var isMatrix: Bool { self == .mat2 || self == .mat3 || self == .mat4 }

  /// How many columns a matrix has; 1 for all other types.
  fileprivate var columnCount: Int { [.mat2: 2, .mat3: 3, .mat4: 4][self] ?? 1 }
}
