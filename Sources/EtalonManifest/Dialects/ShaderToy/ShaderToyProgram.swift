internal import EtalonTypes

/// Writes what stands in front of a ShaderToy text: declarations, helper functions and `main`.
///
/// `main` comes first, as in the player, so that no macro of the author reaches it; initialisers of global variables run before it.
struct ShaderToyProgram {
  let uniforms: [Uniform]
  /// The GLSL names and bindings of the textures.
  let textures: [(name: String, binding: Int)]
  let entry: ShaderToyEntry
  /// Functions that forward to built-in ones which the text defines partly itself.
  let forwarders: [Token]
  /// Every identifier of the rewritten text.
  let mentioned: Set<String>

  /// Whether the text, or what it calls, exchanges values within quads.
  var usesQuads: Bool {
    !mentioned.isDisjoint(with: Derivatives.names.values) || TextureFunctions.needsQuads(mentioned)
  }

  /// The tokens in front of the author's.
  var tokens: [Token] {
    Lexer.tokens(ofAddedText: declarations + helpers) + forwarders + Lexer.tokens(ofAddedText: main)
  }

  private var declarations: String {
    var text = "#version 450\n"
    if usesQuads { text += PixelMapping.quadExtensions }
    text += "layout(local_size_x = 256) in;\n" + PixelMapping.region
    if !uniforms.isEmpty {
      let members = uniforms.map { "  \($0.type.rawValue) \($0.name)\($0.arrayLength.map { "[\($0)]" } ?? "");\n" }.joined()
      text += "layout(set = 0, binding = 0, std140) uniform EtalonUniforms {\n\(members)};\n"
    }
    for (name, binding) in textures { text += "layout(set = 0, binding = \(binding)) uniform sampler2D \(name);\n" }
    return text + PixelStore.declaration
  }

  private var helpers: String {
    var text = usesQuads ? PixelMapping.quads : PixelMapping.rows
    for (name, declaration) in FragmentNames.declarations.sorted(by: { $0.key < $1.key }) where mentioned.contains(name) {
      text += declaration + "\n"
    }
    for (name, value) in PredefinedMacros.values.sorted(by: { $0.key < $1.key }) where mentioned.contains(name) {
      text += "#define \(name) \(value)\n"
    }
    if mentioned.contains(EmptyMacroArguments.nothing) { text += "#define \(EmptyMacroArguments.nothing)\n" }
    if mentioned.contains("HW_PERFORMANCE") { text += "#define HW_PERFORMANCE 1\n" }
    if usesAssertions { text += ShaderToyAssertions.functions }
    if usesQuads { text += QuadDerivatives.functions }
    return text + TextureFunctions.text(for: mentioned) + PixelStore.function
  }

  private var usesAssertions: Bool { mentioned.contains("st_assert") }

  private var main: String {
    let discarded = mentioned.contains(FragmentNames.discardFlag) ? "  if (\(FragmentNames.discardFlag)) color = vec4(0.0);\n" : ""
    return """
      \(entry.prototype)
      void main() {
        vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
        mainImage(color, vec2(etalonPixel) + 0.5);
      \(usesAssertions ? ShaderToyAssertions.result : "")\(discarded)  etalonStore(color);
      }

      """
  }
}

/// `st_assert(condition, number)` of the player paints pixels where a condition does not hold: red, green, blue and yellow for 0, 1, 2 and others.
enum ShaderToyAssertions {
  static let functions = """
    bvec4 etalonFailed = bvec4(false);
    void st_assert(bool condition, int number) {
      if (!condition) etalonFailed[number >= 0 && number < 3 ? number : 3] = true;
    }
    void st_assert(bool condition) { st_assert(condition, 0); }

    """

  static let result = """
      if (etalonFailed.x) color = vec4(1.0, 0.0, 0.0, 1.0);
      if (etalonFailed.y) color = vec4(0.0, 1.0, 0.0, 1.0);
      if (etalonFailed.z) color = vec4(0.0, 0.0, 1.0, 1.0);
      if (etalonFailed.w) color = vec4(1.0, 1.0, 0.0, 1.0);

    """
}
