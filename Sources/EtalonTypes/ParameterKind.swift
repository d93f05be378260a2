/// What a parameter means to the person who sets it; several kinds share a GLSL type.
public enum ParameterKind: String, Sendable, Hashable, CaseIterable {
  case float, int, uint, bool
  /// True on the frames on which it happens, false otherwise.
  case event
  /// One of several whole numbers, each with a label.
  case choice
  /// A position.
  case point
  /// Four numbers: red, green, blue and alpha, straight and sRGB-encoded.
  case color
  /// An angle in degrees.
  case angle
  case vec2, vec3, vec4
  case ivec2, ivec3, ivec4
  case mat2, mat3, mat4

  /// The GLSL type that holds a value of the kind.
  public var valueType: ValueType {
    switch self {
    case .float, .angle: .float
    case .int, .choice: .int
    case .uint: .uint
    case .bool, .event: .bool
    case .point, .vec2: .vec2
    case .vec3: .vec3
    case .color, .vec4: .vec4
    case .ivec2: .ivec2
    case .ivec3: .ivec3
    case .ivec4: .ivec4
    case .mat2: .mat2
    case .mat3: .mat3
    case .mat4: .mat4
    }
  }

  /// The kind that says nothing but the GLSL type.
  public init(_ type: ValueType) {
    self =
      switch type {
      case .bool: .bool
      case .int: .int
      case .uint: .uint
      case .float: .float
      case .vec2: .vec2
      case .vec3: .vec3
      case .vec4: .vec4
      case .ivec2: .ivec2
      case .ivec3: .ivec3
      case .ivec4: .ivec4
      case .mat2: .mat2
      case .mat3: .mat3
      case .mat4: .mat4
      }
  }
}
