/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a black and white picture with soft contrast.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the full effect, at 1." }
  ]
}*/

vec3 effect(vec3 color) {
  float gray = dot(color, vec3(0.2126, 0.7152, 0.0722));
  // A bend that leaves black and white and opens the shadows.
  return vec3(0.03 + 0.94 * mix(gray, sqrt(gray), 0.3));
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(mix(color.rgb, effect(clamp(straight, 0.0, 1.0)) * color.a, amount), color.a);
}
