internal import EtalonTypes

/// GLSL functions that read textures at an explicit level, under the names that `TextureCalls` gives to calls.
enum TextureFunctions {
  /// The functions and macros that some names stand for, with overloads for textures of further shapes.
  static func text(for names: Set<String>, shapes: Set<TextureShape> = []) -> String {
    (all + [TextureShape.cube, .volume].filter(shapes.contains).flatMap(solid)).filter { names.contains($0.name) }.map(\.text).joined()
  }

  /// Whether a text that mentions the names needs derivatives.
  static func needsQuads(_ names: Set<String>) -> Bool {
    names.contains { $0.hasPrefix("etalonTexture") && $0.contains(TextureCalls.mipmapEnding) }
  }

  /// The overloads for a texture that is read with three coordinates.
  private static func solid(_ shape: TextureShape) -> [(name: String, text: String)] {
    let type = shape.samplerType
    return [
      (
        "etalonTexture",
        """
        vec4 etalonTexture(\(type) s, vec3 p) { return textureLod(s, p, 0.0); }
        vec4 etalonTexture(\(type) s, vec3 p, float bias) { return textureLod(s, p, 0.0); }

        """
      ),
      (
        "etalonTextureMipmapped",
        """
        vec4 etalonTextureMipmapped(\(type) s, vec3 p) { return textureGrad(s, p, etalonDx(p), etalonDy(p)); }
        vec4 etalonTextureMipmapped(\(type) s, vec3 p, float bias) {
          return textureGrad(s, p, etalonDx(p) * exp2(bias), etalonDy(p) * exp2(bias));
        }

        """
      ),
    ]
  }

  private static let all: [(name: String, text: String)] = [
    (
      "etalonTexture",
      """
      vec4 etalonTexture(sampler2D s, vec2 p) { return textureLod(s, p, 0.0); }
      vec4 etalonTexture(sampler2D s, vec2 p, float bias) { return textureLod(s, p, 0.0); }

      """
    ),
    (
      "etalonTextureMipmapped",
      """
      vec4 etalonTextureMipmapped(sampler2D s, vec2 p) { return textureGrad(s, p, etalonDx(p), etalonDy(p)); }
      vec4 etalonTextureMipmapped(sampler2D s, vec2 p, float bias) {
        return textureGrad(s, p, etalonDx(p) * exp2(bias), etalonDy(p) * exp2(bias));
      }

      """
    ),
    (
      "etalonTextureProj",
      """
      vec4 etalonTextureProj(sampler2D s, vec3 p) { return textureLod(s, p.xy / p.z, 0.0); }
      vec4 etalonTextureProj(sampler2D s, vec4 p) { return textureLod(s, p.xy / p.w, 0.0); }
      vec4 etalonTextureProj(sampler2D s, vec3 p, float bias) { return textureLod(s, p.xy / p.z, 0.0); }
      vec4 etalonTextureProj(sampler2D s, vec4 p, float bias) { return textureLod(s, p.xy / p.w, 0.0); }

      """
    ),
    (
      "etalonTextureProjMipmapped",
      """
      vec4 etalonTextureProjMipmapped(sampler2D s, vec3 p, float bias) {
        vec2 q = p.xy / p.z;
        return textureGrad(s, q, etalonDx(q) * exp2(bias), etalonDy(q) * exp2(bias));
      }
      vec4 etalonTextureProjMipmapped(sampler2D s, vec4 p, float bias) { return etalonTextureProjMipmapped(s, p.xyw, bias); }
      vec4 etalonTextureProjMipmapped(sampler2D s, vec3 p) { return etalonTextureProjMipmapped(s, p, 0.0); }
      vec4 etalonTextureProjMipmapped(sampler2D s, vec4 p) { return etalonTextureProjMipmapped(s, p.xyw, 0.0); }

      """
    ),
    (
      "etalonTextureQueryLod",
      """
      vec2 etalonTextureQueryLod(sampler2D s, vec2 p) { return vec2(0.0); }

      """
    ),
    (
      "etalonTextureQueryLodMipmapped",
      """
      vec2 etalonTextureQueryLodMipmapped(sampler2D s, vec2 p) {
        vec2 size = vec2(textureSize(s, 0));
        float level = log2(max(length(etalonDx(p) * size), length(etalonDy(p) * size)));
        return vec2(clamp(level, 0.0, float(textureQueryLevels(s) - 1)), level);
      }

      """
    ),
    // Offsets have to be constants, which only macros hand on.
    ("etalonTextureOffset3", "#define etalonTextureOffset3(s, p, o) textureLodOffset(s, p, 0.0, o)\n"),
    ("etalonTextureOffset4", "#define etalonTextureOffset4(s, p, o, b) textureLodOffset(s, p, 0.0, o)\n"),
    ("etalonTextureProjOffset3", "#define etalonTextureProjOffset3(s, p, o) textureProjLodOffset(s, p, 0.0, o)\n"),
    ("etalonTextureProjOffset4", "#define etalonTextureProjOffset4(s, p, o, b) textureProjLodOffset(s, p, 0.0, o)\n"),
    (
      "etalonTextureOffsetMipmapped3",
      "#define etalonTextureOffsetMipmapped3(s, p, o) textureGradOffset(s, p, etalonDx(p), etalonDy(p), o)\n"
    ),
    (
      "etalonTextureOffsetMipmapped4",
      "#define etalonTextureOffsetMipmapped4(s, p, o, b) textureGradOffset(s, p, etalonDx(p) * exp2(b), etalonDy(p) * exp2(b), o)\n"
    ),
    (
      "etalonTextureProjOffsetMipmapped3",
      "#define etalonTextureProjOffsetMipmapped3(s, p, o) textureProjLodOffset(s, p, 0.0, o)\n"
    ),
    (
      "etalonTextureProjOffsetMipmapped4",
      "#define etalonTextureProjOffsetMipmapped4(s, p, o, b) textureProjLodOffset(s, p, b, o)\n"
    ),
  ]
}
