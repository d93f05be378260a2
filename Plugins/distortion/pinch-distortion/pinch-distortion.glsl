/*{
  "ETALON": 1,
  "DESCRIPTION": "Pulls a round part of a picture together towards its middle, or spreads it.",
  "CATEGORIES": ["distortion"], "ALIASES": ["pinch"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The point that everything is pulled to, as a fraction of the picture's sides." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 4, "DEFAULT": 0.45, "UNIT": "normalized",
      "HELP": "How far the pull goes, as a fraction of the picture's shorter side." },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": -3, "MAX": 3, "DEFAULT": 1, "IDENTITY": 0,
      "HELP": "How strong the pull is; below 0 things are pushed away." }
  ]
}*/

vec2 warpKernel(vec2 position) {
  vec2 offset = position - center * RENDERSIZE;
  float far = length(offset) / max(radius * min(RENDERSIZE.x, RENDERSIZE.y), 1e-3);
  if (far >= 1.0 || far == 0.0) return position;
  // Distances from 0 to 1 are raised to a power, which keeps both ends.
  return position + offset * (pow(far, exp2(-scale) - 1.0) - 1.0);
}
