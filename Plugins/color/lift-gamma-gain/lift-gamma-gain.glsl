/*{
  "ETALON": 1,
  "DESCRIPTION": "Grades the shadows, the middle tones and the highlights of a picture.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "lift", "TYPE": "vec3", "LABEL": "Lift", "MIN": -1, "MAX": 1, "DEFAULT": [-0.02, 0, 0.04], "IDENTITY": [0, 0, 0],
      "HELP": "What black becomes, in red, green and blue; white stays." },
    { "NAME": "gamma", "TYPE": "vec3", "LABEL": "Gamma", "MIN": 0.1, "MAX": 10, "DEFAULT": [1, 1, 1], "IDENTITY": [1, 1, 1],
      "HELP": "Colors are raised to the power of 1 / gamma: above 1 middle tones become lighter; black and white stay." },
    { "NAME": "gain", "TYPE": "vec3", "LABEL": "Gain", "MIN": 0, "MAX": 4, "DEFAULT": [1.05, 1, 0.92], "IDENTITY": [1, 1, 1],
      "HELP": "What white becomes; black stays." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  vec3 line = (straight + lift * (1.0 - straight)) * gain;
  // Colors below 0 are treated as their mirror images.
  return vec4(sign(line) * pow(abs(line), 1.0 / gamma) * color.a, color.a);
}
