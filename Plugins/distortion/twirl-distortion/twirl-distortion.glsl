/*{
  "ETALON": 1,
  "DESCRIPTION": "Turns a picture around a point, the more the closer to it.",
  "CATEGORIES": ["distortion"], "ALIASES": ["twirl", "swirl"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The point that the picture turns around, as a fraction of its sides." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 4, "DEFAULT": 0.5, "UNIT": "normalized",
      "HELP": "How far the twirl goes, as a fraction of the picture's shorter side." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -3600, "MAX": 3600, "DEFAULT": 120, "IDENTITY": 0, "UNIT": "deg",
      "HELP": "How far the middle turns, counterclockwise." }
  ]
}*/

vec2 warpKernel(vec2 position) {
  vec2 offset = position - center * RENDERSIZE;
  float reach = max(radius * min(RENDERSIZE.x, RENDERSIZE.y), 1e-3);
  float rest = max(1.0 - length(offset) / reach, 0.0);
  float turned = radians(angle) * rest * rest;
  float c = cos(turned);
  float s = sin(turned);
  return position + vec2((c - 1.0) * offset.x + s * offset.y, (c - 1.0) * offset.y - s * offset.x);
}
