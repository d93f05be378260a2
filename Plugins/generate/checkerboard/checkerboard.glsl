/*{
  "ETALON": 1,
  "DESCRIPTION": "Squares of two colors, as on a chessboard.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 0.25, "MAX": 4096, "DEFAULT": 80, "UNIT": "px",
      "HELP": "The side of the squares." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -4, "MAX": 4, "DEFAULT": [0, 0], "UNIT": "normalized",
      "HELP": "A point where four squares meet, as a fraction of the picture's sides." },
    { "NAME": "color0", "TYPE": "color", "LABEL": "First color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1],
      "HELP": "The color of the square to the upper right of the center." },
    { "NAME": "color1", "TYPE": "color", "LABEL": "Second color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1],
      "HELP": "The color of its neighbors." }
  ]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

/// The area, from 0 to a place, under a wave that is 1 on even squares and -1 on odd ones.
vec2 area(vec2 place) { return 1.0 - abs(mod(place, 2.0) - 1.0); }

vec4 colorKernel() {
  vec2 place = (POSITION - center * RENDERSIZE) / width;
  // The mean of the wave over the pixel, so that squares of any width have smooth edges, and tiny ones are gray.
  float reach = 0.5 / width;
  vec2 wave = clamp((area(place + reach) - area(place - reach)) * width, -1.0, 1.0);
  return mix(premultiplied(color1), premultiplied(color0), 0.5 + 0.5 * wave.x * wave.y);
}
