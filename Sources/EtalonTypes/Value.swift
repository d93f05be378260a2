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
  /// How many of the components stand in a row of a list, such as the points of a curve or a matrix of any size; nil for a value of the type alone.
  public let columns: Int?
  /// The text, of a value that is one; nil for numbers.
  ///
  /// The components of a text are its code points.
  public let text: String?

  /// Makes a value; the number of components must fit the type.
  public init(_ type: ValueType, _ components: [Double]) {
    precondition(components.count == type.componentCount, "\(components.count) components for \(type)")
    self.type = type
    self.components = components
    columns = nil
    text = nil
  }

  /// Makes a text, which may be empty.
  public init(text: String) {
    type = .uint
    components = text.unicodeScalars.map { Double($0.value) }
    columns = nil
    self.text = text
  }

  /// Makes a list of numbers, in rows of the same length.
  public init(rows: [[Double]]) {
    precondition(rows.allSatisfy { $0.count == rows[0].count }, "rows of different lengths")
    self.init(list: rows.flatMap(\.self), columns: rows.first?.count ?? 1)
  }

  /// Makes a list of numbers from those of its rows, one row after the other.
  package init(list components: [Double], columns: Int) {
    precondition(
      columns > 0 && !components.isEmpty && components.count % columns == 0, "\(components.count) components in rows of \(columns)")
    type = .float
    self.components = components
    self.columns = columns
    text = nil
  }

  /// The rows of a list; of any other value a single one.
  package var rows: [[Double]] {
    let width = max(columns ?? components.count, 1)
    return stride(from: 0, to: components.count, by: width).map { Array(components[$0..<$0 + width]) }
  }
}

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
  /// A function of one number: points, and a curve through them.
  case curve
  /// Rows of numbers.
  case matrix
  /// Characters.
  case text

  /// The GLSL type that holds a value of the kind; of a list that of its numbers, of a text that of its code points.
  public var valueType: ValueType {
    switch self {
    case .float, .angle, .curve, .matrix: .float
    case .int, .choice: .int
    case .uint, .text: .uint
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
