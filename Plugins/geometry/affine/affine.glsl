/*{
  "ETALON": 1,
  "DESCRIPTION": "Moves, turns, scales and slants a picture.",
  "CATEGORIES": ["geometry"], "ALIASES": ["scale", "rotate", "transform"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "translation", "TYPE": "vec2", "LABEL": "Translation", "MIN": -16384, "MAX": 16384, "DEFAULT": [0, 0],
      "IDENTITY": [0, 0], "UNIT": "px", "HELP": "How far the picture moves to the right and up, after everything else." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 0, "IDENTITY": 0, "UNIT": "deg",
      "HELP": "How far it turns around the anchor, counterclockwise." },
    { "NAME": "scale", "TYPE": "vec2", "LABEL": "Scale", "MIN": -64, "MAX": 64, "DEFAULT": [1, 1], "IDENTITY": [1, 1],
      "HELP": "How much wider and higher it gets around the anchor; below 0 it is mirrored." },
    { "NAME": "slant", "TYPE": "float", "LABEL": "Slant", "MIN": -8, "MAX": 8, "DEFAULT": 0, "IDENTITY": 0,
      "HELP": "How far a pixel moves to the right for each pixel that it lies above the anchor." },
    { "NAME": "anchor", "TYPE": "point2D", "LABEL": "Anchor", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The point that stays in its place, as a fraction of the picture's sides." }
  ],
  "CONSTRAINTS": ["scale.x != 0.0", "scale.y != 0.0"]
}*/

vec2 warpKernel(vec2 position) {
  vec2 pivot = anchor * RENDERSIZE;
  float c = cos(radians(angle));
  float s = sin(radians(angle));
  // Scaled, slanted, turned, moved: all of it is undone in the opposite order.
  vec2 offset = position - translation - pivot;
  offset = vec2(c * offset.x + s * offset.y, c * offset.y - s * offset.x);
  offset.x -= slant * offset.y;
  return offset / scale + pivot;
}
