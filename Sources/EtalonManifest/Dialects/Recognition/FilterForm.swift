/// What kind of text a filter file holds, and so which reader reads it.
package enum FilterForm: String, Sendable, Hashable, CaseIterable {
  /// GLSL with a `mainImage`.
  case shaderToy
  /// The JSON of a ShaderToy with all its passes.
  case shaderToyProject
  case isf
  case glTransition
  case native
  case compute

  /// The dialect that a user knows it as.
  package var dialect: FilterManifest.Dialect {
    switch self {
    case .shaderToy, .shaderToyProject: .shaderToy
    case .isf: .isf
    case .glTransition: .glTransition
    case .native: .native
    case .compute: .compute
    }
  }

  /// The name for people.
  package var title: String {
    switch self {
    case .shaderToy: "a ShaderToy"
    case .shaderToyProject: "a ShaderToy project"
    case .isf: "an ISF file"
    case .glTransition: "a gl-transition"
    case .native: "a native filter"
    case .compute: "a plain compute shader"
    }
  }
}
