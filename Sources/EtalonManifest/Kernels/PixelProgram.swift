internal import EtalonTypes

/// Writes what stands in front of the author's text in a kernel with one invocation for each pixel: declarations and helper functions.
struct PixelProgram {
  let uniforms: [Uniform]
  /// The GLSL names and bindings of the textures.
  let textures: [(name: String, binding: Int)]
  /// The shapes of the textures that are not flat, by their GLSL names.
  var shapes: [String: TextureShape] = [:]
  /// Every identifier of the rewritten text.
  let mentioned: Set<String>
  /// Functions and macros that only one dialect has.
  var dialect = ""
  /// Whether others than the text and what it calls exchange values within quads.
  var needsQuads = false

  /// Whether values are exchanged within quads.
  var usesQuads: Bool { needsQuads || exchangesValues }

  /// Whether the text, or what it calls, exchanges values within quads.
  private var exchangesValues: Bool {
    !mentioned.isDisjoint(with: Derivatives.names.values) || TextureFunctions.needsQuads(mentioned)
  }

  /// The version, the workgroup and everything that is bound.
  var declarations: String { setting + bound + PixelStore.declaration }

  /// The version and the workgroup.
  var setting: String {
    "#version 450\n" + (usesQuads ? PixelMapping.quadExtensions : "") + "layout(local_size_x = 256) in;\n" + PixelMapping.region
  }

  /// Uniforms and textures.
  var bound: String { BoundDeclarations.uniforms(uniforms) + BoundDeclarations.textures(textures, shapes) }

  /// What the text may call or mention, and `etalonPixel`, the pixel of the invocation.
  var helpers: String {
    var text = usesQuads ? PixelMapping.quads : PixelMapping.rows
    for (name, declaration) in FragmentNames.declarations.sorted(by: { $0.key < $1.key }) where mentioned.contains(name) {
      text += declaration + "\n"
    }
    for (name, value) in PredefinedMacros.values.sorted(by: { $0.key < $1.key }) where mentioned.contains(name) {
      text += "#define \(name) \(value)\n"
    }
    if mentioned.contains(EmptyMacroArguments.nothing) { text += "#define \(EmptyMacroArguments.nothing)\n" }
    let quads = exchangesValues ? QuadDerivatives.functions : ""
    return text + dialect + quads + TextureFunctions.text(for: mentioned, shapes: readShapes) + PixelStore.function
  }

  /// The shapes of textures that the text may read, in functions that nobody calls too.
  private var readShapes: Set<TextureShape> {
    Set([TextureShape.cube, .volume].filter { mentioned.contains($0.samplerType) } + shapes.values)
  }

  /// Makes a pixel transparent black where the text discarded it; goes between the call of the author's function and the store.
  var discarding: String {
    mentioned.contains(FragmentNames.discardFlag) ? "  if (\(FragmentNames.discardFlag)) color = vec4(0.0);\n" : ""
  }
}

/// Writes the declarations of what a kernel expects to be bound.
enum BoundDeclarations {
  /// The uniform block; nothing without uniforms.
  static func uniforms(_ uniforms: [Uniform]) -> String {
    guard !uniforms.isEmpty else { return "" }
    let members = uniforms.map { "  \($0.type.rawValue) \($0.name)\($0.arrayLength.map { "[\($0)]" } ?? "");\n" }.joined()
    return "layout(set = 0, binding = 0, std140) uniform EtalonUniforms {\n\(members)};\n"
  }

  /// The textures; those that `shapes` does not know are flat.
  static func textures(_ textures: [(name: String, binding: Int)], _ shapes: [String: TextureShape] = [:]) -> String {
    textures.map { name, binding in
      "layout(set = 0, binding = \(binding)) uniform \((shapes[name] ?? .flat).samplerType) \(name);\n"
    }.joined()
  }
}
