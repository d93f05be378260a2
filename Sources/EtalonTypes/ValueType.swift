/// The type of a parameter or of a uniform, in GLSL's words.
public enum ValueType: String, Sendable, Hashable, CaseIterable {
  case bool, int, uint, float
  case vec2, vec3, vec4
  case ivec2, ivec3, ivec4
  case mat2, mat3, mat4

  /// The number of scalars in a value.
  public var componentCount: Int {
    switch self {
    case .bool, .int, .uint, .float: 1
    case .vec2, .ivec2: 2
    case .vec3, .ivec3: 3
    case .vec4, .ivec4, .mat2: 4
    case .mat3: 9
    case .mat4: 16
    }
  }

  /// Whether the components are floating-point numbers.
  public var isFloat: Bool {
    switch self {
    case .float, .vec2, .vec3, .vec4, .mat2, .mat3, .mat4: true
    case .bool, .int, .uint, .ivec2, .ivec3, .ivec4: false
    }
  }
}

/// A value of a parameter or of a uniform: its components as doubles, which hold every 32-bit integer and float exactly.
public struct Value: Sendable, Hashable {
  /// The type, which fixes the number of components.
  public let type: ValueType
  /// The components in GLSL's order (matrices column by column); booleans are 0 or 1.
  public let components: [Double]

  /// Makes a value; the number of components must fit the type.
  public init(_ type: ValueType, _ components: [Double]) {
    precondition(components.count == type.componentCount, "\(components.count) components for \(type)")
    self.type = type
    self.components = components
  }
}
