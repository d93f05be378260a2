internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// The filters that stand between others where their pictures do not fit each other; written in the native dialect like any other.
enum BuiltInKernels {
  /// Changes what the fourth channel means.
  static func alpha(from given: AlphaMode, to wanted: AlphaMode) -> GraphFilter? {
    switch (given, wanted) {
    case (.straight, .premultiplied): premultiply
    case (.premultiplied, .straight): unpremultiply
    case (.straight, .opaque), (.premultiplied, .opaque): cover
    default: nil
    }
  }

  private static let premultiply = color("premultiply", "vec4(color.rgb * color.a, color.a)", alpha: "premultiplied")
  private static let unpremultiply = color(
    "unpremultiply", "vec4(color.a == 0.0 ? vec3(0.0) : color.rgb / color.a, color.a)", alpha: "straight")
  private static let cover = color("cover", "vec4(color.rgb, 1.0)", alpha: "opaque")

  /// From sRGB-encoded numbers to light (IEC 61966-2-1), coverage left alone.
  static let linearize = color(
    "linearize",
    "vec4(mix(pow((max(color.rgb, 0.04045) + 0.055) / 1.055, vec3(2.4)), color.rgb / 12.92, "
      + "vec3(lessThanEqual(color.rgb, vec3(0.04045)))), color.a)", alpha: "straight")
  /// From light to sRGB-encoded numbers (IEC 61966-2-1), coverage left alone.
  static let encode = color(
    "encode",
    "vec4(mix(1.055 * pow(max(color.rgb, 0.0031308), vec3(1.0 / 2.4)) - 0.055, color.rgb * 12.92, "
      + "vec3(lessThanEqual(color.rgb, vec3(0.0031308)))), color.a)", alpha: "straight")

  /// The same pixels, for a picture that is wanted in a second form.
  static let copy = color("copy", "color", alpha: "straight")

  /// Turns a picture over, top to bottom.
  static let flip = native(
    "flip", header: "\"ALPHA\": \"straight\", \"INPUTS\": [{ \"NAME\": \"inputImage\", \"TYPE\": \"image\" }]",
    """
    vec4 imageKernel(vec2 position) {
      ivec2 p = ivec2(position);
      return IMG_LOAD(inputImage, ivec2(p.x, int(RENDERSIZE.y) - 1 - p.y));
    }
    """)

  /// Shows a part of the plane that a picture lies in: `origin` is where the result starts in pixels of the picture, `span` what the picture covers.
  static let place = placing(
    "place",
    """
      vec2 p = position + origin;
      if (any(lessThan(p, vec2(0.0))) || any(greaterThanEqual(p, span))) return vec4(0.0);
    """)

  /// The same with the last pixels going on beyond the edges.
  static let continued = placing(
    "continue",
    """
      vec2 p = clamp(position + origin, vec2(0.5), span - 0.5);
    """)

  /// A filter that reads its picture at `p`, in pixels of what the picture covers.
  private static func placing(_ name: String, _ position: String) -> GraphFilter {
    native(
      name,
      header: """
        "ALPHA": "straight", "INPUTS": [
          { "NAME": "inputImage", "TYPE": "image" },
          { "NAME": "origin", "TYPE": "vec2", "DEFAULT": [0, 0] },
          { "NAME": "span", "TYPE": "vec2", "DEFAULT": [1, 1] }]
        """,
      """
      vec4 imageKernel(vec2 position) {
      \(position)
        return IMG_SIZE(inputImage) == span ? IMG_LOAD(inputImage, ivec2(floor(p))) : IMG_NORM_PIXEL(inputImage, p / span);
      }
      """)
  }

  private static func color(_ name: String, _ result: String, alpha: String) -> GraphFilter {
    native(
      name,
      header: "\"ALPHA\": \"\(alpha)\", \"INPUTS\": [{ \"NAME\": \"inputImage\", \"TYPE\": \"image\", \"INTERPOLATION\": \"nearest\" }]",
      "vec4 colorKernel(vec4 color) { return \(result); }")
  }

  /// - Parameter readsWholePictures: whether its pictures are read wherever they lie, although it says what it covers.
  static func native(_ name: String, header: String, _ text: String, readsWholePictures: Bool = false) -> GraphFilter {
    let source = SourceText(path: name, text: "/*{ \"ETALON\": 1, \(header) }*/\n\(text)\n")
    do {
      let reading = try FilterReader(files: NoFiles()).read(.text(source, named: name), options: FilterReader.Options())
      return GraphFilter(reading.manifest, readsWholePictures: readsWholePictures)
    } catch {
      preconditionFailure("a kernel of Etalon's own is wrong: \(error.diagnostics.map(\.message))")
    }
  }
}
