/*{
  "ETALON": 1,
  "DESCRIPTION": "Brings light beyond white into the range of a screen, with a curve like that of the Academy's system (ACES).",
  "CREDIT": "The fit is K. Narkowicz, ACES Filmic Tone Mapping Curve, 2015.",
  "CATEGORIES": ["color"], "ALIASES": ["aces"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "exposure", "TYPE": "float", "LABEL": "Exposure", "MIN": -10, "MAX": 10, "DEFAULT": 0,
      "HELP": "How much lighter the picture is made before, in stops: 1 is twice the light." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 light = color.a > 0.0 ? max(color.rgb / color.a, 0.0) * exp2(exposure) : vec3(0.0);
  vec3 shown = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);
  return vec4(clamp(shown, 0.0, 1.0) * color.a, color.a);
}
