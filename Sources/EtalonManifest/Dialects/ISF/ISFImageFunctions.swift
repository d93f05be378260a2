/// GLSL for the image functions that `ISFImageCalls` mentions.
enum ISFImageFunctions {
  /// The functions that know nothing of the filter; they need those of `TextureFunctions` for `needs`.
  static func pure(for names: Set<String>) -> String {
    var text = ""
    if names.contains("etalonImageSize") { text += "vec2 etalonImageSize(sampler2D s) { return vec2(textureSize(s, 0)); }\n" }
    for ending in endings where names.contains("etalonImagePixel" + ending) {
      let place = "p / vec2(textureSize(s, 0))"
      text += """
        vec4 etalonImagePixel\(ending)(sampler2D s, vec2 p) { return etalonTexture\(ending)(s, \(place)); }
        vec4 etalonImagePixel\(ending)(sampler2D s, vec2 p, float bias) { return etalonTexture\(ending)(s, \(place), bias); }

        """
    }
    return text
  }

  /// The functions that read an image at the place of the pixel.
  static func here(for names: Set<String>) -> String {
    endings.filter { names.contains("etalonImageHere" + $0) }
      .map { "vec4 etalonImageHere\($0)(sampler2D s) { return etalonTexture\($0)(s, isf_FragNormCoord); }\n" }.joined()
  }

  /// The texture functions that some names need.
  static func needs(_ names: Set<String>) -> Set<String> {
    Set(
      endings.filter { ending in names.contains("etalonImagePixel" + ending) || names.contains("etalonImageHere" + ending) }
        .map { "etalonTexture" + $0 })
  }

  private static let endings = ["", TextureCalls.mipmapEnding]
}
