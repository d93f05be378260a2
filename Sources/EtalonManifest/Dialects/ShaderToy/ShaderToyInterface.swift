internal import EtalonDiagnostics
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
  private let options: ShaderToyOptions

  /// Joins what the text declares itself with what the player declares and the text mentions, and with further uniforms.
  init(loose: [LooseUniform], tokens: [Token], role: ShaderToyRole, options: ShaderToyOptions, further: [Uniform] = []) {
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
        labels: declared.labels.map { .init($0.source, $0.range, "not \(uniform.type.rawValue)\(array)") },
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
          labels: uniform.labels.map { .init($0.source, $0.range, "declared as \(uniform.type)") },
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

  /// A name that the text also declares otherwise belongs to a branch of `#if` for another host.
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
    let labels = uniform.labels.map { Diagnostic.Label($0.source, $0.range, label) }
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
