/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives a picture the brown tones of an old photograph.",
  "CREDIT": "The matrix is that of the W3C's Filter Effects Module Level 1, sepia().",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "From the picture as it is, at 0, to brown, at 1." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 brown = vec3(
    dot(color.rgb, vec3(0.393, 0.769, 0.189)), dot(color.rgb, vec3(0.349, 0.686, 0.168)), dot(color.rgb, vec3(0.272, 0.534, 0.131)));
  return vec4(mix(color.rgb, min(brown, color.a), amount), color.a);
}
