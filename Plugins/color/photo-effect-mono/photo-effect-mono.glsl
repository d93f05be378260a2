/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a black and white picture as a usual film does.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the full effect, at 1." }
  ]
}*/

vec3 effect(vec3 color) {
  // Films see blue better than the eye does, and red a little less.
  float gray = dot(color, vec3(0.26, 0.56, 0.18));
  return vec3(mix(gray, gray * gray * (3.0 - 2.0 * gray), 0.25));
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(mix(color.rgb, effect(clamp(straight, 0.0, 1.0)) * color.a, amount), color.a);
}
