/*{
  "ETALON": 1,
  "DESCRIPTION": "Stripes of two colors, at any angle.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 0.25, "MAX": 4096, "DEFAULT": 40, "UNIT": "px",
      "HELP": "The width of a stripe of the first color." },
    { "NAME": "gap", "TYPE": "float", "LABEL": "Gap", "MIN": 0.25, "MAX": 4096, "DEFAULT": 40, "UNIT": "px",
      "HELP": "The width of a stripe of the second color." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "How far upright stripes turn, counterclockwise." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -4, "MAX": 4, "DEFAULT": [0, 0], "UNIT": "normalized",
      "HELP": "A point where a stripe of the first color begins, as a fraction of the picture's sides." },
    { "NAME": "color0", "TYPE": "color", "LABEL": "First color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] },
    { "NAME": "color1", "TYPE": "color", "LABEL": "Second color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1] }
  ]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

/// How much of the first color lies between 0 and a place, in pixels.
float area(float place) {
  float period = width + gap;
  float whole = floor(place / period);
  return whole * width + clamp(place - whole * period, 0.0, width);
}

vec4 colorKernel() {
  vec2 across = vec2(cos(radians(angle)), sin(radians(angle)));
  float place = dot(POSITION - center * RENDERSIZE, across);
  // The mean over the pixel, which is as wide as it looks from the direction of the stripes.
  float reach = 0.5 * (abs(across.x) + abs(across.y));
  float share = clamp((area(place + reach) - area(place - reach)) / (2.0 * reach), 0.0, 1.0);
  return mix(premultiplied(color1), premultiplied(color0), share);
}
