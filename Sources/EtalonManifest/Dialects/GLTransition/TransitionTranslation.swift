internal import EtalonTypes

/// Turns the tokens of a transition into a pass.
struct TransitionTranslation {
  let interface: TransitionInterface
  /// The declaration of `transition`.
  let prototype: String
  let options: ReadingOptions

  /// Rewrites the tokens and puts the program around them.
  func pass(_ tokens: inout [Token]) -> PassSource {
    var forwarders = Lexer.tokens(ofAddedText: UserBuiltIns.forwarders(for: tokens))
    var names: [String] = []
    for rewrite in rewrites where rewrite.changes(&tokens) { names.append(rewrite.name) }
    for rewrite in [Derivatives(), textureCalls] as [any Rewrite] { rewrite.apply(to: &forwarders) }
    var mentioned = Set((tokens + forwarders).lazy.filter { $0.kind == .identifier }.map(\.text))
    if readsPictures(mentioned) { mentioned.insert("etalonTexture") }
    if mipmapped.contains(where: { name in TransitionInterface.pictures.contains { $0.texture == name } }) {
      mentioned.insert("etalonTextureMipmapped")
    }
    let program = PixelProgram(
      uniforms: interface.uniforms, textures: interface.textures.map { ($0.name, $0.binding) }, mentioned: mentioned)
    let front =
      Lexer.tokens(ofAddedText: program.declarations + program.helpers + pictureFunctions(mentioned)) + forwarders
      + Lexer.tokens(ofAddedText: main(program))
    return PassSource(
      name: "image", source: GeneratedSource(front + tokens + [Token(.lineEnd, "\n")]), uniforms: interface.uniforms,
      textures: interface.textures.map { PassTexture(name: $0.name, source: .input($0.input.name), sampler: $0.input.sampler) },
      usesQuads: program.usesQuads, hints: TransitionHints.hints, rewrites: names)
  }

  /// In this order: the author's own functions first, so that later rewrites leave them alone.
  private var rewrites: [any Rewrite] {
    let always: [any Rewrite] = [
      UserBuiltIns(), Stripping(), PredefinedMacros(), OwnMain(), EmptyMacroArguments(), LocalZeros(), FragmentNames(), Derivatives(),
      textureCalls,
      ReservedWords(), MacroCollisions(),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  private var mipmapped: Set<String> {
    Set(interface.textures.filter { $0.input.sampler.interpolation == .mipmap }.map(\.name))
  }

  private var textureCalls: TextureCalls {
    // Calls still have the author's names when this rewrite sees them.
    let authorNames = interface.textures.filter { $0.input.place != nil }
    let soft = authorNames.filter { mipmapped.contains($0.name) }.map(\.input.name)
    return TextureCalls(mipmapped: Set(soft), plain: Set(authorNames.map(\.input.name)).subtracting(soft))
  }

  private func readsPictures(_ mentioned: Set<String>) -> Bool {
    TransitionInterface.pictures.contains { mentioned.contains($0.read) }
  }

  private func pictureFunctions(_ mentioned: Set<String>) -> String {
    TransitionInterface.pictures.filter { mentioned.contains($0.read) }.map { picture in
      let function = mipmapped.contains(picture.texture) ? "etalonTextureMipmapped" : "etalonTexture"
      return "vec4 \(picture.read)(vec2 uv) { return \(function)(\(picture.texture), uv); }\n"
    }.joined()
  }

  private func main(_ program: PixelProgram) -> String {
    """
    \(prototype)
    void main() {
      vec4 color = transition((vec2(etalonPixel) + 0.5) / etalonTargetSize);
    \(program.discarding)  etalonStore(color);
    }

    """
  }
}

/// What people who come from other players call the names of gl-transitions.
private enum TransitionHints {
  static let hints = NameHints(
    offered: ["progress", "ratio", "getFromColor", "getToColor"],
    here: [
      "u_progress": "progress", "uProgress": "progress", "time": "progress", "iTime": "progress", "u_time": "progress", "aspect": "ratio",
      "iChannel0": "getFromColor", "iChannel1": "getToColor", "startImage": "getFromColor", "endImage": "getToColor",
      "from": "getFromColor",
      "to": "getToColor",
    ])
}
