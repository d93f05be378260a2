package import EtalonTypes

/// What a filter file says about itself: its name, its inputs and its passes.
package struct FilterManifest: Sendable, Hashable {
  /// The dialect that the file is written in.
  package enum Dialect: String, Sendable, Hashable {
    case shaderToy = "shadertoy"
  }

  /// An image that the filter reads.
  package struct Input: Sendable, Hashable {
    /// `iChannel0`, `inputImage`.
    package let name: String
    /// How the image is read unless the user says otherwise.
    package let sampler: Sampler
    /// Whether the picture appears upside down to the text.
    package let isFlipped: Bool

    package init(name: String, sampler: Sampler, isFlipped: Bool = false) {
      self.name = name
      self.sampler = sampler
      self.isFlipped = isFlipped
    }
  }

  /// A value that the text expects from outside.
  package struct Parameter: Sendable, Hashable {
    /// The name as the author wrote it.
    package let name: String
    /// What it is: the default of the text, or what the user asked for.
    package let value: Value
    /// Where it is declared; nil for one that the text only mentions.
    package let place: SourceRange?

    package init(name: String, value: Value, place: SourceRange?) {
      self.name = name
      self.value = value
      self.place = place
    }
  }

  /// The file name without its extension.
  package let name: String
  package let dialect: Dialect
  /// The images that the text really mentions.
  package let inputs: [Input]
  /// Loose uniforms, in the order of the text.
  package let parameters: [Parameter]
  /// Constants that a user may give another value, in the order of the text.
  package let constants: [SettableConstant]
  /// In the order in which they run.
  package let passes: [PassSource]

  package init(
    name: String, dialect: Dialect, inputs: [Input], parameters: [Parameter] = [], constants: [SettableConstant] = [], passes: [PassSource]
  ) {
    self.name = name
    self.dialect = dialect
    self.inputs = inputs
    self.parameters = parameters
    self.constants = constants
    self.passes = passes
  }
}
