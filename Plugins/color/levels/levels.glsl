/*{
  "ETALON": 1,
  "DESCRIPTION": "Stretches the range between a black and a white level, and bends the tones between them.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "black", "TYPE": "float", "LABEL": "Black", "MIN": 0, "MAX": 1, "DEFAULT": 0.05, "IDENTITY": 0,
      "HELP": "What becomes black; darker colors do, too." },
    { "NAME": "white", "TYPE": "float", "LABEL": "White", "MIN": 0, "MAX": 1, "DEFAULT": 0.95, "IDENTITY": 1,
      "HELP": "What becomes white; lighter colors do, too." },
    { "NAME": "gamma", "TYPE": "float", "LABEL": "Gamma", "MIN": 0.1, "MAX": 10, "DEFAULT": 1, "IDENTITY": 1,
      "HELP": "Tones between are raised to the power of 1 / gamma: above 1 they become lighter." },
    { "NAME": "outputBlack", "TYPE": "float", "LABEL": "Output black", "MIN": 0, "MAX": 1, "DEFAULT": 0, "IDENTITY": 0,
      "HELP": "What black is shown as." },
    { "NAME": "outputWhite", "TYPE": "float", "LABEL": "Output white", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 1,
      "HELP": "What white is shown as." }
  ],
  "CONSTRAINTS": ["black < white"]
}*/

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  vec3 tone = pow(clamp((straight - black) / (white - black), 0.0, 1.0), vec3(1.0 / gamma));
  return vec4(mix(vec3(outputBlack), vec3(outputWhite), tone) * color.a, color.a);
}
