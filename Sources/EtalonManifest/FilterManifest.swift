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

    package init(name: String, sampler: Sampler) {
      self.name = name
      self.sampler = sampler
    }
  }

  /// The file name without its extension.
  package let name: String
  package let dialect: Dialect
  /// The images that the text really mentions.
  package let inputs: [Input]
  /// In the order in which they run.
  package let passes: [PassSource]

  package init(name: String, dialect: Dialect, inputs: [Input], passes: [PassSource]) {
    self.name = name
    self.dialect = dialect
    self.inputs = inputs
    self.passes = passes
  }
}
