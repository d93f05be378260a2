/*{
  "ETALON": 1,
  "DESCRIPTION": "Turns a picture into squares of one color.",
  "CATEGORIES": ["stylize"], "ALIASES": ["mosaic"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 1, "MAX": 4096, "DEFAULT": 16, "IDENTITY": 1, "UNIT": "px",
      "HELP": "The side of the squares." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0], "UNIT": "normalized",
      "HELP": "A point where four squares meet, as a fraction of the picture's sides." }
  ]
}*/

vec2 warpKernel(vec2 position) {
  vec2 corner = floor(center * RENDERSIZE + 0.5);
  vec2 low = floor((position - corner) / scale) * scale;
  // The middle of a pixel, and of one inside of the picture where an edge cuts the square.
  vec2 middle = floor(corner + low + 0.5 * scale) + 0.5;
  return clamp(middle, vec2(0.5), RENDERSIZE - 0.5);
}
