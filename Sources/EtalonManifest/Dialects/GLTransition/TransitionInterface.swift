internal import EtalonDiagnostics
internal import EtalonTypes

/// What a transition expects from outside: the two pictures, the progress, and what the text declares itself.
struct TransitionInterface {
  /// A texture of the text.
  struct Texture {
    /// The name in GLSL.
    let name: String
    let binding: Int
    let input: FilterInput
  }

  /// The first one is the size of the target, by which the program divides positions.
  private(set) var uniforms = [Uniform(name: "etalonTargetSize", type: .vec2, meaning: .targetSize)]
  private(set) var textures: [Texture] = []
  private(set) var inputs: [FilterInput] = []
  private(set) var parameters: [FilterParameter] = []
  private(set) var diagnostics: [Diagnostic] = []

  private let options: ReadingOptions
  private let names: Set<String>

  /// The functions that read the two pictures, with the names of the textures and of the inputs.
  static let pictures: [(read: String, texture: String, input: String)] = [
    ("getFromColor", "etalonFrom", "startImage"), ("getToColor", "etalonTo", "endImage"),
  ]

  /// Bindings of textures beyond the two pictures.
  private static let furtherBindings = 16

  init(_ declared: [TransitionUniforms.Uniform], tokens: [Token], options: ReadingOptions) {
    self.options = options
    names = Set(tokens.lazy.filter { $0.kind == .identifier }.map(\.text))
    addPictures()
    addClocks(declared)
    for uniform in declared where !Self.given.contains(uniform.name) { add(uniform) }
  }

  /// What the host of a transition sets.
  private static let given = ["progress", "ratio"]

  private mutating func addPictures() {
    for (index, picture) in Self.pictures.enumerated() {
      let input = FilterInput(name: picture.input, sampler: Sampler(.linear, .clamp)).changed(by: options.samplers[picture.input])
      inputs.append(input)
      if names.contains(picture.read) { textures.append(Texture(name: picture.texture, binding: 1 + index, input: input)) }
    }
  }

  private mutating func addClocks(_ declared: [TransitionUniforms.Uniform]) {
    for uniform in declared where Self.given.contains(uniform.name) && (uniform.type != "float" || uniform.isArray) {
      refuse(uniform, "uniform-type", "'\(uniform.name)' is declared as another type than the host sets", "not float", ["remove the line"])
    }
    var progress = FilterParameter(name: "progress", kind: .float, defaultValue: Value(.float, [0]))
    progress.minimum = Value(.float, [0])
    progress.maximum = Value(.float, [1])
    progress.followsClock = true
    parameters.append(progress)
    if names.contains("progress") {
      uniforms.append(Uniform(name: "progress", type: .float, meaning: .parameterOr("progress", .progress)))
    }
    if names.contains("ratio") { uniforms.append(Uniform(name: "ratio", type: .float, meaning: .targetAspect)) }
  }

  private mutating func add(_ uniform: TransitionUniforms.Uniform) {
    let isTaken = (inputs.map(\.name) + parameters.map(\.name)).contains(uniform.name)
    if isTaken {
      refuse(uniform, "duplicate-uniform", "'\(uniform.name)' is declared twice", "already taken", ["give one of them another name"])
    } else if uniform.type == "sampler2D", !uniform.isArray {
      addImage(uniform)
    } else if let type = ValueType(rawValue: uniform.type), !uniform.isArray {
      addParameter(uniform, type)
    } else {
      let text = "\(uniform.type)\(uniform.isArray ? " array" : "")"
      refuse(
        uniform, "uniform-type", "a parameter cannot be of the type '\(text)'", "declared here",
        ["use a scalar, a vector, a matrix or a sampler2D"])
    }
  }

  private mutating func addImage(_ uniform: TransitionUniforms.Uniform) {
    let input = FilterInput(name: uniform.name, sampler: Sampler(.linear, .clamp), place: uniform.place)
      .changed(by: options.samplers[uniform.name])
    inputs.append(input)
    textures.append(
      Texture(name: ReservedWords.replacement(for: uniform.name), binding: Self.furtherBindings + textures.count, input: input))
  }

  private mutating func addParameter(_ uniform: TransitionUniforms.Uniform, _ type: ValueType) {
    var value = Value(type, Array(repeating: 0, count: type.componentCount))
    if let initial = uniform.initial {
      if let converted = initial.value(as: type) { value = converted } else { refuse(initial, of: uniform) }
    } else {
      diagnostics.append(
        Diagnostic(
          "gl-transition.no-default", "'\(uniform.name)' has no default value", severity: .warning,
          labels: uniform.labels.map { .init($0.source, $0.range, "starts as 0") },
          help: ["write '// = \(ValueConversion.text(of: value))' behind the declaration"]))
    }
    parameters.append(FilterParameter(name: uniform.name, kind: ParameterKind(type), defaultValue: value, place: uniform.place))
    uniforms.append(Uniform(name: ReservedWords.replacement(for: uniform.name), type: type, meaning: .parameter(uniform.name)))
  }

  private mutating func refuse(_ initial: CommentedDefault, of uniform: TransitionUniforms.Uniform) {
    diagnostics.append(
      Diagnostic(
        "gl-transition.default-value", "the default of '\(uniform.name)' is no literal of type '\(uniform.type)'", labels: initial.labels,
        help: ValueType(rawValue: uniform.type).map { ["expected \(ValueText.example(of: $0))"] } ?? []))
  }

  private mutating func refuse(
    _ uniform: TransitionUniforms.Uniform, _ id: String, _ message: String, _ label: String, _ help: [String]
  ) {
    let labels = uniform.labels.map { Diagnostic.Label($0.source, $0.range, label) }
    diagnostics.append(Diagnostic("gl-transition.\(id)", message, labels: labels, help: help))
  }
}
