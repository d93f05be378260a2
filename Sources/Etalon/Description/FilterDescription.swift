internal import EtalonManifest

/// Everything that a filter says about itself, in the words of its author, as data for text and JSON.
///
/// As JSON it has these keys, and absent ones are unknown: `{"version": 1, "name", "path", "kind", "dialect", "description", "credit", "license",
/// "categories": [], "inputs": [], "parameters": [], "constants": [], "constraints": [], "targets": [], "buffers": [], "passes": [], "outputs": [],
/// "alpha"}`.
/// Values are numbers, truth values, or arrays of numbers.
package struct FilterDescription: Sendable, Encodable {
  package let version = 1
  package let name: String
  /// The file, or the folder of a ShaderToy project.
  package let path: String
  package let kind: String
  package let dialect: String
  package let description: String?
  package let credit: String?
  package let license: String?
  package let categories: [String]
  package let inputs: [Input]
  package let parameters: [Parameter]
  package let constants: [Constant]
  /// GLSL expressions that must be true of the parameters together.
  package let constraints: [String]
  package let targets: [Target]
  package let buffers: [Buffer]
  package let passes: [Pass]
  /// What `-o NAME=file` can name, the result first.
  package let outputs: [String]
  /// What the alpha of the result means: opaque, straight or premultiplied.
  package let alpha: String

  /// An image that the filter reads.
  package struct Input: Sendable, Encodable {
    package let name: String
    package let label: String?
    /// `flat` for a picture, `cube`, `volume`.
    package let shape: String
    package let interpolation: String
    package let address: String
    package let isFlipped: Bool
    /// Where its picture comes from when the user gives none: `user` (nowhere), `file`, `asset`, `keyboard` or `nothing` (black).
    package let origin: String
    /// The path of a file, or what a site calls an asset.
    package let source: String?
    /// The name that people know an asset by.
    package let title: String?
  }

  /// A value that the filter expects.
  package struct Parameter: Sendable, Encodable {
    /// One of the values that a choice may have.
    package struct Choice: Sendable, Encodable {
      package let value: Int
      package let label: String
    }

    package let name: String
    package let label: String?
    package let help: String?
    package let group: String?
    /// What it means to people: `color`, `point`, `choice`, or the name of a GLSL type.
    package let kind: String
    /// The GLSL type.
    package let type: String
    package let `default`: DescribedValue
    /// Whether a clock gives the value while nobody sets it.
    package let followsClock: Bool
    package let minimum: DescribedValue?
    package let maximum: DescribedValue?
    package let identity: DescribedValue?
    package let step: Double?
    package let unit: String?
    package let choices: [Choice]?
  }

  /// A constant of the text that a user may give another value.
  package struct Constant: Sendable, Encodable {
    package let name: String
    package let type: String
    package let value: DescribedValue
  }

  /// A picture between passes.
  package struct Target: Sendable, Encodable {
    package let name: String
    package let format: String
    package let shape: String
    package let extent: String
    package let isPersistent: Bool
  }

  /// An array that compute kernels share.
  package struct Buffer: Sendable, Encodable {
    package let name: String
    package let type: String
    /// A GLSL expression.
    package let count: String
    package let isPersistent: Bool
  }

  /// One step of the filter.
  package struct Pass: Sendable, Encodable {
    package let name: String
    /// The targets that it writes.
    package let writes: [String]
    package let writesResult: Bool
    /// The arrays that it reads or writes.
    package let buffers: [String]
    /// The inputs and targets that it reads.
    package let reads: [String]
    package let iterations: Int
  }
}
