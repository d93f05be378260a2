/*{
  "ETALON": 1,
  "DESCRIPTION": "Turns all hues of a picture around the color wheel, and keeps its luma.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 90, "IDENTITY": 0, "UNIT": "deg",
      "HELP": "How far the hues turn: at 120 red becomes green, at 240 or -120 blue." }
  ]
}*/

/// The rotation that CSS calls hue-rotate: gray stays gray, and the weights of luma (0.213, 0.715, 0.072) do not change.
mat3 rotation(float degrees) {
  float c = cos(radians(degrees));
  float s = sin(radians(degrees));
  return mat3(
    0.213 + 0.787 * c - 0.213 * s, 0.213 - 0.213 * c + 0.143 * s, 0.213 - 0.213 * c - 0.787 * s,
    0.715 - 0.715 * c - 0.715 * s, 0.715 + 0.285 * c + 0.140 * s, 0.715 - 0.715 * c + 0.715 * s,
    0.072 - 0.072 * c + 0.928 * s, 0.072 - 0.072 * c - 0.283 * s, 0.072 + 0.928 * c + 0.072 * s);
}

vec4 colorKernel(vec4 color) {
  // A matrix turns premultiplied colors as it turns straight ones.
  return vec4(rotation(angle) * color.rgb, color.a);
}
