/*{
  "ETALON": 1,
  "DESCRIPTION": "Lets the colors of a picture fade, as prints do in the sun.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the full effect, at 1." }
  ]
}*/

vec3 effect(vec3 color) {
  vec3 luma = vec3(dot(color, vec3(0.2126, 0.7152, 0.0722)));
  // Black becomes a warm gray, and white loses a little.
  return mix(vec3(0.14, 0.12, 0.10), vec3(0.98, 0.96, 0.92), mix(luma, color, 0.6));
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(mix(color.rgb, effect(clamp(straight, 0.0, 1.0)) * color.a, amount), color.a);
}
