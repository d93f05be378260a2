internal import EtalonTypes

/// The types of inputs that a native header has: those of ISF, and further ones.
enum NativeInputType: String, CaseIterable {
  case event, bool, long, int, float, angle, point2D, vec2, vec3, vec4, color, image, audio, audioFFT

  /// What a parameter of the type is; nil for an image or a sound.
  var parameterKind: ParameterKind? {
    switch self {
    case .event: .event
    case .bool: .bool
    case .long: .choice
    case .int: .int
    case .float: .float
    case .angle: .angle
    case .point2D: .point
    case .vec2: .vec2
    case .vec3: .vec3
    case .vec4: .vec4
    case .color: .color
    case .image, .audio, .audioFFT: nil
    }
  }

  /// Names of other dialects for the types.
  static let others: [String: NativeInputType] = [
    "integer": .int, "uint": .int, "boolean": .bool, "number": .float, "double": .float, "point": .point2D, "colour": .color,
    "rgba": .color,
    "texture": .image, "sampler2D": .image, "menu": .long, "choice": .long, "enum": .long, "trigger": .event,
  ]
}
