/*{
  "ETALON": 1,
  "DESCRIPTION": "An opening in the first picture grows and uncovers the second one, or the first one closes.",
  "CREDIT": "SMPTE 258M, wipes 101 to 119.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "shape", "TYPE": "long", "LABEL": "Shape", "VALUES": [0, 1, 2, 3], "LABELS": ["circle", "rectangle", "diamond", "blades"], "DEFAULT": 0,
      "HELP": "The opening: a circle, the shape of the picture, a diamond, or six blades as those of a lens." },
    { "NAME": "closing", "TYPE": "bool", "LABEL": "Closing", "DEFAULT": false, "HELP": "Whether the first picture is in the opening, which shrinks." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of the opening, as a fraction of the picture's sides." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0.02, "HELP": "How wide the edge is, as a fraction of its way." }
  ]
}*/

/// How large the opening is that ends at a place, in pixels.
float sizeAt(vec2 offset) {
  vec2 sides = abs(offset);
  if (shape == 0) return length(sides);
  if (shape == 1) return max(sides.x * RENDERSIZE.y / RENDERSIZE.x, sides.y);
  if (shape == 2) return sides.x + sides.y;
  return max(sides.x, 0.5 * sides.x + 0.8660254 * sides.y);
}

vec4 colorKernel(vec4 start, vec4 end) {
  vec2 middle = center * RENDERSIZE;
  // The corner that is farthest from the center is reached last.
  float way = sizeAt(max(middle, RENDERSIZE - middle));
  float place = sizeAt(POSITION - middle);
  if (closing) place = way - place;
  float width = max(softness * way, 1.0);
  float edge = mix(-0.5 * width, way + 0.5 * width, progress);
  return mix(start, end, clamp((edge - place) / width + 0.5, 0.0, 1.0));
}
