internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// What a fragment shader expects from outside: uniforms, textures, varyings and parameters, with what is wrong about that.
struct FragmentInterface {
  /// A texture of the text.
  struct Texture {
    /// The name as the author wrote it.
    let name: String
    let binding: Int
    let source: PassTexture.Source
    let sampler: Sampler
  }

  /// The first one is the size of the target, from which the program computes places.
  private(set) var uniforms = [Uniform(name: FragmentHosts.size, type: .vec2, meaning: .targetSize)]
  private(set) var textures: [Texture] = []
  private(set) var inputs: [FilterInput] = []
  private(set) var parameters: [FilterParameter] = []
  /// GLSL that declares what the program computes in the place of a host.
  private(set) var variables = ""
  private(set) var diagnostics: [Diagnostic] = []

  /// The store has binding 8; textures are behind it.
  private static let firstBinding = 16

  private let options: FilterReader.Options
  private let names: Set<String>
  /// What directives of an editor extension connect.
  private let editor: EditorChannels

  /// - Parameters:
  ///   - loose: the uniforms that the text declares.
  ///   - tokens: the text without its declarations.
  ///   - targets: the names of the textures that passes write.
  init(_ loose: [LooseUniform], _ varyings: Varyings, tokens: [Token], targets: Set<String>, options: FilterReader.Options) {
    self.options = options
    editor = EditorChannels(tokens)
    diagnostics = editor.warnings + Self.unsupported(editor, tokens)
    names = Set(tokens.lazy.filter { $0.kind == .identifier }.map(\.text))
    var known: Set<String> = []
    let once = loose.filter { known.insert($0.name).inserted && names.contains($0.name) }
    for uniform in once where uniform.type.contains("sampler") { addTexture(uniform, targets) }
    for uniform in once where !uniform.type.contains("sampler") { add(uniform) }
    for varying in varyings.read where names.contains(varying.name) && !known.contains(varying.name) { add(varying) }
  }

  /// What directives of an editor extension ask for and a fragment shader does not have.
  private static func unsupported(_ editor: EditorChannels, _ tokens: [Token]) -> [Diagnostic] {
    let passes = editor.channelsOfPasses
    let own = ["declare 'uniform sampler2D backbuffer;' for what the text itself showed a frame ago"]
    return passes.map { channel in
      Diagnostic(
        "fragment.pass", "'\(channel.name)' reads a pass, and a fragment shader has none in files",
        labels: [channel.place.label("not read")],
        help: (channel.pass == .own ? own : []) + ["write a 'mainImage' for a ShaderToy, whose files may be passes of each other"])
    }
      + ShaderToyUnsupportedInputs(tokens, cubes: editor.cubes).diagnostics(isConnected: true, connected: Set(passes.map(\.name)))
  }

  // MARK: textures

  private mutating func addTexture(_ uniform: LooseUniform, _ targets: Set<String>) {
    guard uniform.type == "sampler2D", uniform.arrayLength == nil else {
      report(
        uniform, "fragment.texture", "'\(uniform.name)' asks for an input that is no picture",
        "declared as \(uniform.type)\(uniform.arrayLength == nil ? "" : " array")", notes: ["a fragment shader reads pictures: sampler2D"])
      return
    }
    let binding = Self.firstBinding + textures.count
    if targets.contains(uniform.name) {
      let isOwnFrame = !uniform.name.lowercased().hasPrefix("u_buffer") && !uniform.name.hasPrefix("u_doubleBuffer")
      let sampler = isOwnFrame ? Sampler(.nearest, .clamp) : Sampler(.linear, .repeat)
      textures.append(Texture(name: uniform.name, binding: binding, source: .target(uniform.name), sampler: sampler))
      return
    }
    let connected = editor.channel(uniform.name, options)?.input
    let input = FilterInput(
      name: uniform.name, origin: connected?.origin ?? .user, sampler: connected?.sampler ?? Sampler(.linear, .repeat), place: uniform.place
    )
    .changed(by: options.samplers[uniform.name])
    inputs.append(input)
    textures.append(Texture(name: uniform.name, binding: binding, source: .input(uniform.name), sampler: input.sampler))
  }

  // MARK: uniforms

  private mutating func add(_ uniform: LooseUniform) {
    if let size = sizedTexture(uniform) {
      uniforms.append(Uniform(name: uniform.name, type: .vec2, meaning: .textureSizes([size])))
    } else if let variable = FragmentHosts.variables[uniform.name], uniform.type == variable.type, uniform.arrayLength == nil {
      add(variable, named: uniform.name)
    } else if let meaning = FragmentHosts.uniforms[uniform.name] {
      add(uniform, meaning)
    } else {
      addParameter(uniform)
    }
  }

  /// The texture whose size a uniform is: `u_tex0Resolution`.
  private func sizedTexture(_ uniform: LooseUniform) -> PassTexture.Source? {
    guard uniform.name.hasSuffix("Resolution"), uniform.type == "vec2", uniform.arrayLength == nil else { return nil }
    return textures.first { $0.name + "Resolution" == uniform.name }?.source
  }

  private mutating func add(_ uniform: LooseUniform, _ host: FragmentHosts.HostUniform) {
    if let type = ValueType(rawValue: uniform.type), host.types.contains(type), uniform.arrayLength == nil {
      uniforms.append(Uniform(name: ReservedWords.replacement(for: uniform.name), type: type, meaning: host.meaning))
    } else if host.isMarked {
      let types = host.types.map(\.rawValue)
      report(
        uniform, "fragment.uniform-type", "'\(uniform.name)' is declared as another type than hosts set", "not \(types[0])",
        help: ["write 'uniform \(types[0]) \(uniform.name);'"])
    } else {
      addParameter(uniform)
    }
  }

  private mutating func add(_ variable: FragmentHosts.Variable, named name: String) {
    if variable.value.contains(FragmentHosts.pointer), !uniforms.contains(where: { $0.name == FragmentHosts.pointer }) {
      uniforms.append(Uniform(name: FragmentHosts.pointer, type: .vec4, meaning: .mouse))
    }
    variables += "\(variable.type) \(ReservedWords.replacement(for: name)) = \(variable.value);\n"
  }

  private mutating func addParameter(_ uniform: LooseUniform) {
    guard let type = ValueType(rawValue: uniform.type), uniform.arrayLength == nil else {
      report(
        uniform, "fragment.parameter", "parameters of this type are not supported", "declared here",
        help: ["use a scalar, a vector or a matrix"])
      return
    }
    if uniform.hasInitializer, uniform.initial == nil {
      report(
        uniform, "fragment.parameter", "the value of '\(uniform.name)' is no literal", "given a value here",
        help: ["write a number, or a vector of numbers"])
    }
    let zero = Value(type, Array(repeating: 0, count: type.componentCount))
    let parameter = FilterParameter(
      name: uniform.name, kind: ParameterKind(type), defaultValue: uniform.initial ?? zero, place: uniform.place)
    let range = CommentedRange(parameter, uniform.comment, isGiven: uniform.initial != nil)
    diagnostics += range.warnings
    parameters.append(range.parameter)
    uniforms.append(Uniform(name: ReservedWords.replacement(for: uniform.name), type: type, meaning: .parameter(uniform.name)))
    guard uniform.initial == nil, !uniform.hasInitializer else { return }
    let value = ValueConversion.plainText(range.parameter.defaultValue)
    let labels = uniform.labels.map { $0.worded("starts as \(value)") }
    diagnostics.append(
      Diagnostic(
        "fragment.no-default", "no host sets '\(uniform.name)', so it is a parameter, and nothing says its value", severity: .warning,
        labels: labels,
        help: ["type '--set \(uniform.name)=…', or write '// = \(ValueConversion.text(of: zero))' behind the declaration"]))
  }

  // MARK: varyings

  private mutating func add(_ varying: Varying) {
    if let variable = FragmentHosts.varyings[varying.name], variable.type == varying.type, varying.array.isEmpty {
      add(variable, named: varying.name)
      return
    }
    diagnostics.append(
      Diagnostic(
        "fragment.varying", "nothing computes '\(varying.name)': there is no vertex shader and no geometry",
        labels: varying.labels.map { $0.worded("never written") },
        help: ["read the place of the pixel: 'varying vec2 v_texcoord;' from 0 to 1, or 'gl_FragCoord' in pixels"]))
  }

  private mutating func report(
    _ uniform: LooseUniform, _ id: String, _ message: String, _ label: String, help: [String] = [], notes: [String] = []
  ) {
    let labels = uniform.labels.map { $0.worded(label) }
    diagnostics.append(Diagnostic(id, message, labels: labels, help: help, notes: notes))
  }
}

// MARK: - names of the dialect

/// What the hosts of fragment shaders set, by the names in the text.
enum FragmentHosts {
  /// A uniform that a host sets.
  struct HostUniform {
    /// The usual one first.
    let types: [ValueType]
    let meaning: Uniform.Meaning
    /// Whether nothing else is likely to have the name, so that another type is an error; otherwise it is a parameter.
    let isMarked: Bool
  }

  /// A variable that the program computes.
  struct Variable {
    let type: String
    let value: String
  }

  /// The size of the target, and the mouse as ShaderToy's `iMouse` has it.
  static let size = "etalonTargetSize"
  static let pointer = "etalonPointer"

  static let uniforms: [String: HostUniform] = {
    var all: [String: HostUniform] = [:]
    func add(_ names: [String], _ types: [ValueType], _ meaning: Uniform.Meaning) {
      for name in names {
        let isMarked = name.hasPrefix("u_") || (name.hasPrefix("i") && name.dropFirst().first?.isUppercase ?? false)
        all[name] = HostUniform(types: types, meaning: meaning, isMarked: isMarked)
      }
    }
    add(["u_time", "time", "iTime", "iGlobalTime", "uTime", "TIME"], [.float], .time)
    add(["u_delta", "iTimeDelta", "u_deltaTime"], [.float], .timeDelta(onFirstFrame: 1.0 / 60))
    add(["u_date", "iDate"], [.vec4], .date(january: 0))
    add(["u_frame", "iFrame", "frame"], [.int], .frameIndex)
    add(["iFrameRate"], [.float], .frameRate)
    add(["u_resolution", "resolution", "iResolution", "uResolution", "RENDERSIZE"], [.vec2, .vec3], .targetSize)
    add(["u_mouse", "iMouse"], [.vec2, .vec4], .mouse)
    return all
  }()

  /// Uniforms of GLSL Sandbox that are computed: the mouse goes from 0 to 1 over the picture, and is in the middle until it moves.
  static let variables = [
    "mouse": Variable(type: "vec2", value: "\(pointer) == vec4(0.0) ? vec2(0.5) : \(pointer).xy / \(size)"),
    "surfaceSize": Variable(type: "vec2", value: surface),
  ]

  private static let surface = "vec2(\(size).x / \(size).y, 1.0)"
  private static let place = "(vec2(etalonPixel) + 0.5) / \(size)"

  /// What the vertex shaders of hosts compute: the place in the picture from 0 to 1, and the place around the middle in heights of the picture.
  static let varyings: [String: Variable] = {
    let names = [
      "v_texcoord", "v_texCoord", "v_TexCoord", "vTexCoord", "vTexcoord", "v_uv", "vUv", "vUV", "uv", "texCoord", "texcoord", "TexCoord",
      "fragTexCoord", "vTextureCoord", "v_textureCoord",
    ]
    var all = Dictionary(uniqueKeysWithValues: names.map { ($0, Variable(type: "vec2", value: place)) })
    all["surfacePosition"] = Variable(type: "vec2", value: "(\(place) - 0.5) * \(surface)")
    return all
  }()
}

extension FragmentHosts {
  /// The names that only hosts of fragment shaders set, and no player of ShaderToys.
  static let ownNames = Set(uniforms.keys.filter { players[$0] == nil && $0 != "iGlobalTime" })
    .union(variables.keys).union(varyings.keys).union(["backbuffer", "u_backbuffer"])

  /// What previewers of editors set without a declaration, as a player of ShaderToys does, with the types.
  static let players: [String: String] = [
    "iTime": "float", "iGlobalTime": "float", "iTimeDelta": "float", "iFrame": "int", "iFrameRate": "float", "iDate": "vec4",
    "iResolution": "vec3", "iMouse": "vec4", "iChannel0": "sampler2D", "iChannel1": "sampler2D", "iChannel2": "sampler2D",
    "iChannel3": "sampler2D",
  ]

  /// The names of a player that a text reads and nowhere declares.
  static func undeclared(in tokens: [Token], besides declared: Set<String>) -> [LooseUniform] {
    let macros = Set(Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    let statements: Set = ["return", "else", "case", "do", "in"]
    var places: [String: Int] = [:], own: Set<String> = []
    for index in tokens.indices where tokens[index].kind == .identifier && players[tokens[index].text] != nil {
      let name = tokens[index].text
      if places[name] == nil { places[name] = index }
      // A type in front of a name declares it.
      guard !tokens[index].isInDirective, let before = tokens.previous(before: index) else { continue }
      if tokens[before].kind == .identifier, !statements.contains(tokens[before].text) { own.insert(name) }
    }
    return places.sorted { $0.value < $1.value }.compactMap { name, place in
      guard let type = players[name], !declared.contains(name), !own.contains(name), !macros.contains(name) else { return nil }
      return LooseUniform(undeclared: name, type: type, place: tokens.origin(of: [place]))
    }
  }
}

/// What people who come from other players call the names of fragment shaders.
enum FragmentHints {
  /// The hints for a text that declares some names.
  static func hints(_ declared: [String]) -> NameHints {
    NameHints(
      offered: declared + ["gl_FragColor", "gl_FragCoord"],
      here: ["fragColor": "gl_FragColor", "fragCoord": "gl_FragCoord", "FragColor": "gl_FragColor"])
  }
}
