internal import EtalonTypes

/// The types of inputs that ISF has.
enum ISFInputType: String, CaseIterable {
  case event, bool, long, float, point2D, color, image, audio, audioFFT

  /// What files in the wild write for some of them.
  private static let aliases: [String: ISFInputType] = [
    "int": .long, "integer": .long, "menu": .long, "boolean": .bool, "number": .float, "double": .float, "vec2": .point2D,
    "point": .point2D,
    "vec4": .color, "colour": .color, "rgba": .color, "texture": .image, "sampler2D": .image, "trigger": .event,
  ]

  /// What another word than the names of the types means; nil when that is unclear.
  static func meaning(of word: String) -> ISFInputType? {
    allCases.first { $0.rawValue.lowercased() == word.lowercased() } ?? aliases[word] ?? aliases[word.lowercased()]
  }

  /// Nil for inputs that are no parameters.
  var parameterKind: ParameterKind? {
    switch self {
    case .event: .event
    case .bool: .bool
    case .long: .choice
    case .float: .float
    case .point2D: .point
    case .color: .color
    case .image, .audio, .audioFFT: nil
    }
  }
}
