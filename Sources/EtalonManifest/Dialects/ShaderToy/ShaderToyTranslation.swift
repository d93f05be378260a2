internal import EtalonTypes

/// Turns the tokens of a ShaderToy text into a pass.
struct ShaderToyTranslation {
  let interface: ShaderToyInterface
  let entry: ShaderToyEntry
  let role: ShaderToyRole
  let options: ShaderToyOptions

  /// The images that the text reads.
  var inputs: [FilterInput] { interface.textures.compactMap(\.channel.input) }

  /// Rewrites the tokens and puts the program around them.
  func pass(_ tokens: inout [Token], rewrites: [String]) -> PassSource {
    var forwarders = Lexer.tokens(ofAddedText: UserBuiltIns.forwarders(for: tokens))
    var names = rewrites
    for rewrite in self.rewrites where rewrite.changes(&tokens) { names.append(rewrite.name) }
    for rewrite in [Derivatives(), textureCalls] as [any Rewrite] { rewrite.apply(to: &forwarders) }
    let own = tokens.contains { $0.isName(FragmentNames.discardFlag) } ? ownTarget : nil
    let textures =
      interface.textures.map { (name: ReservedWords.replacement(for: $0.name), binding: $0.binding, shape: $0.channel.shape) }
      + (own.map { [(name: $0.name, binding: ShaderToyProgram.ownBinding, shape: entry.form.shape)] } ?? [])
    let uniforms = entry.form == .cubemap ? interface.uniforms + [CubeFaces.uniform] : interface.uniforms
    let program = ShaderToyProgram(
      uniforms: uniforms, textures: textures, entry: entry, forwarders: forwarders,
      mentioned: Set((tokens + forwarders).lazy.filter { $0.kind == .identifier }.map(\.text)))
    return PassSource(
      name: role.name, target: role.target, source: GeneratedSource(program.tokens + tokens + [Token(.lineEnd, "\n")]), uniforms: uniforms,
      textures: passTextures + (own.map { [$0] } ?? []), usesQuads: program.usesQuads, hints: ShaderToyHints.hints, rewrites: names)
  }

  /// What the pass's own target held before, which pixels that are discarded keep; nil for the image, where nothing is kept.
  private var ownTarget: PassTexture? {
    role.target.map { PassTexture(name: ShaderToyProgram.ownName, source: .target($0), sampler: Sampler(.nearest, .clamp)) }
  }

  /// In this order: the author's own functions first, so that later rewrites leave them alone.
  private var rewrites: [any Rewrite] {
    let always: [any Rewrite] = [
      UserBuiltIns(), Stripping(), PredefinedMacros(), EditorDirectives(), OwnMain(), EmptyMacroArguments(), LocalZeros(), FragmentNames(),
      Derivatives(),
      textureCalls, ReservedWords(), MacroCollisions(),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  private var textureCalls: TextureCalls {
    let mipmapped = interface.textures.filter { $0.channel.sampler.interpolation == .mipmap }.map(\.name)
    return TextureCalls(mipmapped: Set(mipmapped), plain: Set(interface.textures.map(\.name)).subtracting(mipmapped))
  }

  private var passTextures: [PassTexture] {
    interface.textures.map { texture in
      PassTexture(name: ReservedWords.replacement(for: texture.name), source: texture.channel.source, sampler: texture.channel.sampler)
    }
  }
}
