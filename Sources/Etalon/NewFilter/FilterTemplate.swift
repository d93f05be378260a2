/// A commented filter to start from.
package enum FilterTemplate: String, Sendable, Hashable, CaseIterable {
  case color, warp, image, compute, generator, transition
  case shaderToy = "shadertoy"
  case isf

  /// The names of its image inputs.
  var inputs: [String] {
    switch self {
    case .color, .warp, .image, .compute, .isf: ["inputImage"]
    case .generator, .shaderToy: []
    case .transition: ["startImage", "endImage"]
    }
  }

  /// The extension of the file, which tells people the dialect.
  var fileExtension: String { self == .isf ? "fs" : "glsl" }

  /// The text of the filter file.
  var text: String {
    switch self {
    case .color: Self.colorText
    case .warp: Self.warpText
    case .image: Self.imageText
    case .compute: Self.computeText
    case .generator: Self.generatorText
    case .transition: Self.transitionText
    case .shaderToy: Self.shaderToyText
    case .isf: Self.isfText
    }
  }
}
