/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture as a film that was developed in the wrong bath.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the full effect, at 1." }
  ]
}*/

/// More contrast in a channel, from none at 0 to that of a smooth step at 1.
float bent(float tone, float strength) { return mix(tone, tone * tone * (3.0 - 2.0 * tone), strength); }

vec3 effect(vec3 color) {
  // Red and green get harder, blue gets softer: shadows become blue, lights yellow.
  vec3 crossed = vec3(bent(color.r, 0.8), bent(color.g, 0.6), 0.18 + 0.64 * color.b);
  vec3 luma = vec3(dot(crossed, vec3(0.2126, 0.7152, 0.0722)));
  return clamp(mix(luma, crossed, 1.1) * vec3(0.96, 1.0, 1.0), 0.0, 1.0);
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(mix(color.rgb, effect(clamp(straight, 0.0, 1.0)) * color.a, amount), color.a);
}
