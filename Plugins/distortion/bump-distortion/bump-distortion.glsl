/*{
  "ETALON": 1,
  "DESCRIPTION": "Bulges a round part of a picture towards the eye, or away from it.",
  "CATEGORIES": ["distortion"], "ALIASES": ["bulge"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of the bump, as a fraction of the picture's sides." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 4, "DEFAULT": 0.4, "UNIT": "normalized",
      "HELP": "How far the bump goes, as a fraction of the picture's shorter side." },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": -1, "MAX": 1, "DEFAULT": 0.5, "IDENTITY": 0,
      "HELP": "How high the bump is; below 0 it is a hollow." }
  ]
}*/

vec2 warpKernel(vec2 position) {
  vec2 offset = position - center * RENDERSIZE;
  float reach = max(radius * min(RENDERSIZE.x, RENDERSIZE.y), 1e-3);
  // With q for the square of the distance, which is 1 at the rim: flat there, and nowhere so steep that parts of the picture are seen twice.
  float rest = 1.0 - min(dot(offset, offset) / (reach * reach), 1.0);
  return position - offset * scale * rest * rest;
}
