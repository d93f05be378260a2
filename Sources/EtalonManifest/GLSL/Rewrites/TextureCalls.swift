/// Makes every texture read explicit about its level, because a compute shader silently reads the largest one.
///
/// Reads of mipmapped textures get their level from quad derivatives, all others read level 0. Names of older dialects become the current ones. A texture
/// that a call names directly decides for that call; in a helper function that takes a sampler the derivatives serve both kinds.
struct TextureCalls: Rewrite {
  let name = "texture calls"

  /// The names of the samplers that are mipmapped, and of those that are not.
  let mipmapped: Set<String>
  let plain: Set<String>

  /// Functions with an explicit level or gradient keep their meaning under their current name.
  private static let explicit = [
    "texture2DLod": "textureLod", "texture2DLodEXT": "textureLod", "texture2DProjLod": "textureProjLod",
    "texture2DProjLodEXT": "textureProjLod", "texture2DGrad": "textureGrad", "texture2DGradEXT": "textureGrad",
    "texture2DGradARB": "textureGrad", "texture2DProjGradEXT": "textureProjGrad", "texture2DProjGradARB": "textureProjGrad",
  ]

  /// Functions whose level follows from derivatives, with the name of the function that takes their place.
  private static let implicit = [
    "texture": "etalonTexture", "texture2D": "etalonTexture", "textureProj": "etalonTextureProj", "texture2DProj": "etalonTextureProj",
    "textureOffset": "etalonTextureOffset", "textureProjOffset": "etalonTextureProjOffset", "textureQueryLod": "etalonTextureQueryLod",
  ]

  /// The ending of functions that take the level from quad derivatives.
  static let mipmapEnding = "Mipmapped"

  func apply(to tokens: inout [Token]) {
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
    // The offset has to be a constant, which only a macro hands on; macros cannot be overloaded.
    let count = ["textureOffset", "textureProjOffset"].contains(tokens[index].text) ? "\(max(3, arguments?.count ?? 3))" : ""
    return level + count
  }
}
