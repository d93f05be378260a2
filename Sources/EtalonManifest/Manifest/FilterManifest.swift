package import EtalonTypes

/// What a filter file says about itself: its kind, its inputs and parameters, its targets and its passes.
package struct FilterManifest: Sendable, Hashable {
  /// The dialect that the file is written in.
  package enum Dialect: String, Sendable, Hashable, CaseIterable {
    case shaderToy = "shadertoy"
    case isf
    case glTransition = "gl-transition"
    case native
    /// A plain GLSL compute shader with bindings of its own.
    case compute
    /// A document whose nodes are other filters; no text tells a reader of shaders to be one.
    case graph

    /// Those that a text of a shader can be written in.
    package static let ofTexts = allCases.filter { $0 != .graph }
  }

  /// What a filter is used for; it follows from its image inputs.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Reads no picture.
    case generator
    /// Changes a picture.
    case filter
    /// Puts a picture over another one.
    case composite
    /// Leads from one picture to another while a progress goes from 0 to 1.
    case transition

    /// What filters with these image inputs are used for.
    package init(ofInputs names: [String]) {
      if names.contains("startImage"), names.contains("endImage") {
        self = .transition
      } else if names.contains("inputImage"), names.contains("backgroundImage") {
        self = .composite
      } else {
        self = names.isEmpty ? .generator : .filter
      }
    }
  }

  /// What the file tells people.
  package struct About: Sendable, Hashable {
    package var description: String?
    package var credit: String?
    package var license: String?
    package var categories: [String]

    package init(description: String? = nil, credit: String? = nil, license: String? = nil, categories: [String] = []) {
      func said(_ text: String?) -> String? { text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
      self.description = said(description)
      self.credit = said(credit)
      self.license = said(license)
      self.categories = categories
    }
  }

  /// The file name without its extension, or the name of the folder.
  package let name: String
  package let dialect: Dialect
  package let kind: Kind
  package let about: About
  /// The images that the text really mentions, in the order of their declaration.
  package internal(set) var inputs: [FilterInput]
  /// In the order of their declaration.
  package let parameters: [FilterParameter]
  /// Constants that a user may give another value, in the order of the text.
  package let constants: [SettableConstant]
  /// What passes write and others read.
  package internal(set) var targets: [FilterTarget]
  /// Arrays that compute kernels share.
  package let buffers: [FilterBuffer]
  /// In the order in which they run; the last one gives the result.
  package internal(set) var passes: [PassSource]
  /// What must be true of the parameters together.
  package let constraints: [ExpressionText]
  /// What the alpha of the result means.
  package let alpha: AlphaMode
  /// What the result covers.
  package let extent: ResultExtent
  /// What the author calls the result.
  package let mainOutput: String
  /// Targets that a user may ask for beside the result.
  package let furtherOutputs: [String]

  package init(
    name: String, dialect: Dialect, kind: Kind, about: About = About(), inputs: [FilterInput], parameters: [FilterParameter] = [],
    constants: [SettableConstant] = [], targets: [FilterTarget] = [], buffers: [FilterBuffer] = [], passes: [PassSource],
    constraints: [ExpressionText] = [], alpha: AlphaMode = .straight, extent: ResultExtent? = nil, mainOutput: String = "result",
    furtherOutputs: [String] = []
  ) {
    self.name = name
    self.dialect = dialect
    self.kind = kind
    self.about = about
    self.inputs = inputs
    self.parameters = parameters
    self.constants = constants
    self.targets = targets
    self.buffers = buffers
    self.passes = passes
    self.constraints = constraints
    self.alpha = alpha
    self.extent = extent ?? ResultExtent(of: kind)
    self.mainOutput = mainOutput
    self.furtherOutputs = furtherOutputs
  }
}

/// A GLSL expression that a filter file contains: a size, a constraint, a reach.
package struct ExpressionText: Sendable, Hashable {
  /// GLSL over the names of parameters and `width`, `height`.
  package let text: String
  /// Where the author wrote it; nil for one that Etalon made.
  package let place: SourceRange?

  package init(_ text: String, place: SourceRange?) {
    self.text = text
    self.place = place
  }
}
