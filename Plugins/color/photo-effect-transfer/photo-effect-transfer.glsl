/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives a picture the warm, worn look of a color print of the seventies.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to the full effect, at 1." }
  ]
}*/

vec3 effect(vec3 color) {
  vec3 luma = vec3(dot(color, vec3(0.2126, 0.7152, 0.0722)));
  vec3 worn = pow(mix(luma, color, 0.85), vec3(0.88, 1.0, 1.15));
  // Blue dyes fade first, and the paper is yellow.
  return mix(vec3(0.10, 0.06, 0.05), vec3(1.0, 0.94, 0.80), worn);
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(mix(color.rgb, effect(clamp(straight, 0.0, 1.0)) * color.a, amount), color.a);
}
