internal import EtalonTypes

/// Turns the tokens of a ShaderToy text into a pass.
struct ShaderToyTranslation {
  let interface: ShaderToyInterface
  let entry: ShaderToyEntry
  let options: ShaderToyOptions

  /// The images that the text reads.
  var inputs: [FilterInput] {
    interface.textures.map { texture in
      let channel = channel(texture.name)
      return FilterInput(name: texture.name, sampler: channel.sampler, isFlipped: channel.isFlipped)
    }
  }

  private func channel(_ name: String) -> ShaderToyOptions.Channel { options.channels[name] ?? ShaderToyOptions.Channel() }

  /// Rewrites the tokens and puts the program around them.
  func pass(_ tokens: inout [Token], rewrites: [String]) -> PassSource {
    var forwarders = Lexer.tokens(ofAddedText: UserBuiltIns.forwarders(for: tokens))
    var names = rewrites
    for rewrite in self.rewrites where rewrite.changes(&tokens) { names.append(rewrite.name) }
    for rewrite in [Derivatives(), textureCalls] as [any Rewrite] { rewrite.apply(to: &forwarders) }
    let textures = interface.textures.map { (name: ReservedWords.replacement(for: $0.name), binding: $0.binding) }
    let program = ShaderToyProgram(
      uniforms: interface.uniforms, textures: textures, entry: entry, forwarders: forwarders,
      mentioned: Set((tokens + forwarders).lazy.filter { $0.kind == .identifier }.map(\.text)))
    return PassSource(
      name: "image", source: GeneratedSource(program.tokens + tokens + [Token(.lineEnd, "\n")]), uniforms: interface.uniforms,
      textures: passTextures, usesQuads: program.usesQuads, hints: ShaderToyHints.hints, rewrites: names)
  }

  /// In this order: the author's own functions first, so that later rewrites leave them alone.
  private var rewrites: [any Rewrite] {
    let always: [any Rewrite] = [
      UserBuiltIns(), Stripping(), PredefinedMacros(), EditorDirectives(), OwnMain(), EmptyMacroArguments(), FragmentNames(), Derivatives(),
      textureCalls, ReservedWords(), MacroCollisions(),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  private var textureCalls: TextureCalls {
    let mipmapped = interface.textures.map(\.name).filter { channel($0).sampler.interpolation == .mipmap }
    return TextureCalls(mipmapped: Set(mipmapped), plain: Set(interface.textures.map(\.name)).subtracting(mipmapped))
  }

  private var passTextures: [PassTexture] {
    inputs.map { input in
      PassTexture(name: ReservedWords.replacement(for: input.name), source: .input(input.name), sampler: input.sampler)
    }
  }
}
