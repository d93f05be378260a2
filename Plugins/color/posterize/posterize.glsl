/*{
  "ETALON": 1,
  "DESCRIPTION": "Leaves a few levels of each channel.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "levels", "TYPE": "int", "LABEL": "Levels", "MIN": 2, "MAX": 256, "DEFAULT": 6,
      "HELP": "How many levels a channel has, black and white among them." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  float steps = float(levels - 1);
  return vec4(floor(straight * steps + 0.5) / steps * color.a, color.a);
}
