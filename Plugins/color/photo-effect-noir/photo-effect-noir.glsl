/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a black and white picture with deep shadows and hard light.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the full effect, at 1." }
  ]
}*/

/// More contrast around the middle, from none at 0 to that of a smooth step at 1.
vec3 contrast(vec3 color, float strength) { return mix(color, color * color * (3.0 - 2.0 * color), strength); }

vec3 effect(vec3 color) {
  // As through an orange filter, which darkens skies.
  vec3 gray = vec3(dot(color, vec3(0.45, 0.45, 0.10)));
  return contrast(contrast(gray, 0.9), 0.6) * 0.98;
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(mix(color.rgb, effect(clamp(straight, 0.0, 1.0)) * color.a, amount), color.a);
}
