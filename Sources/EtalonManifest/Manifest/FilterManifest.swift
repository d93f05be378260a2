package import EtalonDiagnostics
package import EtalonTypes

/// What a filter file says about itself: its kind, its inputs and parameters, its targets and its passes.
package struct FilterManifest: Sendable, Hashable {
  /// The dialect that the file is written in.
  package enum Dialect: String, Sendable, Hashable, CaseIterable {
    case shaderToy = "shadertoy"
    case isf
    case glTransition = "gl-transition"
    case native
    /// A fragment shader with a `main`, as glslViewer, The Book of Shaders and GLSL Sandbox run them.
    case fragment
    /// A plain GLSL compute shader with bindings of its own.
    case compute
    /// A document whose nodes are other filters; the readers of shaders never produce it.
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
    /// What people call it, where that is more than the name of its file.
    package var title: String?
    package var description: String?
    package var credit: String?
    package var license: String?
    package var categories: [String]
    /// Other names by which it is found, in kebab-case; names of filters win over them.
    package var aliases: [String]

    package init(
      description: String? = nil, credit: String? = nil, license: String? = nil, categories: [String] = [], aliases: [String] = []
    ) {
      func said(_ text: String?) -> String? { text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
      self.description = said(description)
      self.credit = said(credit)
      self.license = said(license)
      self.categories = categories
      self.aliases = aliases
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

// MARK: - targets and buffers

/// A picture that passes of a filter write and others read.
///
/// A pass that reads a target which an earlier pass of the same frame wrote sees that; otherwise it sees what the target held at the end of the
/// frame before, transparent black on the first frame. A target that is not persistent holds nothing before it is written.
package struct FilterTarget: Sendable, Hashable {
  /// How large a target is.
  package enum Extent: Sendable, Hashable {
    /// As large as the result.
    case output
    case pixels(Size)
    /// The result's size times a factor, rounded down, at least 1.
    case scaled(Rational)
    /// Evaluated for every render; nil means as large as the result.
    case expressions(width: ExpressionText?, height: ExpressionText?)

    /// The sides that a target may have, in pixels.
    package static let sides = 1...16_384
    /// The largest factor of the result's size.
    package static let largestFactor = Rational(16)
  }

  /// `bufferA`, `trail`.
  package let name: String
  package let extent: Extent
  /// `flat`, or `cube`, whose extent is that of one face and whose passes run once for each face.
  package let shape: TextureShape
  package let format: PixelFormat
  /// Whether it survives from frame to frame.
  package let isPersistent: Bool
  package let place: SourceRange?

  package init(
    name: String, extent: Extent = .output, shape: TextureShape = .flat, format: PixelFormat, isPersistent: Bool, place: SourceRange? = nil
  ) {
    self.name = name
    self.extent = extent
    self.shape = shape
    self.format = format
    self.isPersistent = isPersistent
    self.place = place
  }
}

/// An array in memory that compute kernels of a filter share, in the layout of std430.
package struct FilterBuffer: Sendable, Hashable {
  package let name: String
  /// The GLSL type of an element.
  package let type: ValueType
  /// The number of elements.
  package let count: ExpressionText
  /// Whether it survives from frame to frame; otherwise it is zeroed before the first pass of each frame.
  package let isPersistent: Bool
  package let place: SourceRange?

  package init(name: String, type: ValueType, count: ExpressionText, isPersistent: Bool, place: SourceRange? = nil) {
    self.name = name
    self.type = type
    self.count = count
    self.isPersistent = isPersistent
    self.place = place
  }
}

// MARK: - extent of the result

/// What the result of a filter covers, beside which it is transparent.
package enum ResultExtent: Sendable, Hashable {
  /// As much as the input.
  case input
  /// The input and what is within the filter's reach around it.
  case grown
  /// Everything: it covers all of any rectangle that is rendered.
  case infinite
  /// What any of the inputs covers.
  case union
  /// A rectangle in pixels: the lower left corner and the size.
  case rectangle(x: ExpressionText, y: ExpressionText, width: ExpressionText, height: ExpressionText)
  /// A size of its own; its pictures are read as they are, whatever they cover.
  case sized(width: ExpressionText, height: ExpressionText)

  /// What filters of a kind cover unless they say otherwise.
  package init(of kind: FilterManifest.Kind) {
    self =
      switch kind {
      case .generator: .infinite
      case .filter: .input
      case .composite, .transition: .union
      }
  }
}
