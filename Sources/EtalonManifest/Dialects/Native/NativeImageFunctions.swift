internal import EtalonTypes

/// GLSL for the functions over images that a native text mentions.
struct NativeImageFunctions {
  private let mentioned: Set<String>
  private let header: NativeHeader

  /// The names that the functions themselves need, for the functions that stand before them.
  private(set) var needs: Set<String> = []

  init(_ header: NativeHeader, mentioned: Set<String>) {
    self.header = header
    self.mentioned = Self.closed(mentioned, header)
    for ending in Self.endings
    where ["IMG_PIXEL", "IMG_NORM_PIXEL", "IMG_THIS_PIXEL"].contains(where: { self.mentioned.contains($0 + ending) }) {
      needs.insert("etalonTexture" + ending)
    }
    if self.mentioned.contains(where: { $0.contains("IMG_THIS_PIXEL") }) { needs.insert("RENDERSIZE") }
  }

  private static let endings = ["", TextureCalls.mipmapEnding]

  /// The functions with those that they call.
  private static func closed(_ mentioned: Set<String>, _ header: NativeHeader) -> Set<String> {
    var names = mentioned
    for index in header.images.indices {
      let border = { NativeImageCalls.bordered($0, index) }
      if names.contains(border("IMG_THIS_PIXEL")) { names.formUnion([border("IMG_NORM_PIXEL"), "IMG_THIS_PIXEL"]) }
      if names.contains(border("IMG_NORM_PIXEL")) { names.insert(border("IMG_PIXEL")) }
      if names.contains(border("IMG_PIXEL")) { names.insert("IMG_PIXEL") }
      if names.contains(border("IMG_LOAD")) { names.insert("IMG_INSIDE") }
    }
    for ending in endings where names.contains("IMG_THIS_PIXEL" + ending) { names.insert("IMG_NORM_PIXEL" + ending) }
    return names
  }

  var text: String {
    var text = ""
    if mentioned.contains("IMG_SIZE") { text += "vec2 IMG_SIZE(sampler2D image) { return vec2(textureSize(image, 0)); }\n" }
    if mentioned.contains("IMG_INSIDE") { text += Self.inside }
    if mentioned.contains("IMG_LOAD") { text += Self.load }
    for ending in Self.endings { text += reads(ending) }
    for (index, image) in header.images.enumerated() {
      if let border = image.border { text += bordered(index, image.input, border) }
    }
    return text
  }

  private static let inside = """
    bool IMG_INSIDE(sampler2D image, ivec2 position) {
      return all(greaterThanEqual(position, ivec2(0))) && all(lessThan(position, textureSize(image, 0)));
    }
    bool IMG_INSIDE(sampler2D image, vec2 position) {
      return all(greaterThanEqual(position, vec2(0.0))) && all(lessThan(position, vec2(textureSize(image, 0))));
    }

    """

  /// Beyond the edge the sampler knows what lies there; at the centre of a pixel it interpolates nothing.
  private static let load = """
    vec4 IMG_LOAD(sampler2D image, ivec2 position) {
      ivec2 size = textureSize(image, 0);
      bool isInside = all(greaterThanEqual(position, ivec2(0))) && all(lessThan(position, size));
      if (isInside) return texelFetch(image, position, 0);
      return textureLod(image, (vec2(position) + 0.5) / vec2(size), 0.0);
    }

    """

  private func reads(_ ending: String) -> String {
    var text = ""
    if mentioned.contains("IMG_PIXEL" + ending) {
      text += """
        vec4 IMG_PIXEL\(ending)(sampler2D image, vec2 position) {
          return etalonTexture\(ending)(image, position / vec2(textureSize(image, 0)));
        }

        """
    }
    if mentioned.contains("IMG_NORM_PIXEL" + ending) {
      text += "vec4 IMG_NORM_PIXEL\(ending)(sampler2D image, vec2 place) { return etalonTexture\(ending)(image, place); }\n"
    }
    if mentioned.contains("IMG_THIS_PIXEL" + ending) {
      // A picture of the target's size is read pixel by pixel, whatever its sampler does between them.
      text += """
        vec4 IMG_THIS_PIXEL\(ending)(sampler2D image) {
          ivec2 size = textureSize(image, 0);
          if (size == ivec2(RENDERSIZE)) return texelFetch(image, min(etalonPixel, size - 1), 0);
          return IMG_NORM_PIXEL\(ending)(image, POSITION / RENDERSIZE);
        }

        """
    }
    return text
  }

  /// What is missing of a pixel beyond the edge is filled with the color of the border.
  private func bordered(_ index: Int, _ input: FilterInput, _ border: Value) -> String {
    let name = { (function: String) in NativeImageCalls.bordered(function, index) }
    let isMultiplied = input.alpha == .premultiplied
    let components = border.components.enumerated().map { isMultiplied && $0 < 3 ? $1 * border.components[3] : $1 }
    let color = ValueConversion.text(of: Value(.vec4, components))
    let cover =
      input.sampler.interpolation == .nearest
      ? "vec2(greaterThanEqual(position, vec2(0.0))) * vec2(lessThan(position, size))"
      : "clamp(position + 0.5, 0.0, 1.0) * clamp(size - position + 0.5, 0.0, 1.0)"
    var text = ""
    if mentioned.contains(name("IMG_PIXEL")) {
      text += """
        vec4 \(name("IMG_PIXEL"))(sampler2D image, vec2 position) {
          vec2 size = vec2(textureSize(image, 0));
          vec2 cover = \(cover);
          return IMG_PIXEL(image, position) + (1.0 - cover.x * cover.y) * \(color);
        }

        """
    }
    if mentioned.contains(name("IMG_NORM_PIXEL")) {
      text += """
        vec4 \(name("IMG_NORM_PIXEL"))(sampler2D image, vec2 place) {
          return \(name("IMG_PIXEL"))(image, place * vec2(textureSize(image, 0)));
        }

        """
    }
    if mentioned.contains(name("IMG_THIS_PIXEL")) {
      text += """
        vec4 \(name("IMG_THIS_PIXEL"))(sampler2D image) {
          if (textureSize(image, 0) == ivec2(RENDERSIZE)) return IMG_THIS_PIXEL(image);
          return \(name("IMG_NORM_PIXEL"))(image, POSITION / RENDERSIZE);
        }

        """
    }
    if mentioned.contains(name("IMG_LOAD")) {
      text += """
        vec4 \(name("IMG_LOAD"))(sampler2D image, ivec2 position) {
          return IMG_INSIDE(image, position) ? texelFetch(image, position, 0) : \(color);
        }

        """
    }
    return text
  }
}
