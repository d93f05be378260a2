internal import EtalonGLSL
package import EtalonTypes

/// Writes what stands in front of the author's text in a kernel with one invocation for each pixel: declarations and helper functions.
package struct PixelProgram {
  package let uniforms: [Uniform]
  /// The GLSL names and bindings of the textures.
  package let textures: [(name: String, binding: Int)]
  /// The shapes of the textures that are not flat, by their GLSL names.
  package var shapes: [String: TextureShape] = [:]
  /// Every identifier of the rewritten text.
  package let mentioned: Set<String>
  /// Functions and macros that only one dialect has.
  package var dialect = ""
  /// Whether others than the text and what it calls exchange values within quads.
  var needsQuads = false

  package init(
    uniforms: [Uniform], textures: [(name: String, binding: Int)], shapes: [String: TextureShape] = [:], mentioned: Set<String>,
    dialect: String = "", needsQuads: Bool = false
  ) {
    self.uniforms = uniforms
    self.textures = textures
    self.shapes = shapes
    self.mentioned = mentioned
    self.dialect = dialect
    self.needsQuads = needsQuads
  }

  /// Whether values are exchanged within quads.
  package var usesQuads: Bool { needsQuads || exchangesValues }

  /// Whether the text, or what it calls, exchanges values within quads.
  private var exchangesValues: Bool {
    !mentioned.isDisjoint(with: Derivatives.names.values) || TextureFunctions.needsQuads(mentioned)
  }

  /// The version, the workgroup and everything that is bound.
  package var declarations: String { setting + bound + PixelStore.declaration }

  /// The version and the workgroup.
  package var setting: String {
    "#version 450\n" + (usesQuads ? PixelMapping.quadExtensions : "") + "layout(local_size_x = 256) in;\n" + PixelMapping.region
  }

  /// Uniforms and textures.
  package var bound: String { BoundDeclarations.uniforms(uniforms) + BoundDeclarations.textures(textures, shapes) }

  /// What the text may call or mention, and `etalonPixel`, the pixel of the invocation.
  package var helpers: String {
    var text = usesQuads ? PixelMapping.quads : PixelMapping.rows
    for (name, declaration) in FragmentNames.declarations.sorted(by: { $0.key < $1.key }) where mentioned.contains(name) {
      text += declaration + "\n"
    }
    for (name, value) in PredefinedMacros.values.sorted(by: { $0.key < $1.key }) where mentioned.contains(name) {
      text += "#define \(name) \(value)\n"
    }
    if mentioned.contains(OutParameters.macro) { text += OutParameters.definition }
    if mentioned.contains(EmptyMacroArguments.nothing) { text += "#define \(EmptyMacroArguments.nothing)\n" }
    let quads = exchangesValues ? QuadDerivatives.functions : ""
    return text + dialect + quads + TextureFunctions.text(for: mentioned, shapes: readShapes) + PixelStore.function
  }

  /// The shapes of textures that the text may read, also in functions that are never called.
  private var readShapes: Set<TextureShape> {
    Set([TextureShape.cube, .volume].filter { mentioned.contains($0.samplerType) } + shapes.values)
  }

  /// Makes a pixel transparent black where the text discarded it; goes between the call of the author's function and the store.
  package var discarding: String {
    mentioned.contains(FragmentNames.discardFlag) ? "  if (\(FragmentNames.discardFlag)) color = vec4(0.0);\n" : ""
  }
}

extension PassSource {
  /// The pass `image` that shows a target as the result of the filter, for results that are kept from frame to frame.
  package static func showing(_ target: String) -> PassSource {
    let program = PixelProgram(uniforms: [], textures: [(target, 16)], mentioned: [])
    let text = program.declarations + program.helpers + "void main() { etalonStore(texelFetch(\(target), etalonPixel, 0)); }\n"
    return PassSource(
      name: "image", source: GeneratedSource(Lexer.tokens(ofAddedText: text)), uniforms: [],
      textures: [PassTexture(name: target, source: .target(target), sampler: Sampler(.nearest, .clamp))])
  }
}

/// Writes the declarations of what a kernel expects to be bound.
package enum BoundDeclarations {
  /// The uniform block; nothing without uniforms.
  package static func uniforms(_ uniforms: [Uniform]) -> String {
    guard !uniforms.isEmpty else { return "" }
    let members = uniforms.map { "  \($0.type.rawValue) \($0.name)\($0.arrayLength.map { "[\($0)]" } ?? "");\n" }.joined()
    return "layout(set = 0, binding = 0, std140) uniform EtalonUniforms {\n\(members)};\n"
  }

  /// The textures; those that `shapes` does not know are flat.
  package static func textures(_ textures: [(name: String, binding: Int)], _ shapes: [String: TextureShape] = [:]) -> String {
    textures.map { name, binding in
      "layout(set = 0, binding = \(binding)) uniform \((shapes[name] ?? .flat).samplerType) \(name);\n"
    }.joined()
  }

  /// The storage images of a compute kernel.
  package static func stores(_ stores: [(name: String, binding: Int)]) -> String {
    stores.map { "layout(set = 0, binding = \($0.binding)) uniform writeonly image2D \($0.name);\n" }.joined()
  }

  /// The size of the workgroups of a compute kernel.
  package static func workgroup(_ sizes: [Int]) -> String {
    "layout(" + zip(["x", "y", "z"], sizes).map { "local_size_\($0) = \($1)" }.joined(separator: ", ") + ") in;\n"
  }
}

// MARK: - from invocation to pixel

/// GLSL that finds the pixel of an invocation in the 16×16 tile of its workgroup.
///
/// In a stage of a fused kernel a variable gives the pixel.
enum PixelMapping {
  /// The end of a dispatch, exclusive, and the first pixel of the target, which is not 0 when the target is a region of its picture.
  static let end = "etalonEnd"
  static let start = "etalonStart"

  static let region = """
    #if ETALON_STORE != 4
    layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; };
    #endif

    """

  /// Rows of sixteen pixels, for kernels whose pixels exchange no values.
  static let rows = """
    #if ETALON_STORE == 4
    ivec2 \(StageVariables.pixel);
    #else
    ivec2 etalonFindPixel() {
      int place = int(gl_LocalInvocationIndex);
      return etalonOrigin + 16 * ivec2(gl_WorkGroupID.xy) + ivec2(place & 15, place >> 4);
    }
    ivec2 etalonPixel = etalonFindPixel();
    #endif

    """

  /// Four consecutive invocations of a subgroup are a quad of 2×2 pixels; eight quads are a double row of the tile.
  ///
  /// Vulkan promises no order of `gl_LocalInvocationIndex` within subgroups, so the place is computed from the subgroup and the invocation within it.
  static let quads = """
    #if ETALON_STORE == 4
    ivec2 \(StageVariables.pixel);
    #else
    ivec2 etalonFindPixel() {
      int place = int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
      int quad = place >> 2;
      return etalonOrigin + 16 * ivec2(gl_WorkGroupID.xy)
        + ivec2((quad & 7) * 2 + (place & 1), (quad >> 3) * 2 + ((place >> 1) & 1));
    }
    ivec2 etalonPixel = etalonFindPixel();
    #endif

    """

  static let quadExtensions = """
    #extension GL_KHR_shader_subgroup_basic : require
    #extension GL_KHR_shader_subgroup_ballot : require
    #extension GL_KHR_shader_subgroup_quad : require

    """
}

/// GLSL for passes that fill the faces of a cube, one face after the other.
package enum CubeFaces {
  package static let count = 6
  /// Pixels along the side of a cube that a ShaderToy fills.
  package static let side = 1024

  package static let uniform = Uniform(name: "etalonFace", type: .int, meaning: .cubeFace)

  /// The direction from the middle of the cube to the pixel, such that a read in this direction finds it again.
  package static let ray = """
    vec3 etalonRay() {
      vec2 p = (vec2(etalonPixel) + 0.5) / \(side / 2).0 - 1.0;
      vec3 ray = vec3(-p.x, -p.y, -1.0);
      if (etalonFace == 0) ray = vec3(1.0, -p.y, -p.x);
      if (etalonFace == 1) ray = vec3(-1.0, -p.y, p.x);
      if (etalonFace == 2) ray = vec3(p.x, 1.0, p.y);
      if (etalonFace == 3) ray = vec3(p.x, -1.0, -p.y);
      if (etalonFace == 4) ray = vec3(p.x, -p.y, 1.0);
      return normalize(ray);
    }

    """
}

// MARK: - stores

/// GLSL that stores the colour of a pixel as the macros of `StoreVariant` say.
package enum PixelStore {
  package static let binding = 8

  package static let declaration = """
    #if ETALON_STORE == 0
    layout(set = 0, binding = \(binding)) uniform writeonly image2D etalonTarget;
    #elif ETALON_STORE == 1
    layout(set = 0, binding = \(binding), std430) writeonly buffer EtalonOutput { uint etalonOutput[]; };
    #elif ETALON_STORE == 2
    layout(set = 0, binding = \(binding), std430) writeonly buffer EtalonOutput { uvec2 etalonOutput[]; };
    #elif ETALON_STORE == 3
    layout(set = 0, binding = \(binding), std430) writeonly buffer EtalonOutput { vec4 etalonOutput[]; };
    #else
    vec4 \(StageVariables.result);
    #endif

    """

  /// Not-a-number becomes 0, and halves are rounded to even.
  ///
  /// A not-a-number is recognized by its bits, because comparisons may be optimized away. Where a channel of an output is not a
  /// number, the element behind the last pixel says so. Each channel is tested by itself: a compiler may give a channel without a defined value any
  /// bits, and a test of several channels at once would then be wrong for all of them.
  package static let function = """
    uvec4 etalonQuantized(vec4 color, float largest) {
      uvec4 magnitude = floatBitsToUint(color) & 0x7FFFFFFFu;
      vec4 number = mix(color, vec4(0.0), greaterThan(magnitude, uvec4(0x7F800000u)));
      return uvec4(roundEven(clamp(number, 0.0, 1.0) * largest));
    }
    bool etalonHoldsNaN(vec4 color) {
      return any(greaterThan(floatBitsToUint(color) & 0x7FFFFFFFu, uvec4(0x7F800000u)));
    }
    void etalonStore(vec4 color) {
    #if ETALON_ALPHA == 1
      color.a = 1.0;
    #elif ETALON_ALPHA == 2
      color.rgb *= color.a;
    #elif ETALON_ALPHA == 3
      color.rgb = color.a == 0.0 ? vec3(0.0) : color.rgb / color.a;
    #endif
    #if ETALON_STORE == 4
      \(StageVariables.result) = color;
    #else
      if (etalonPixel.x >= etalonEnd.x || etalonPixel.y >= etalonEnd.y) return;
    #if ETALON_STORE == 0
      imageStore(etalonTarget, etalonPixel, color);
    #else
      int row = etalonEnd.y - 1 - etalonPixel.y;
      int index = row * (etalonEnd.x - etalonOrigin.x) + (etalonPixel.x - etalonOrigin.x);
      int count = (etalonEnd.y - etalonOrigin.y) * (etalonEnd.x - etalonOrigin.x);
    #if ETALON_STORE == 1
      uvec4 bytes = etalonQuantized(color, 255.0);
      etalonOutput[index] = bytes.r | bytes.g << 8 | bytes.b << 16 | bytes.a << 24;
      if (etalonHoldsNaN(color)) etalonOutput[count] = 1u;
    #elif ETALON_STORE == 2
      uvec4 words = etalonQuantized(color, 65535.0);
      etalonOutput[index] = uvec2(words.r | words.g << 16, words.b | words.a << 16);
      if (etalonHoldsNaN(color)) etalonOutput[count] = uvec2(1u);
    #else
      etalonOutput[index] = color;
      if (etalonHoldsNaN(color)) etalonOutput[count] = vec4(1.0);
    #endif
    #endif
    #endif
    }

    """
}
