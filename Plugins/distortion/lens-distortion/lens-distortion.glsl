/*{
  "ETALON": 1,
  "DESCRIPTION": "Bends straight lines as lenses do, or straightens them, with colored fringes.",
  "CREDIT": "D. C. Brown, Close-Range Camera Calibration, 1971: the radial terms of the model.",
  "CATEGORIES": ["distortion"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "k1", "TYPE": "float", "LABEL": "k1", "MIN": -0.6, "MAX": 2, "DEFAULT": 0.2, "IDENTITY": 0,
      "HELP": "How much lines bend: above 0 like a barrel, below 0 like a cushion." },
    { "NAME": "k2", "TYPE": "float", "LABEL": "k2", "MIN": -0.2, "MAX": 2, "DEFAULT": 0, "IDENTITY": 0,
      "HELP": "The same for the corners more than for the rest." },
    { "NAME": "fringes", "TYPE": "float", "LABEL": "Fringes", "MIN": -0.1, "MAX": 0.1, "DEFAULT": 0.01, "IDENTITY": 0,
      "HELP": "How much larger red is shown than green, and blue smaller, as a fraction of the picture." },
    { "NAME": "zoom", "TYPE": "float", "LABEL": "Zoom", "MIN": 0.25, "MAX": 8, "DEFAULT": 1, "IDENTITY": 1,
      "HELP": "How much larger everything is shown, so that no empty corners are left." }
  ]
}*/

/// The color that a part of the spectrum brings, which is shown so much larger.
vec4 read(vec2 offset, float larger) { return IMG_PIXEL(inputImage, 0.5 * RENDERSIZE + offset / larger); }

vec4 imageKernel(vec2 position) {
  vec2 offset = (position - 0.5 * RENDERSIZE) / zoom;
  // Distances are fractions of half of the diagonal.
  float square = 4.0 * dot(offset, offset) / dot(RENDERSIZE, RENDERSIZE);
  offset *= 1.0 + square * (k1 + square * k2);
  vec4 red = read(offset, 1.0 + fringes);
  vec4 green = read(offset, 1.0);
  vec4 blue = read(offset, 1.0 - fringes);
  // A premultiplied color must not be lighter than its alpha: what one of the three shows is there.
  return vec4(red.r, green.g, blue.b, max(green.a, max(red.a, blue.a)));
}
