/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes the middle tones of a picture lighter or darker, and keeps black and white.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "gamma", "TYPE": "float", "LABEL": "Gamma", "MIN": 0.1, "MAX": 10, "DEFAULT": 1.5, "IDENTITY": 1,
      "HELP": "Colors are raised to the power of 1 / gamma: above 1 they become lighter." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  // A power is no multiple of its argument, so it has to see the straight color.
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  // Colors below 0 come out of other filters; they are treated as their mirror images.
  return vec4(sign(straight) * pow(abs(straight), vec3(1.0 / gamma)) * color.a, color.a);
}
