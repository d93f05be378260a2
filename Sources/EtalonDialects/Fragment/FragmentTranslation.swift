internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Turns the tokens of a fragment shader into a pass.
struct FragmentTranslation {
  let interface: FragmentInterface
  let varyings: Varyings
  let options: FilterReader.Options

  /// The name that the author's `main` gets.
  private static let main = "etalon_main"
  private static let color = "etalon_FragColor"
  private static let data = "etalon_FragData"

  /// Rewrites the tokens and puts the program around them.
  func pass(_ tokens: inout [Token], _ run: FragmentPasses.Run) -> PassSource {
    var forwarders = Lexer.tokens(ofAddedText: UserBuiltIns().forwarders(for: tokens))
    var names: [String] = []
    for rewrite in rewrites where rewrite.changes(&tokens) { names.append(rewrite.name) }
    for rewrite in [Derivatives(), textureCalls] as [any Rewrite] { rewrite.apply(to: &forwarders) }
    var mentioned = Set((tokens + forwarders).lazy.filter { $0.kind == .identifier }.map(\.text))
    let result = result(mentioned)
    if result == Self.color { mentioned.insert(Self.color) }
    let program = PixelProgram(
      uniforms: interface.uniforms, textures: interface.textures.map { (ReservedWords.replacement(for: $0.name), $0.binding) },
      mentioned: mentioned)
    let own = interface.variables + varyings.written.map(\.declaration).joined()
    let front =
      Lexer.tokens(ofAddedText: program.declarations + program.helpers) + forwarders
      + Lexer.tokens(ofAddedText: own + main(result, program.discarding))
    let declared = interface.uniforms.dropFirst().map(\.name) + interface.textures.map(\.name)
    return PassSource(
      name: run.name, target: run.target, source: GeneratedSource(front + tokens + [Token(.lineEnd, "\n")]), uniforms: interface.uniforms,
      textures: interface.textures.map {
        PassTexture(name: ReservedWords.replacement(for: $0.name), source: $0.source, sampler: $0.sampler)
      }, usesQuads: program.usesQuads, hints: FragmentHints.hints(declared), rewrites: names)
  }

  /// In this order: the author's own functions first, so that later rewrites leave them alone.
  private var rewrites: [any Rewrite] {
    let always: [any Rewrite] = [
      UserBuiltIns(), LengthMembers(), LineNumbers(), Stripping(), MacroSpaces(), PredefinedMacros(), EditorDirectives(), OwnMain(),
      EmptyMacroArguments(),
      LocalZeros(),
      OutParameters(),
      FragmentNames(),
      Derivatives(), textureCalls, ReservedWords(), MacroCollisions(),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  private var textureCalls: TextureCalls {
    let soft = interface.textures.filter { $0.sampler.interpolation == .mipmap }.map(\.name)
    return TextureCalls(mipmapped: Set(soft), plain: Set(interface.textures.map(\.name)).subtracting(soft))
  }

  /// Where the text leaves its color: in its own `out` variable, in `gl_FragData[0]` or in `gl_FragColor`.
  private func result(_ mentioned: Set<String>) -> String {
    if let own = varyings.written.first { return own.color }
    return mentioned.contains(Self.data) && !mentioned.contains(Self.color) ? Self.data + "[0]" : Self.color
  }

  private func main(_ result: String, _ discarding: String) -> String { Self.main(result, discarding) }

  /// The result may have the name of a variable of `main`, so that a function reads it.
  private static func main(_ result: String, _ discarding: String) -> String {
    """
    vec4 etalonResult() { return \(result); }
    void \(main)();
    void main() {
      \(main)();
      vec4 color = etalonResult();
    \(discarding)  etalonStore(color);
    }

    """
  }
}
