internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// What a ShaderToy text expects from outside: uniforms, textures and parameters, with what is wrong about that.
struct ShaderToyInterface {
  private(set) var uniforms: [Uniform] = []
  /// The textures in the author's words, with what they read and their bindings.
  private(set) var textures: [(name: String, binding: Int, channel: ShaderToyRole.Channel)] = []
  private(set) var parameters: [FilterParameter] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// Bindings of textures beyond the four channels.
  private static let furtherBindings = 16

  private let role: ShaderToyRole
  private let options: FilterReader.Options

  /// Joins what the text declares itself with what the player declares and the text mentions, and with further uniforms.
  init(loose: [LooseUniform], tokens: [Token], role: ShaderToyRole, options: FilterReader.Options, further: [Uniform] = []) {
    self.role = role
    self.options = options
    let names = Set(tokens.lazy.filter { $0.kind == .identifier }.map(\.text))
    addPlayerUniforms(loose, names, tokens)
    addTextures(loose, names)
    addParameters(loose, tokens)
    addHostUniforms(loose, names, tokens)
    uniforms += further
  }

  // MARK: what the player sets

  private mutating func addPlayerUniforms(_ loose: [LooseUniform], _ names: Set<String>, _ tokens: [Token]) {
    let declared = Dictionary(loose.map { ($0.name, $0) }) { first, _ in first }
    let sources = ShaderToyUniforms.channels.map { role.channel($0, options) }.map { $0.hasSize ? $0.source : nil }
    for uniform in ShaderToyUniforms.all(channels: sources) where names.contains(uniform.name) {
      if let redeclared = declared[uniform.name] {
        uniforms.append(accepted(redeclared, as: uniform))
      } else if !ShaderToyUniforms.yielding.contains(uniform.name) || !DeclaredNames.contains(uniform.name, in: tokens) {
        uniforms.append(uniform)
      }
    }
  }

  /// A text may ask for fewer components than there are.
  private mutating func accepted(_ declared: LooseUniform, as uniform: Uniform) -> Uniform {
    if let type = ValueType(rawValue: declared.type), type.isFloat == uniform.type.isFloat, !type.isMatrix,
      type.componentCount <= uniform.type.componentCount, declared.arrayLength == uniform.arrayLength,
      uniform.arrayLength == nil || type == uniform.type
    {
      return Uniform(name: uniform.name, type: type, arrayLength: uniform.arrayLength, meaning: uniform.meaning)
    }
    let array = uniform.arrayLength.map { "[\($0)]" } ?? ""
    diagnostics.append(
      Diagnostic(
        "shadertoy.uniform-type", "'\(uniform.name)' is declared as another type than the player sets",
        labels: declared.labels.map { $0.worded("not \(uniform.type.rawValue)\(array)") },
        help: ["remove the declaration, or write 'uniform \(uniform.type.rawValue) \(uniform.name)\(array);'"]))
    return uniform
  }

  private mutating func addTextures(_ loose: [LooseUniform], _ names: Set<String>) {
    for uniform in loose
    where uniform.type != samplerType(uniform.name)
      && (uniform.type.contains("sampler") || ShaderToyUniforms.channels.contains(uniform.name))
    {
      diagnostics.append(
        Diagnostic(
          "shadertoy.unsupported-input", "'\(uniform.name)' asks for an input that is no picture",
          labels: uniform.labels.map { $0.worded("declared as \(uniform.type)") },
          notes: ["a loose file reads pictures; a project folder may connect cube maps, keyboards and other passes"]))
    }
    textures = ShaderToyUniforms.channels.enumerated().filter { names.contains($1) }.map { ($1, 1 + $0, role.channel($1, options)) }
    let further = loose.filter { $0.type == "sampler2D" && !ShaderToyUniforms.channels.contains($0.name) && names.contains($0.name) }
    for (index, uniform) in further.enumerated() {
      textures.append((uniform.name, Self.furtherBindings + index, role.channel(uniform.name, options)))
    }
  }

  private func samplerType(_ name: String) -> String { role.channel(name, options).shape.samplerType }

  // MARK: what the user sets

  /// A name that the text also declares in another way belongs to a branch of `#if` for another host.
  private mutating func addParameters(_ loose: [LooseUniform], _ tokens: [Token]) {
    var known: Set<String> = []
    for uniform in loose where !ShaderToyUniforms.names.contains(uniform.name) && !uniform.type.contains("sampler") {
      guard !ShaderToyUniforms.channels.contains(uniform.name), known.insert(uniform.name).inserted,
        !DeclaredNames.contains(uniform.name, in: tokens)
      else { continue }
      guard let type = ValueType(rawValue: uniform.type), uniform.arrayLength == nil else {
        refuse(uniform, "parameters of this type are not supported", "declared here", ["use a scalar, a vector or a matrix"])
        continue
      }
      if uniform.hasInitializer, uniform.initial == nil {
        refuse(uniform, "the value of '\(uniform.name)' is no literal", "given a value here", ["write a number, or a vector of numbers"])
      }
      let initial = uniform.initial ?? HostUniforms.all[uniform.name].flatMap { ValueConversion.converted($0.value, to: type) }
      add(
        uniform.name, initial ?? Value(type, Array(repeating: 0, count: type.componentCount)), uniform.place, uniform.comment,
        isGiven: initial != nil || uniform.hasInitializer)
    }
  }

  private mutating func refuse(_ uniform: LooseUniform, _ message: String, _ label: String, _ help: [String]) {
    let labels = uniform.labels.map { $0.worded(label) }
    diagnostics.append(Diagnostic("shadertoy.parameter", message, labels: labels, help: help))
  }

  private mutating func addHostUniforms(_ loose: [LooseUniform], _ names: Set<String>, _ tokens: [Token]) {
    let declared = Set(loose.map(\.name))
    for (name, uniform) in HostUniforms.all.sorted(by: { $0.key < $1.key }) {
      guard names.contains(name), !declared.contains(name), !DeclaredNames.contains(name, in: tokens) else { continue }
      let place = tokens.firstIndex { $0.isName(name) }.map { [$0] } ?? []
      add(name, uniform.value, nil)
      diagnostics.append(
        Diagnostic(
          "shadertoy.host-uniform", "'\(name)' is not part of ShaderToy", severity: .warning,
          labels: tokens.labels(at: place, "set by \(uniform.host)"),
          help: ["it is a parameter here: --set '\(name)=…' gives it a value other than \(ValueConversion.text(of: uniform.value))"]))
    }
  }

  private mutating func add(
    _ name: String, _ initial: Value, _ place: SourceRange?, _ comment: ParameterComment = ParameterComment(), isGiven: Bool = true
  ) {
    let parameter = FilterParameter(name: name, kind: ParameterKind(initial.type), defaultValue: initial, place: place)
    let range = CommentedRange(parameter, comment, isGiven: isGiven)
    diagnostics += range.warnings
    parameters.append(range.parameter)
    uniforms.append(Uniform(name: ReservedWords.replacement(for: name), type: initial.type, meaning: .parameter(name)))
  }
}

/// Tells whether a text gives a meaning of its own to a name outside of functions.
enum DeclaredNames {
  static func contains(_ name: String, in tokens: [Token]) -> Bool {
    let isMacro = Directive.all(in: tokens).contains { MacroDefinition($0, in: tokens)?.name == name }
    return isMacro
      || FileScope(tokens).declarations.contains { declaration in
        let words = declaration.tokens.drop { ["const", "highp", "mediump", "lowp"].contains(tokens[$0].text) }
        return DeclaratorList(words.dropFirst(), in: tokens).declarators.contains { tokens[$0.name].text == name }
      }
  }
}

// MARK: - names of the dialect

/// The uniforms that a ShaderToy player declares for every shader.
enum ShaderToyUniforms {
  /// In the order in which they stand in the block, for a pass whose channels read these sources; nil has no size.
  static func all(channels: [PassTexture.Source?]) -> [Uniform] {
    [
      Uniform(name: "iResolution", type: .vec3, meaning: .targetSize),
      Uniform(name: "iTime", type: .float, meaning: .time),
      Uniform(name: "iGlobalTime", type: .float, meaning: .time),
      Uniform(name: "iTimeDelta", type: .float, meaning: .timeDelta(onFirstFrame: 1.0 / 60)),
      Uniform(name: "iFrameRate", type: .float, meaning: .frameRate),
      Uniform(name: "iFrame", type: .int, meaning: .frameIndex),
      Uniform(name: "iMouse", type: .vec4, meaning: .mouse),
      Uniform(name: "iDate", type: .vec4, meaning: .date(january: 0)),
      Uniform(name: "iSampleRate", type: .float, meaning: .sampleRate),
      Uniform(name: "iChannelTime", type: .float, arrayLength: 4, meaning: .inputTimes(channels)),
      Uniform(name: "iChannelResolution", type: .vec3, arrayLength: 4, meaning: .textureSizes(channels)),
      // Natron gives inputs a position; here all inputs lie at the origin.
      Uniform(name: "iChannelOffset", type: .vec2, arrayLength: 4, meaning: .fixed([Double](repeating: 0, count: 8))),
    ]
  }

  static let names = Set(all(channels: []).map(\.name))

  /// Names of other times and hosts, to which a text may give a meaning of its own.
  static let yielding: Set<String> = ["iGlobalTime", "iChannelOffset"]

  /// The channels, in the order of their bindings.
  static let channels = ["iChannel0", "iChannel1", "iChannel2", "iChannel3"]
}

extension FilterManifest {
  /// Every image input that the dialect offers to the text, also those that the text does not read.
  package var channelNames: [String] {
    let own = inputs.map(\.name)
    guard dialect == .shaderToy else { return own }
    return ShaderToyUniforms.channels + own.filter { !ShaderToyUniforms.channels.contains($0) }
  }
}

/// Uniforms that other hosts of ShaderToy files set and a ShaderToy player does not know; they become parameters with these values.
private enum HostUniforms {
  struct HostUniform {
    let host: String
    let value: Value
  }

  static let all: [String: HostUniform] = {
    var all: [String: HostUniform] = [:]
    func add(_ host: String, _ type: ValueType, _ components: [Double], _ names: String...) {
      for name in names { all[name] = HostUniform(host: host, value: Value(type, components)) }
    }
    add("Ghostty", .vec4, [0, 0, 10, 20], "iCurrentCursor", "iPreviousCursor")
    add("Ghostty", .vec4, [1, 1, 1, 1], "iCurrentCursorColor", "iPreviousCursorColor")
    add("Ghostty", .float, [0], "iTimeCursorChange", "iTimeFocus")
    add("Ghostty", .int, [1], "iFocus")
    add("Ghostty", .vec3, [0, 0, 0], "iBackgroundColor")
    add("Ghostty", .vec3, [1, 1, 1], "iForegroundColor", "iCursorColor")
    add("Natron", .vec2, [1, 1], "iRenderScale")
    add("an editor extension", .mat4, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "iViewMatrix")
    return all
  }()
}

/// What people who come from other players call the uniforms of ShaderToy.
enum ShaderToyHints {
  static let hints = NameHints(
    offered: ShaderToyUniforms.names.filter { $0 != "iGlobalTime" }.sorted() + ShaderToyUniforms.channels,
    here: [
      "u_time": "iTime", "uTime": "iTime", "time": "iTime", "TIME": "iTime", "globalTime": "iTime", "u_resolution": "iResolution",
      "uResolution": "iResolution", "resolution": "iResolution", "RENDERSIZE": "iResolution", "u_mouse": "iMouse", "uMouse": "iMouse",
      "mouse": "iMouse", "frame": "iFrame", "u_frame": "iFrame", "FRAMEINDEX": "iFrame", "DATE": "iDate", "TIMEDELTA": "iTimeDelta",
      "backbuffer": "iChannel0", "u_texture": "iChannel0", "u_tex0": "iChannel0", "inputImage": "iChannel0",
    ])
}

// MARK: - inputs that are not supported

/// Refuses inputs of kinds that are not supported, where the text shows that it expects one.
struct ShaderToyUnsupportedInputs {
  private let tokens: [Token]
  private let functions: [FileScope.Function]
  /// The channels that directives call cube maps.
  private let cubes: Set<String>

  init(_ tokens: [Token], cubes: Set<String>) {
    self.tokens = tokens
    self.cubes = cubes
    functions = FileScope(tokens).functions
  }

  /// - Parameters:
  ///   - isConnected: whether a project says what the channels are, so that the text does not decide it.
  ///   - connected: the channels of which it is known what they read, whatever directives say.
  func diagnostics(isConnected: Bool, connected: Set<String>) -> [Diagnostic] {
    isConnected ? directives(connected) : directives(connected) + oldFunctions() + solidReads() + solidArguments()
  }

  private func diagnostic(_ kind: String, _ places: [Int], _ label: String) -> Diagnostic {
    let isCube = kind.hasPrefix("a cube map")
    let channel = places.lazy.map { tokens[$0].text }.first(where: ShaderToyUniforms.channels.contains) ?? ShaderToyUniforms.channels[0]
    return Diagnostic(
      "shadertoy.unsupported-input", "\(kind) cannot be an input of a loose file\(isCube ? " that does not say so" : "")",
      labels: tokens.labels(at: places, label),
      help: isCube ? [#"write '#\#(channel) "file://sky_{}.jpg"' and '#\#(channel)::Type "CubeMap"' for a cube map"#] : [],
      notes: [
        "a loose file reads pictures, sounds and other passes; a folder with a 'project.json' connects cube maps, volumes and keyboards, too"
      ])
  }

  /// `#iKeyboard`, `#iChannel0 "self"` of the editor extension that previews ShaderToy files.
  private func directives(_ connected: Set<String>) -> [Diagnostic] {
    Directive.all(in: tokens).compactMap { directive in
      switch directive.name {
      case "iKeyboard": return diagnostic("a keyboard", Array(directive.range.prefix(2)), "asks for a keyboard")
      case "iVertex": return diagnostic("geometry", Array(directive.range.prefix(2)), "asks for a vertex shader")
      case "iChannel0", "iChannel1", "iChannel2", "iChannel3":
        guard !connected.contains(directive.name), !cubes.contains(directive.name), let value = directive.operands.last,
          tokens[value].kind == .string, let kind = Self.kind(ofInput: tokens[value].text)
        else {
          return nil
        }
        return diagnostic(kind, [value], "this input")
      default: return nil
      }
    }
  }

  /// What a source is called that no channel can read; nil for any other.
  static func kind(ofInput text: String) -> String? {
    let text = text.lowercased().filter { $0 != "\"" }
    switch EditorChannels.pass(text) {
    case .own: return "what an included file or a pass of a folder calls its own last frame"
    case .file: return "the result of a pass that an included file or a pass of a folder names"
    case nil: break
    }
    if text.contains("{}") || text.contains("*") { return "a cube map" }
    return nil
  }

  private func oldFunctions() -> [Diagnostic] {
    let kinds = ["textureCube": "a cube map", "textureCubeLod": "a cube map", "textureCubeLodEXT": "a cube map", "texture3D": "a volume"]
    let own = Set(functions.map(\.name)).union(
      Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    return tokens.indices.filter {
      guard let kind = kinds[tokens[$0].text], !own.contains(tokens[$0].text), tokens.isCalled(at: $0) else { return false }
      return cubes.isEmpty || kind != "a cube map"
    }
    .map { diagnostic(kinds[tokens[$0].text] ?? "", [$0], "reads one") }
  }

  /// `texture(iChannel0, rd)` with a `vec3 rd` is a read from a cube map or a volume.
  private func solidReads() -> [Diagnostic] {
    let reads: Set<String> = ["texture", "textureLod", "textureGrad", "texture2D", "texture2DLodEXT"]
    let expressions = SolidExpressions(tokens)
    var reported = declaredSolid.union(cubes)
    return tokens.indices.compactMap { index in
      guard reads.contains(tokens[index].text), let open = tokens.next(after: index), tokens[open].isMark("("),
        let arguments = tokens.arguments(openedAt: open), arguments.count >= 2, arguments[0].count == 1, expressions.contains(arguments[1])
      else { return nil }
      let channel = tokens[arguments[0][0]].text
      guard ShaderToyUniforms.channels.contains(channel), reported.insert(channel).inserted else { return nil }
      return diagnostic("a cube map or a volume", arguments[0], "read with three coordinates")
    }
  }

  /// The channels that the text declares as something else than a picture, which is reported there.
  private var declaredSolid: Set<String> {
    let declared = tokens.indices.filter { ["samplerCube", "sampler3D"].contains(tokens[$0].text) }.compactMap { tokens.next(after: $0) }
    return Set(declared.map { tokens[$0].text })
  }

  /// A channel handed to a function that takes a `samplerCube` or a `sampler3D`.
  private func solidArguments() -> [Diagnostic] {
    let types: Set<String> = ["samplerCube", "sampler3D"]
    let solid = functions.filter { $0.parameters.contains { $0.contains { types.contains(tokens[$0].text) } } }
    let planar = functions.filter { $0.parameters.contains { $0.contains { tokens[$0].text == "sampler2D" } } }
    let names = Set(solid.map(\.name)).subtracting(planar.map(\.name))
    return tokens.indices.compactMap { index in
      guard names.contains(tokens[index].text), let open = tokens.next(after: index), tokens[open].isMark("("),
        let arguments = tokens.arguments(openedAt: open),
        let channel = arguments.first(where: { $0.count == 1 && ShaderToyUniforms.channels.contains(tokens[$0[0]].text) }),
        !cubes.contains(tokens[channel[0]].text)
      else { return nil }
      return diagnostic("a cube map or a volume", channel, "used as one")
    }
  }
}
