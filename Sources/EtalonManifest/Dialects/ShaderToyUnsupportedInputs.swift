internal import EtalonDiagnostics

/// Refuses inputs that are no pictures, where the text shows that it expects one.
struct ShaderToyUnsupportedInputs {
  private let tokens: [Token]
  /// The names declared as `vec3` and nothing else.
  private let solidPositions: Set<String>

  init(_ tokens: [Token]) {
    self.tokens = tokens
    solidPositions = Self.solidPositions(tokens)
  }

  func diagnostics() -> [Diagnostic] { directives() + oldFunctions() + solidReads() }

  private func refusal(_ kind: String, _ places: [Int], _ label: String) -> Diagnostic {
    Diagnostic(
      "shadertoy.unsupported-input", "\(kind) cannot be an input yet", labels: tokens.labels(at: places, label),
      notes: ["inputs can be pictures so far"])
  }

  /// `#iKeyboard`, `#iChannel0 "self"` of the editor extension that previews ShaderToy files.
  private func directives() -> [Diagnostic] {
    Directive.all(in: tokens).compactMap { directive in
      switch directive.name {
      case "iKeyboard": return refusal("a keyboard", Array(directive.range.prefix(2)), "asks for a keyboard")
      case "iVertex": return refusal("geometry", Array(directive.range.prefix(2)), "asks for a vertex shader")
      case "iChannel0", "iChannel1", "iChannel2", "iChannel3":
        guard let value = directive.operands.last, tokens[value].kind == .string, let kind = kind(ofInput: tokens[value].text) else {
          return nil
        }
        return refusal(kind, [value], "this input")
      default: return nil
      }
    }
  }

  private func kind(ofInput text: String) -> String? {
    let text = text.lowercased().filter { $0 != "\"" }
    if text == "self" { return "the filter's own last frame" }
    if text.contains(".glsl") || text.contains(".frag") { return "the result of another pass" }
    if [".mp3", ".wav", ".ogg", ".flac"].contains(where: text.hasSuffix) { return "sound" }
    if text.contains("{}") || text.contains("*") { return "a cube map" }
    return nil
  }

  private func oldFunctions() -> [Diagnostic] {
    let kinds = ["textureCube": "a cube map", "textureCubeLod": "a cube map", "textureCubeLodEXT": "a cube map", "texture3D": "a volume"]
    let own = Set(FileScope(tokens).functions.map(\.name)).union(
      Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    return tokens.indices.filter { kinds[tokens[$0].text] != nil && !own.contains(tokens[$0].text) && tokens.isCalled(at: $0) }
      .map { refusal(kinds[tokens[$0].text] ?? "", [$0], "reads one") }
  }

  /// `texture(iChannel0, rd)` with a `vec3 rd` is a read from a cube map or a volume.
  private func solidReads() -> [Diagnostic] {
    let functions: Set<String> = ["texture", "textureLod", "textureGrad", "texture2D", "texture2DLodEXT"]
    var reported: Set<String> = []
    return tokens.indices.compactMap { index in
      guard functions.contains(tokens[index].text), let open = tokens.next(after: index), tokens[open].isMark("("),
        let arguments = tokens.arguments(openedAt: open), arguments.count >= 2, arguments[0].count == 1, isSolid(arguments[1])
      else { return nil }
      let channel = tokens[arguments[0][0]].text
      guard ShaderToyUniforms.channels.contains(channel), reported.insert(channel).inserted else { return nil }
      return refusal("a cube map or a volume", arguments[0], "read with three coordinates")
    }
  }

  private func isSolid(_ argument: [Int]) -> Bool {
    guard let first = argument.first, let last = argument.last else { return false }
    if argument.count == 1 { return solidPositions.contains(tokens[first].text) }
    let isConstructed = tokens[first].isName("vec3") && tokens.closing(of: argument[1]) == last
    let isSwizzled = argument.count == 3 && tokens[argument[1]].isMark(".") && isSwizzleOfThree(tokens[last].text)
    return isConstructed || isSwizzled
  }

  private func isSwizzleOfThree(_ text: String) -> Bool {
    text.count == 3 && ["xyzw", "rgba", "stpq"].contains { set in text.allSatisfy(set.contains) }
  }

  private static func solidPositions(_ tokens: [Token]) -> Set<String> {
    let types: Set<String> = ["float", "int", "uint", "bool", "vec2", "vec3", "vec4", "ivec2", "ivec3", "mat2", "mat3", "mat4"]
    var solid: Set<String> = []
    var others: Set<String> = []
    for index in tokens.indices where tokens[index].kind == .identifier && types.contains(tokens[index].text) {
      guard let name = tokens.next(after: index), tokens[name].kind == .identifier else { continue }
      if tokens[index].text == "vec3" { solid.insert(tokens[name].text) } else { others.insert(tokens[name].text) }
    }
    for index in tokens.indices where tokens[index].kind == .identifier && isInList(index, tokens) { others.insert(tokens[index].text) }
    let macros = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }
    return solid.subtracting(others).subtracting(macros.flatMap { [$0.name] + ($0.parameters ?? []) })
  }

  /// Whether it may be a later name of `vec2 a, b = a, c;`, whose type stands further in front.
  private static func isInList(_ index: Int, _ tokens: [Token]) -> Bool {
    guard let before = tokens.previous(before: index), tokens[before].isMark(","), let after = tokens.next(after: index) else {
      return false
    }
    return [",", ";", "=", "["].contains { tokens[after].isMark($0) }
  }
}
