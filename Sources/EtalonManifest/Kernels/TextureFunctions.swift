package import EtalonGLSL
package import EtalonTypes

/// GLSL functions that read textures at an explicit level, under the names that `TextureCalls` gives to calls.
package enum TextureFunctions {
  /// The functions and macros that some names stand for, with overloads for textures of further shapes.
  package static func text(for names: Set<String>, shapes: Set<TextureShape> = []) -> String {
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
    // These are macros: an offset has to be a constant, and a parameter of a function is none.
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
      """
      vec2 etalonProjected3(vec3 p) { return p.xy / p.z; }
      vec2 etalonProjected3(vec4 p) { return p.xy / p.w; }
      #define etalonTextureProjOffsetMipmapped3(s, p, o) textureGradOffset(\
        s, etalonProjected3(p), etalonDx(etalonProjected3(p)), etalonDy(etalonProjected3(p)), o)

      """
    ),
    (
      "etalonTextureProjOffsetMipmapped4",
      """
      vec2 etalonProjected4(vec3 p) { return p.xy / p.z; }
      vec2 etalonProjected4(vec4 p) { return p.xy / p.w; }
      #define etalonTextureProjOffsetMipmapped4(s, p, o, b) textureGradOffset(\
        s, etalonProjected4(p), etalonDx(etalonProjected4(p)) * exp2(b), etalonDy(etalonProjected4(p)) * exp2(b), o)

      """
    ),
  ]
}

/// Makes every texture read explicit about its level, because a compute shader silently reads the largest one.
///
/// Reads of mipmapped textures get their level from quad derivatives, all others read level 0. Names of older dialects become the current ones. A texture
/// that a call names directly decides for that call; in a helper function that takes a sampler the derivatives serve both kinds.
package struct TextureCalls: Rewrite {
  package let name = "texture calls"

  /// The names of the samplers that are mipmapped, and of those that are not.
  package let mipmapped: Set<String>
  package let plain: Set<String>

  package init(mipmapped: Set<String>, plain: Set<String>) {
    self.mipmapped = mipmapped
    self.plain = plain
  }

  /// Functions with an explicit level or gradient keep their meaning under their current name.
  private static let explicit = [
    "texture2DLod": "textureLod", "texture2DLodEXT": "textureLod", "texture2DProjLod": "textureProjLod",
    "texture2DProjLodEXT": "textureProjLod", "texture2DGrad": "textureGrad", "texture2DGradEXT": "textureGrad",
    "texture2DGradARB": "textureGrad", "textureCubeLod": "textureLod", "textureCubeLodEXT": "textureLod", "texture3DLod": "textureLod",
    "textureCubeGradEXT": "textureGrad", "texture2DProjGradEXT": "textureProjGrad", "texture2DProjGradARB": "textureProjGrad",
  ]

  /// Functions whose level follows from derivatives, with the name of the function that takes their place.
  private static let implicit = [
    "texture": "etalonTexture", "texture2D": "etalonTexture", "textureProj": "etalonTextureProj", "texture2DProj": "etalonTextureProj",
    "textureCube": "etalonTexture", "texture3D": "etalonTexture", "textureOffset": "etalonTextureOffset",
    "textureProjOffset": "etalonTextureProjOffset", "textureQueryLod": "etalonTextureQueryLod",
  ]

  /// The ending of functions that take the level from quad derivatives.
  package static let mipmapEnding = "Mipmapped"

  package func apply(to tokens: inout [Token]) {
    tokens.rename(Self.explicit)
    for index in tokens.indices where tokens[index].kind == .identifier {
      guard let function = Self.implicit[tokens[index].text] else { continue }
      tokens[index].text = function + ending(ofCallAt: index, in: tokens)
    }
  }

  private func ending(ofCallAt index: Int, in tokens: [Token]) -> String {
    let arguments = tokens.next(after: index).flatMap { tokens[$0].isMark("(") ? tokens.arguments(openedAt: $0) : nil }
    let texture = arguments?.first.flatMap { $0.count == 1 ? tokens[$0[0]].text : nil }
    let level = !mipmapped.isEmpty && !(texture.map(plain.contains) ?? false) ? Self.mipmapEnding : ""
    // The offset has to be a constant, so these functions are macros, and macros cannot be overloaded.
    let count = ["textureOffset", "textureProjOffset"].contains(tokens[index].text) ? "\(max(3, arguments?.count ?? 3))" : ""
    return level + count
  }
}

// MARK: - derivatives

/// GLSL functions for the derivatives of a value over the 2×2 quad of pixels that an invocation belongs to.
///
/// Both invocations of a row have the same `etalonDx`, both of a column the same `etalonDy`, whatever precision the text asks for. A partner that has left (a
/// branch, an early return) counts as equal: the derivative is 0.
enum QuadDerivatives {
  static let functions: String = {
    var text = """
      bool etalonIsActive(uint lane) { return subgroupBallotBitExtract(subgroupBallot(true), lane); }

      """
    for type in ["float", "vec2", "vec3", "vec4"] {
      text += function("etalonDx", type, swap: "subgroupQuadSwapHorizontal", bit: "1u")
      text += function("etalonDy", type, swap: "subgroupQuadSwapVertical", bit: "2u")
      text += "\(type) etalonWidth(\(type) v) { return abs(etalonDx(v)) + abs(etalonDy(v)); }\n"
    }
    return text
  }()

  private static func function(_ name: String, _ type: String, swap: String, bit: String) -> String {
    """
    \(type) \(name)(\(type) v) {
      \(type) other = \(swap)(v);
      if (!etalonIsActive(gl_SubgroupInvocationID ^ \(bit))) return \(type)(0.0);
      return (gl_SubgroupInvocationID & \(bit)) == 0u ? other - v : v - other;
    }

    """
  }
}

/// Turns derivatives, which compute shaders lack, into functions over the 2×2 quad of pixels that an invocation belongs to.
package struct Derivatives: Rewrite {
  package let name = "derivatives"

  package init() {}

  package static let names: [String: String] = {
    let functions = ["dFdx": "etalonDx", "dFdy": "etalonDy", "fwidth": "etalonWidth"]
    var names: [String: String] = [:]
    for (name, function) in functions {
      for precision in ["", "Fine", "Coarse"] { names[name + precision] = function }
    }
    return names
  }()

  package func apply(to tokens: inout [Token]) { tokens.rename(Self.names) }
}

extension TextureShape {
  /// The GLSL type of a texture of the shape.
  package var samplerType: String {
    switch self {
    case .flat: "sampler2D"
    case .cube: "samplerCube"
    case .volume: "sampler3D"
    }
  }
}
