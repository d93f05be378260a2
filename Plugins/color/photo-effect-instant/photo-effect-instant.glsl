/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives a picture the soft, warm look of an instant film.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the full effect, at 1." }
  ]
}*/

/// Raises dark tones, bends the middle, and keeps white below 1.
vec3 dye(vec3 color, vec3 black, vec3 white, vec3 gamma) { return mix(black, white, pow(color, 1.0 / gamma)); }

vec3 effect(vec3 color) {
  // The layers of the film see some of each other's light.
  vec3 seen = mat3(0.80, 0.10, 0.08, 0.16, 0.80, 0.14, 0.04, 0.10, 0.78) * color;
  vec3 developed = dye(seen, vec3(0.10, 0.09, 0.16), vec3(1.0, 0.96, 0.84), vec3(1.20, 1.12, 0.95));
  // A smooth step gives back what the lifted black took from the contrast.
  return mix(developed, developed * developed * (3.0 - 2.0 * developed), 0.5);
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(mix(color.rgb, effect(clamp(straight, 0.0, 1.0)) * color.a, amount), color.a);
}
