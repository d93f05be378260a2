/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives a picture the strong colors and the cool lights of a slide film.",
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
  vec3 luma = vec3(dot(color, vec3(0.2126, 0.7152, 0.0722)));
  vec3 vivid = clamp(mix(luma, color, 1.3), 0.0, 1.0);
  return contrast(vivid, 0.45) * vec3(0.97, 0.99, 1.0);
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(mix(color.rgb, effect(clamp(straight, 0.0, 1.0)) * color.a, amount), color.a);
}
