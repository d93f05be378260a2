/*{
  "ETALON": 1,
  "DESCRIPTION": "Turns a picture into hexagons of one color.",
  "CATEGORIES": ["stylize"], "ALIASES": ["hexagonal-pixelate"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 1, "MAX": 4096, "DEFAULT": 16, "UNIT": "px",
      "HELP": "How far the middles of neighbors are apart." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of a hexagon, as a fraction of the picture's sides." }
  ]
}*/

vec2 warpKernel(vec2 position) {
  vec2 corner = center * RENDERSIZE;
  // The middles of hexagons are those of two grids of rectangles, one of which lies in the middles of the other; the nearer one counts.
  vec2 step = scale * vec2(1.0, sqrt(3.0));
  vec2 offset = position - corner;
  vec2 first = floor(offset / step + 0.5) * step;
  vec2 second = (floor(offset / step) + 0.5) * step;
  vec2 middle = distance(first, offset) <= distance(second, offset) ? first : second;
  return clamp(floor(corner + middle) + 0.5, vec2(0.5), RENDERSIZE - 0.5);
}
