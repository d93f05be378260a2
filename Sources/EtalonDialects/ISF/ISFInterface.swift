internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// What an ISF text expects from outside: uniforms, images and targets, with what is wrong about that.
struct ISFInterface {
  /// An image or a target in the text.
  struct Texture {
    let name: String
    let source: PassTexture.Source
    let shape: TextureShape
    let sampler: Sampler
    let binding: Int
  }

  private(set) var images: [FilterInput]
  private(set) var parameters: [FilterParameter]
  private(set) var diagnostics: [Diagnostic] = []
  let targets: [FilterTarget]

  /// The store has binding 8; textures are behind it.
  private static let firstBinding = 16

  /// Joins what the header declares with what the text declares itself.
  init(header: FilterHeader, targets: [FilterTarget], loose: [LooseUniform], samplers: [String: SamplerChange]) {
    images = header.images.map(\.input)
    parameters = header.parameters
    self.targets = targets
    add(loose)
    images = images.map { $0.changed(by: samplers[$0.name]) }
  }

  private mutating func add(_ loose: [LooseUniform]) {
    var known = ISFUniforms.names.union(images.map(\.name)).union(parameters.map(\.name)).union(targets.map(\.name))
    for uniform in loose {
      guard known.insert(uniform.name).inserted else {
        let labels = uniform.labels.map { $0.worded("declared by the host") }
        diagnostics.append(
          Diagnostic(
            "isf.redeclared", "'\(uniform.name)' is declared already", severity: .warning, labels: labels, help: ["remove the declaration"])
        )
        continue
      }
      if uniform.type == "sampler2D" {
        images.append(FilterInput(name: uniform.name, sampler: ISFUniforms.sampler, place: uniform.place))
      } else if let type = ValueType(rawValue: uniform.type), uniform.arrayLength == nil {
        let zero = Value(type, [Double](repeating: 0, count: type.componentCount))
        parameters.append(
          FilterParameter(
            name: uniform.name, kind: ParameterKind(type), defaultValue: uniform.initial ?? zero, place: uniform.place))
        report(uniform, .warning, "'\(uniform.name)' is not in the header", "a parameter without a range", ["declare it in 'INPUTS'"])
      } else {
        report(uniform, .error, "'\(uniform.name)' cannot be an input", "of type \(uniform.type)", ["use a type that 'INPUTS' has"])
      }
    }
  }

  private mutating func report(
    _ uniform: LooseUniform, _ severity: Diagnostic.Severity, _ message: String, _ label: String, _ help: [String]
  ) {
    let labels = uniform.labels.map { $0.worded(label) }
    diagnostics.append(Diagnostic("isf.uniform", message, severity: severity, labels: labels, help: help))
  }

  // MARK: what a text mentions

  /// The members of the block for a text that mentions some names; the size is always there.
  func uniforms(_ mentioned: Set<String>) -> [Uniform] {
    let own = parameters.map { parameter in
      let meaning = Uniform.Meaning.parameter(parameter.name)
      return Uniform(
        name: ReservedWords.replacement(for: parameter.name), type: parameter.kind.valueType,
        meaning: parameter.followsClock ? .parameterOr(parameter.name, .progress) : meaning)
    }
    return ISFUniforms.all.filter { $0.name == "RENDERSIZE" || mentioned.contains($0.name) } + own.filter { mentioned.contains($0.name) }
  }

  /// The textures of a text that mentions some names.
  func textures(_ mentioned: Set<String>) -> [Texture] {
    let inputs = images.map { (name: $0.name, source: PassTexture.Source.input($0.name), shape: $0.shape, sampler: $0.sampler) }
    let written = targets.map {
      (name: $0.name, source: PassTexture.Source.target($0.name), shape: TextureShape.flat, sampler: ISFUniforms.sampler)
    }
    return (inputs + written).enumerated().compactMap { index, texture in
      let name = ReservedWords.replacement(for: texture.name)
      guard mentioned.contains(name) else { return nil }
      return Texture(
        name: name, source: texture.source, shape: texture.shape, sampler: texture.sampler, binding: Self.firstBinding + index)
    }
  }

  /// The names in the sizes of targets.
  private var sizing: Set<String> {
    let sizes = targets.flatMap { target -> [ExpressionText] in
      guard case .expressions(let width, let height) = target.extent else { return [] }
      return [width, height].compactMap(\.self)
    }
    return Set(sizes.flatMap { Lexer.tokens(ofAddedText: $0.text) }.map(\.text))
  }

  /// What the header declares, and neither the text nor a size mentions.
  func unused(_ mentioned: Set<String>) -> [Diagnostic] {
    let inputs = images.map { ($0.name, $0.place) } + parameters.map { ($0.name, $0.place) }
    return inputs.filter { !mentioned.contains(ReservedWords.replacement(for: $0.0)) && !sizing.contains($0.0) }.map { name, place in
      Diagnostic(
        "isf.unused-input", "the text does not use the input '\(name)'", severity: .warning,
        labels: place.map { [$0.label("declared here")] } ?? [], help: ["remove it"])
    }
  }
}

// MARK: - names of the dialect

/// The uniforms that every ISF host sets.
enum ISFUniforms {
  /// In the order in which they stand in the block.
  static let all: [Uniform] = [
    Uniform(name: "RENDERSIZE", type: .vec2, meaning: .targetSize),
    Uniform(name: "TIME", type: .float, meaning: .time),
    Uniform(name: "TIMEDELTA", type: .float, meaning: .timeDelta(onFirstFrame: 0)),
    Uniform(name: "FRAMEINDEX", type: .int, meaning: .frameIndex),
    Uniform(name: "DATE", type: .vec4, meaning: .date(january: 1)),
  ]

  /// The names of the uniforms and of what else is always there.
  static let names = Set(all.map(\.name) + ["PASSINDEX", "isf_FragNormCoord", "vv_FragNormCoord"])

  /// The specification says nothing about how images are read; hosts interpolate, and repeat the edge beyond it.
  static let sampler = Sampler(.linear, .clamp)
}

/// What people who come from other players call the variables of ISF.
enum ISFHints {
  /// The hints for a filter with inputs and targets of some names.
  static func hints(_ names: [String]) -> NameHints {
    NameHints(
      offered: ISFUniforms.names.sorted() + ["gl_FragColor", "gl_FragCoord"] + names + [
        "IMG_PIXEL", "IMG_NORM_PIXEL", "IMG_THIS_PIXEL", "IMG_THIS_NORM_PIXEL", "IMG_SIZE",
      ],
      here: [
        "iTime": "TIME", "iGlobalTime": "TIME", "time": "TIME", "u_time": "TIME", "iTimeDelta": "TIMEDELTA", "iFrame": "FRAMEINDEX",
        "iDate": "DATE", "iResolution": "RENDERSIZE", "resolution": "RENDERSIZE", "u_resolution": "RENDERSIZE",
        "iChannel0": "inputImage", "fragCoord": "gl_FragCoord", "fragColor": "gl_FragColor", "uv": "isf_FragNormCoord",
      ],
      functions: [
        "IMG_PIXEL": .init([["image", "vec2 position"]]), "IMG_NORM_PIXEL": .init([["image", "vec2 place"]]),
        "IMG_THIS_PIXEL": .init([["image"]]), "IMG_THIS_NORM_PIXEL": .init([["image"]]), "IMG_NORM_THIS_PIXEL": .init([["image"]]),
        "IMG_SIZE": .init([["image"]]),
      ])
  }
}
