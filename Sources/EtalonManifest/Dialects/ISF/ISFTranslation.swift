internal import EtalonDiagnostics
internal import EtalonTypes

/// Turns the tokens of both halves of a filter into its passes.
struct ISFTranslation {
  let interface: ISFInterface
  private let vertex: ISFVertexHalf?
  private let fragment: [Token]
  private let varyings: ISFVaryings
  private let forwarders: [Token]
  private let rewriteNames: [String]
  /// Every identifier of the rewritten halves.
  let mentioned: Set<String>

  init(_ text: ISFText, interface: ISFInterface, options: ReadingOptions) {
    self.interface = interface
    varyings = text.varyings
    let rewrites = Self.rewrites(interface, options)
    var fragment = text.fragment
    var names: [String] = []
    var forwarders = Lexer.tokens(ofAddedText: UserBuiltIns.forwarders(for: fragment))
    for rewrite in [UserBuiltIns() as any Rewrite] + rewrites where rewrite.changes(&fragment) { names.append(rewrite.name) }
    for rewrite in [Derivatives(), Self.textureCalls(interface)] as [any Rewrite] { rewrite.apply(to: &forwarders) }
    vertex = text.vertex.map { half in
      var half = half
      for rewrite in rewrites where half.apply(rewrite) && !names.contains(rewrite.name) { names.append(rewrite.name) }
      return half
    }
    self.fragment = fragment
    self.forwarders = forwarders
    rewriteNames = names
    mentioned = Self.names(fragment, forwarders, vertex)
  }

  /// In this order: the author's own functions first, so that later rewrites leave them alone.
  private static func rewrites(_ interface: ISFInterface, _ options: ReadingOptions) -> [any Rewrite] {
    let always: [any Rewrite] = [
      Stripping(), MacroSpaces(), ISFEnvironment(), ISFMain(), EmptyMacroArguments(), LocalZeros(), FragmentNames(), Derivatives(),
      imageCalls(interface),
      textureCalls(interface), ReservedWords(), MacroCollisions(),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  private static func mipmapped(_ interface: ISFInterface) -> Set<String> {
    Set(interface.images.filter { $0.sampler.interpolation == .mipmap }.map(\.name))
  }

  private static func allImages(_ interface: ISFInterface) -> Set<String> {
    Set(interface.images.map(\.name) + interface.targets.map(\.name))
  }

  private static func imageCalls(_ interface: ISFInterface) -> ISFImageCalls {
    ISFImageCalls(mipmapped: mipmapped(interface), images: allImages(interface))
  }

  private static func textureCalls(_ interface: ISFInterface) -> TextureCalls {
    TextureCalls(mipmapped: mipmapped(interface), plain: allImages(interface).subtracting(mipmapped(interface)))
  }

  // MARK: passes

  /// The pass with a number.
  func pass(_ index: Int, named name: String, to target: String?) -> PassSource {
    let branches = ISFPassBranches(passIndex: index)
    var fragment = fragment
    var vertex = vertex
    let isChanged = [branches.changes(&fragment), vertex?.apply(branches) ?? false].contains(true)
    let mentioned = Self.names(fragment, forwarders, vertex)
    let program = ISFProgram(
      uniforms: interface.uniforms(mentioned), textures: interface.textures(mentioned), passIndex: index, vertex: vertex,
      varyings: varyings, forwarders: forwarders, mentioned: mentioned)
    return source(program, fragment, name, target, rewriteNames + (isChanged ? [branches.name] : []))
  }

  private static func names(_ fragment: [Token], _ forwarders: [Token], _ vertex: ISFVertexHalf?) -> Set<String> {
    Set((fragment + forwarders + (vertex?.tokens ?? [])).lazy.filter { $0.kind == .identifier }.map(\.text))
  }

  /// A pass that shows a target, for filters whose last pass writes one.
  func copy(of target: String) -> PassSource {
    let image = ReservedWords.replacement(for: target)
    let text = "void \(ISFProgram.fragmentMain)() { etalon_FragColor = etalonTexture(\(image), isf_FragNormCoord); }"
    let mentioned: Set = [image, "etalonTexture"]
    let program = ISFProgram(
      uniforms: interface.uniforms(mentioned), textures: interface.textures(mentioned), passIndex: 0, vertex: nil, varyings: ISFVaryings(),
      forwarders: [], mentioned: mentioned)
    return source(program, Lexer.tokens(ofAddedText: text), "image", nil, [])
  }

  private func source(
    _ program: ISFProgram, _ fragment: [Token], _ name: String, _ target: String?, _ rewrites: [String]
  ) -> PassSource {
    let names = interface.images.map(\.name) + interface.parameters.map(\.name) + interface.targets.map(\.name)
    return PassSource(
      name: name, target: target, source: GeneratedSource(program.tokens(around: fragment)), uniforms: program.uniforms,
      textures: program.textures.map { PassTexture(name: $0.name, source: $0.source, sampler: $0.sampler) },
      usesQuads: program.usesQuads, hints: ISFHints.hints(names), rewrites: rewrites)
  }
}

/// Gives the `main` of the author's text another name, because the program has one already.
struct ISFMain: Rewrite {
  let name = "own main"

  func apply(to tokens: inout [Token]) {
    tokens.rename(["main": ISFProgram.fragmentMain, "vv_FragNormCoord": "isf_FragNormCoord"])
  }
}

extension ISFVertexHalf {
  /// Rewrites the text and says whether that changed anything.
  mutating func apply(_ rewrite: any Rewrite) -> Bool { rewrite.changes(&tokens) }
}
