internal import EtalonDiagnostics
internal import EtalonDialects
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

// MARK: images

/// What images are made of beside pictures, filters of libraries and operations, written in the native dialect like any other filter.
package enum ImageKernels {
  /// One color, straight and sRGB-encoded, on the whole plane.
  package static let color = BuiltInKernels.native(
    "color",
    header: """
      "INPUTS": [{ "NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1] }]
      """, "vec4 colorKernel() { return vec4(color.rgb * color.a, color.a); }")

  /// A picture under an affine map: `axes` are where (1, 0) and (0, 1) come to lie, `offset` where the lower left corner does, `inverse` are the axes of
  /// the map back.
  package static let transform = BuiltInKernels.native(
    "transform",
    header: """
      "EXTENT": [
        "\(lowest("x", "z"))", "\(lowest("y", "w"))", "\(highest("x", "z")) - \(lowest("x", "z"))", "\(highest("y", "w")) - \(lowest("y", "w"))"],
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
        { "NAME": "axes", "TYPE": "vec4", "DEFAULT": [1, 0, 0, 1] },
        { "NAME": "offset", "TYPE": "vec2", "UNIT": "px", "DEFAULT": [0, 0] },
        { "NAME": "inverse", "TYPE": "vec4", "DEFAULT": [1, 0, 0, 1] }]
      """,
    """
    vec4 imageKernel(vec2 position) {
      vec2 size = IMG_SIZE(inputImage);
      float width = size.x;
      float height = size.y;
      vec2 p = position + vec2(\(lowest("x", "z")), \(lowest("y", "w"))) - offset;
      return IMG_NORM_PIXEL(inputImage, vec2(inverse.x * p.x + inverse.z * p.y, inverse.y * p.x + inverse.w * p.y) / size);
    }
    """, readsWholePictures: true)

  /// The picture itself, computed anew, so that its texture is as large as what it covers.
  package static let copy = BuiltInKernels.copy

  /// The lowest coordinate of the four corners in whole pixels, as GLSL; the header and the kernel have the same text, so that they agree to the bit.
  private static func lowest(_ first: String, _ second: String) -> String { corner("floor", "min", first, second) }

  private static func highest(_ first: String, _ second: String) -> String { corner("ceil", "max", first, second) }

  private static func corner(_ rounding: String, _ choice: String, _ first: String, _ second: String) -> String {
    let (across, along) = ("axes.\(first) * width", "axes.\(second) * height")
    let axis = first == "x" ? "x" : "y"
    return "\(rounding)(\(choice)(\(choice)(0.0, \(across)), \(choice)(\(along), \(across) + \(along))) + offset.\(axis))"
  }
}

// MARK: operations

extension ImageOperation {
  /// The filter that does it; that of `clamp` changes nothing, because the readers of its result read other than they would.
  package var filter: GraphFilter {
    switch self {
    case .clamp: BuiltInKernels.copy
    case .crop: OperationKernels.crop
    case .pad: OperationKernels.pad
    case .resize: OperationKernels.resize
    case .orient: OperationKernels.orient
    case .over: OperationKernels.over
    }
  }

  /// Whether a node with this word and these settings means the operation, not a filter of a library.
  ///
  /// The libraries have a filter `crop`, too, whose rectangle is a part of the picture and may move.
  package func isMeant(settings: some Sequence<String>) -> Bool {
    self != .crop || settings.contains { ["left", "bottom", "width", "height"].contains($0) }
  }
}

/// The operations on pictures as filters, written in the native dialect like any other.
enum OperationKernels {
  static let crop = BuiltInKernels.native(
    "crop",
    header: """
      "EXTENT": ["left", "bottom", "width", "height"], "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
        { "NAME": "left", "TYPE": "int", "UNIT": "px", "DEFAULT": 0 }, { "NAME": "bottom", "TYPE": "int", "UNIT": "px", "DEFAULT": 0 },
        { "NAME": "width", "TYPE": "int", "UNIT": "px", "MIN": 1, "MAX": 16384, "DEFAULT": 1 },
        { "NAME": "height", "TYPE": "int", "UNIT": "px", "MIN": 1, "MAX": 16384, "DEFAULT": 1 }]
      """, "vec4 colorKernel(vec4 color) { return color; }")

  static let pad = BuiltInKernels.native(
    "pad",
    header: """
      "EXTENT": ["-left", "-bottom", "width + left + right", "height + bottom + top"], "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
        { "NAME": "left", "TYPE": "int", "UNIT": "px", "MIN": 0, "MAX": 16384, "DEFAULT": 0 },
        { "NAME": "bottom", "TYPE": "int", "UNIT": "px", "MIN": 0, "MAX": 16384, "DEFAULT": 0 },
        { "NAME": "right", "TYPE": "int", "UNIT": "px", "MIN": 0, "MAX": 16384, "DEFAULT": 0 },
        { "NAME": "top", "TYPE": "int", "UNIT": "px", "MIN": 0, "MAX": 16384, "DEFAULT": 0 }]
      """, "vec4 colorKernel(vec4 color) { return color; }")

  static let over = BuiltInKernels.native(
    "over",
    header: """
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" }, { "NAME": "backgroundImage", "TYPE": "image" }]
      """, "vec4 colorKernel(vec4 color, vec4 background) { return color + background * (1.0 - color.a); }")

  /// Where one side of the size is 0, it follows from the other.
  ///
  /// The kernel goes through all pixels of a window in one loop; where these are many, nodes of `resizeSide` take its place.
  static let resize = BuiltInKernels.native(
    "resize",
    header: """
      "SIZE": [
        "max(1.0, floor(scale * (size.x > 0.0 ? size.x : size.y > 0.0 ? width * size.y / height : width) + 0.5))",
        "max(1.0, floor(scale * (size.y > 0.0 ? size.y : size.x > 0.0 ? height * size.x / width : height) + 0.5))"],
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
        { "NAME": "size", "TYPE": "vec2", "UNIT": "px", "MIN": [0, 0], "MAX": [16384, 16384], "DEFAULT": [0, 0] },
        { "NAME": "scale", "TYPE": "float", "MIN": 0.0001, "MAX": 1000, "DEFAULT": 1 },
        { "NAME": "filter", "TYPE": "long", "VALUES": [0, 1, 2, 3, 4, 5], "DEFAULT": 3,
          "LABELS": ["nearest", "linear", "area", "lanczos", "mitchell", "catmull-rom"] }]
      """,
    """
    \(weight)

    vec4 imageKernel(vec2 position) {
      vec2 given = IMG_SIZE(inputImage);
      ivec2 last = ivec2(given) - 1;
      vec2 span = given / RENDERSIZE;
      vec2 center = position * span;
      if (filter == 0) return IMG_LOAD(inputImage, clamp(ivec2(floor(center)), ivec2(0), last));
      vec2 radius = filter == 1 ? vec2(1.0) : filter == 2 ? 0.5 * span + 0.5 : lobes() * max(span, 1.0);
      ivec2 low = ivec2(floor(center - radius));
      ivec2 high = ivec2(ceil(center + radius));
      vec4 sum = vec4(0.0);
      float weights = 0.0;
      for (int y = low.y; y <= high.y; y++) {
        float wy = weight(float(y) + 0.5 - center.y, span.y);
        if (wy == 0.0) continue;
        for (int x = low.x; x <= high.x; x++) {
          float w = wy * weight(float(x) + 0.5 - center.x, span.x);
          sum += w * IMG_LOAD(inputImage, clamp(ivec2(x, y), ivec2(0), last));
          weights += w;
        }
      }
      return sum / weights;
    }
    """)

  /// Does to one side what `resize` does to both; the other side of the picture is as long as that of the result.
  ///
  /// Beyond an edge the last pixel goes on as far as the picture is long, and at least four pixels. So the loop has at most 49,158 rounds, those of
  /// 16,384 pixels: llvmpipe ends the loops of an invocation silently after 65,535.
  static let resizeSide = BuiltInKernels.native(
    "resize-side",
    header: """
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
        { "NAME": "filter", "TYPE": "long", "VALUES": [0, 1, 2, 3, 4, 5], "DEFAULT": 3,
          "LABELS": ["nearest", "linear", "area", "lanczos", "mitchell", "catmull-rom"] }]
      """,
    """
    \(weight)

    vec4 imageKernel(vec2 position) {
      vec2 size = IMG_SIZE(inputImage);
      bool isWidth = size.x != RENDERSIZE.x;
      ivec2 place = ivec2(position);
      int last = int(isWidth ? size.x : size.y) - 1;
      float span = isWidth ? size.x / RENDERSIZE.x : size.y / RENDERSIZE.y;
      float center = (isWidth ? position.x : position.y) * span;
      float radius = filter == 2 ? 0.5 * span + 0.5 : lobes() * max(span, 1.0);
      int low = max(int(floor(center - radius)), -4 - last);
      int high = min(int(ceil(center + radius)), 4 + 2 * last);
      vec4 sum = vec4(0.0);
      float weights = 0.0;
      for (int i = low; i <= high; i++) {
        float w = weight(float(i) + 0.5 - center, span);
        int nearest = clamp(i, 0, last);
        sum += w * texelFetch(inputImage, isWidth ? ivec2(nearest, place.y) : ivec2(place.x, nearest), 0);
        weights += w;
      }
      return sum / weights;
    }
    """)

  /// What the pixels of a picture count for one of its pixels when it is resized.
  private static let weight = """
    float wave(float x) { return abs(x) < 1e-4 ? 1.0 : sin(3.14159265358979 * x) / (3.14159265358979 * x); }

    // How far the windows of the sharp filters reach, in pixels of the result.
    float lobes() { return filter == 3 ? 3.0 : 2.0; }

    // A cubic of Mitchell and Netravali: (1/3, 1/3) is theirs, (0, 1/2) that of Catmull and Rom.
    float cubic(float x, float b, float c) {
      if (x < 1.0) return ((12.0 - 9.0 * b - 6.0 * c) * x * x * x + (12.0 * b + 6.0 * c - 18.0) * x * x + 6.0 - 2.0 * b) / 6.0;
      if (x >= 2.0) return 0.0;
      return ((-b - 6.0 * c) * x * x * x + (6.0 * b + 30.0 * c) * x * x + (-12.0 * b - 48.0 * c) * x + 8.0 * b + 24.0 * c) / 6.0;
    }

    // What a pixel counts whose center is so far away, in pixels of the picture; `span` is how many of them a pixel of the result covers.
    float weight(float x, float span) {
      if (filter == 1) return max(0.0, 1.0 - abs(x));
      if (filter == 2) return max(0.0, min(x + 0.5, 0.5 * span) - max(x - 0.5, -0.5 * span));
      float t = x / max(span, 1.0);
      if (filter == 4) return cubic(abs(t), 1.0 / 3.0, 1.0 / 3.0);
      if (filter == 5) return cubic(abs(t), 0.0, 0.5);
      return abs(t) < 3.0 ? wave(t) * wave(t / 3.0) : 0.0;
    }
    """

  static let orient = BuiltInKernels.native(
    "orient",
    header: """
      "ALPHA": "straight", "SIZE": ["orientation >= 5 ? height : width", "orientation >= 5 ? width : height"], "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image" },
        { "NAME": "orientation", "TYPE": "long", "VALUES": [1, 2, 3, 4, 5, 6, 7, 8], "DEFAULT": 1, "LABELS": [
          "upright", "flip-horizontal", "rotate180", "flip-vertical", "transpose", "rotate90", "transverse", "rotate270"] }]
      """,
    """
    // The numbers say where the first row and column of the stored picture belong; here rows count from the top, as there.
    vec2 stored(vec2 p, vec2 size) {
      switch (orientation) {
        case 2: return vec2(size.x - p.x, p.y);
        case 3: return size - p;
        case 4: return vec2(p.x, size.y - p.y);
        case 5: return p.yx;
        case 6: return vec2(p.y, size.y - p.x);
        case 7: return size - p.yx;
        case 8: return vec2(size.x - p.y, p.x);
        default: return p;
      }
    }

    vec4 imageKernel(vec2 position) {
      vec2 size = orientation >= 5 ? RENDERSIZE.yx : RENDERSIZE;
      vec2 p = stored(vec2(position.x, RENDERSIZE.y - position.y), size);
      p.y = size.y - p.y;
      return IMG_SIZE(inputImage) == size ? IMG_LOAD(inputImage, ivec2(floor(p))) : IMG_NORM_PIXEL(inputImage, p / size);
    }
    """)
}
