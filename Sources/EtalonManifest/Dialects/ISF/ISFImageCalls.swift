/// Turns the image functions of ISF, which its hosts substitute as text, into GLSL functions.
///
/// `IMG_NORM_PIXEL` becomes `texture`, whose level a later rewrite decides about; the others keep a name of their own.
struct ISFImageCalls: Rewrite {
  let name = "image functions"

  /// The names of the images that are mipmapped.
  let mipmapped: Set<String>
  /// The names of all images.
  let images: Set<String>

  private static let functions = [
    "IMG_PIXEL": "etalonImagePixel", "texture2DRect": "etalonImagePixel", "IMG_THIS_PIXEL": "etalonImageHere",
    "IMG_THIS_NORM_PIXEL": "etalonImageHere", "IMG_NORM_THIS_PIXEL": "etalonImageHere", "IMG_SIZE": "etalonImageSize",
  ]

  private static let renamed = ["IMG_NORM_PIXEL": "texture", "sampler2DRect": "sampler2D"]

  func apply(to tokens: inout [Token]) {
    tokens.rename(Self.renamed)
    for index in tokens.indices where tokens[index].kind == .identifier {
      if let function = Self.functions[tokens[index].text] {
        tokens[index].text = function + ending(function, ofCallAt: index, in: tokens)
      } else if let variable = variable(tokens[index].text) {
        tokens[index].text = variable
      }
    }
  }

  private func ending(_ function: String, ofCallAt index: Int, in tokens: [Token]) -> String {
    guard function != "etalonImageSize", !mipmapped.isEmpty else { return "" }
    let open = tokens.next(after: index)
    let image = open.flatMap { tokens[$0].isMark("(") ? tokens.next(after: $0) : nil }.map { tokens[$0].text }
    return image.map { images.contains($0) && !mipmapped.contains($0) } ?? false ? "" : TextureCalls.mipmapEnding
  }

  /// `_NAME_imgRect`, `_NAME_imgSize` and `_NAME_flip`, which hosts declare beside every image.
  private func variable(_ name: String) -> String? {
    guard name.hasPrefix("_") else { return nil }
    for (ending, text) in [("_imgRect", "vec4(vec2(0.0), SIZE)"), ("_imgSize", "SIZE"), ("_flip", "false")] where name.hasSuffix(ending) {
      let image = String(name.dropFirst().dropLast(ending.count))
      guard images.contains(image) else { continue }
      return text.replacing("SIZE", with: "vec2(textureSize(\(ReservedWords.replacement(for: image)), 0))")
    }
    return nil
  }
}
