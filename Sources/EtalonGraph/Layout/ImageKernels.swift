/// What images are made of beside pictures, filters of libraries and operations, written in the native dialect like any other filter.
package enum ImageKernels {
  /// One color, straight and sRGB-encoded, wherever somebody looks.
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
