/*{
  "ETALON": 1,
  "DESCRIPTION": "A spot of light that falls off like a Gaussian bell.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle, as a fraction of the picture's sides." },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0.001, "MAX": 4, "DEFAULT": 0.2, "UNIT": "normalized",
      "HELP": "The standard deviation of the bell, as a fraction of the picture's shorter side." },
    { "NAME": "color0", "TYPE": "color", "LABEL": "Inner color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1],
      "HELP": "The color in the middle." },
    { "NAME": "color1", "TYPE": "color", "LABEL": "Outer color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1],
      "HELP": "The color far from it." }
  ]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

vec4 colorKernel() {
  vec2 offset = (POSITION - center * RENDERSIZE) / (sigma * min(RENDERSIZE.x, RENDERSIZE.y));
  float bell = exp(-0.5 * min(dot(offset, offset), 150.0));
  return mix(premultiplied(color1), premultiplied(color0), bell);
}
