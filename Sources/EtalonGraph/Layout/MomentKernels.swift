internal import EtalonManifest

/// What stands between a picture and a filter that reads it at other frames.
extension BuiltInKernels {
  /// The picture where there is a frame, else transparent black; frames decide about `shown`.
  static let presence = native(
    "presence",
    header: """
      "ALPHA": "straight", "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
        { "NAME": "shown", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 1 }]
      """, "vec4 colorKernel(vec4 color) { return shown > 0.5 ? color : vec4(0.0); }")

  /// What a picture showed a frame ago: on the first frame of the shot the picture itself, or transparent black.
  static let delay = native(
    "delay",
    header: """
      "INPUTS": [
        { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
        { "NAME": "holds", "TYPE": "bool", "DEFAULT": true }],
      "PASSES": [
        { "KERNEL": "take", "TARGET": "taken", "FORMAT": "rgba32f" },
        { "KERNEL": "keep", "TARGET": "kept", "FORMAT": "rgba32f", "PERSISTENT": true },
        { "KERNEL": "show" }]
      """,
    """
    vec4 take(vec2 position) {
      if (FRAMEINDEX > 0) return IMG_LOAD(kept, ivec2(position));
      return holds ? IMG_LOAD(inputImage, ivec2(position)) : vec4(0.0);
    }

    vec4 keep(vec2 position) { return IMG_LOAD(inputImage, ivec2(position)); }

    vec4 show(vec2 position) { return IMG_LOAD(taken, ivec2(position)); }
    """)
}
