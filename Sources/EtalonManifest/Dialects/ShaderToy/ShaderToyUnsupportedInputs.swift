internal import EtalonDiagnostics

/// Refuses inputs that are no pictures, where the text shows that it expects one.
struct ShaderToyUnsupportedInputs {
  private let tokens: [Token]
  private let functions: [FileScope.Function]

  init(_ tokens: [Token]) {
    self.tokens = tokens
    functions = FileScope(tokens).functions
  }

  /// - Parameters:
  ///   - isConnected: whether a project says what the channels are, so that the text need not be asked.
  ///   - connected: the channels of which it is known what they read, whatever directives say.
  func diagnostics(isConnected: Bool, connected: Set<String>) -> [Diagnostic] {
    isConnected ? directives(connected) : directives(connected) + oldFunctions() + solidReads() + solidArguments()
  }

  private func refusal(_ kind: String, _ places: [Int], _ label: String) -> Diagnostic {
    Diagnostic(
      "shadertoy.unsupported-input", "\(kind) cannot be an input yet", labels: tokens.labels(at: places, label),
      notes: ["a loose file reads pictures and other passes; a project folder may connect cube maps and keyboards, too"])
  }

  /// `#iKeyboard`, `#iChannel0 "self"` of the editor extension that previews ShaderToy files.
  private func directives(_ connected: Set<String>) -> [Diagnostic] {
    Directive.all(in: tokens).compactMap { directive in
      switch directive.name {
      case "iKeyboard": return refusal("a keyboard", Array(directive.range.prefix(2)), "asks for a keyboard")
      case "iVertex": return refusal("geometry", Array(directive.range.prefix(2)), "asks for a vertex shader")
      case "iChannel0", "iChannel1", "iChannel2", "iChannel3":
        guard !connected.contains(directive.name), let value = directive.operands.last, tokens[value].kind == .string,
          let kind = Self.kind(ofInput: tokens[value].text)
        else {
          return nil
        }
        return refusal(kind, [value], "this input")
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
    if [".mp3", ".ogg", ".flac"].contains(where: text.hasSuffix) { return "sound that is not a WAV file" }
    if text.contains("{}") || text.contains("*") { return "a cube map" }
    return nil
  }

  private func oldFunctions() -> [Diagnostic] {
    let kinds = ["textureCube": "a cube map", "textureCubeLod": "a cube map", "textureCubeLodEXT": "a cube map", "texture3D": "a volume"]
    let own = Set(functions.map(\.name)).union(
      Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    return tokens.indices.filter {
      kinds[tokens[$0].text] != nil && !own.contains(tokens[$0].text) && tokens.isCalled(at: $0)
    }
    .map { refusal(kinds[tokens[$0].text] ?? "", [$0], "reads one") }
  }

  /// `texture(iChannel0, rd)` with a `vec3 rd` is a read from a cube map or a volume.
  private func solidReads() -> [Diagnostic] {
    let reads: Set<String> = ["texture", "textureLod", "textureGrad", "texture2D", "texture2DLodEXT"]
    let expressions = SolidExpressions(tokens)
    var reported = declaredSolid
    return tokens.indices.compactMap { index in
      guard reads.contains(tokens[index].text), let open = tokens.next(after: index), tokens[open].isMark("("),
        let arguments = tokens.arguments(openedAt: open), arguments.count >= 2, arguments[0].count == 1, expressions.contains(arguments[1])
      else { return nil }
      let channel = tokens[arguments[0][0]].text
      guard ShaderToyUniforms.channels.contains(channel), reported.insert(channel).inserted else { return nil }
      return refusal("a cube map or a volume", arguments[0], "read with three coordinates")
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
        let channel = arguments.first(where: { $0.count == 1 && ShaderToyUniforms.channels.contains(tokens[$0[0]].text) })
      else { return nil }
      return refusal("a cube map or a volume", channel, "used as one")
    }
  }
}
