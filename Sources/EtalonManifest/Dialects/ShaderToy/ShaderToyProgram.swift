internal import EtalonTypes

/// Writes what stands in front of a ShaderToy text: declarations, helper functions and `main`.
///
/// `main` comes first, as in the player, so that no macro of the author reaches it; initialisers of global variables run before it.
struct ShaderToyProgram {
  private let program: PixelProgram
  let entry: ShaderToyEntry
  /// Functions that forward to built-in ones which the text defines partly itself.
  let forwarders: [Token]
  private let usesAssertions: Bool
  /// What a discarded pixel becomes.
  private let discarding: String

  /// The texture with what a pass's target held before.
  static let ownName = "etalonKept"
  static let ownBinding = 9

  /// - Parameter mentioned: every identifier of the rewritten text.
  init(
    uniforms: [Uniform], textures: [(name: String, binding: Int, shape: TextureShape)], entry: ShaderToyEntry, forwarders: [Token],
    mentioned: Set<String>
  ) {
    usesAssertions = mentioned.contains("st_assert")
    let performance = mentioned.contains("HW_PERFORMANCE") ? "#define HW_PERFORMANCE 1\n" : ""
    let ray = entry.form == .cubemap ? CubeFaces.ray : ""
    program = PixelProgram(
      uniforms: uniforms, textures: textures.map { ($0.name, $0.binding) },
      shapes: Dictionary(textures.map { ($0.name, $0.shape) }) { first, _ in first }, mentioned: mentioned,
      dialect: performance + (usesAssertions ? ShaderToyAssertions.functions : "") + ray)
    let keeps = textures.contains { $0.name == Self.ownName }
    let kept = entry.form == .image ? "texelFetch(\(Self.ownName), etalonPixel, 0)" : "textureLod(\(Self.ownName), etalonRay(), 0.0)"
    discarding = keeps ? "  if (\(FragmentNames.discardFlag)) color = \(kept);\n" : program.discarding
    self.entry = entry
    self.forwarders = forwarders
  }

  var usesQuads: Bool { program.usesQuads }

  /// The tokens in front of the author's.
  var tokens: [Token] {
    Lexer.tokens(ofAddedText: program.declarations + program.helpers) + forwarders + Lexer.tokens(ofAddedText: main)
  }

  private var main: String {
    """
    \(entry.prototype)
    void main() {
      vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
      \(entry.form.call)
    \(usesAssertions ? ShaderToyAssertions.result : "")\(discarding)  etalonStore(color);
    }

    """
  }
}

extension TextureShape {
  /// The GLSL type of a texture of the shape.
  var samplerType: String {
    switch self {
    case .flat: "sampler2D"
    case .cube: "samplerCube"
    case .volume: "sampler3D"
    }
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
