/*{
  "ETALON": 1,
  "DESCRIPTION": "Prints a picture with dots of cyan, magenta, yellow and black ink.",
  "CREDIT": "R. Ulichney, Digital Halftoning, MIT Press 1987; the angles are those of DIN 16547.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 2, "MAX": 1024, "DEFAULT": 8, "UNIT": "px", "HELP": "How far dots are apart." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg",
      "HELP": "How far all four grids are turned from 0° for yellow, 15° for cyan, 45° for black and 75° for magenta." },
    { "NAME": "black", "TYPE": "float", "LABEL": "Black", "MIN": 0, "MAX": 1, "DEFAULT": 0.8,
      "HELP": "How much of the gray in colors is printed with black ink instead of the three others." }
  ]
}*/

/// The share of its square that a round dot covers which goes as far as a distance, where 1 is the middle of a side.
float area(float far) {
  far = max(far, 0.0);
  if (far <= 1.0) return 0.785398163 * far * far;
  if (far >= 1.41421356) return 1.0;
  return sqrt(far * far - 1.0) + far * far * (0.785398163 - acos(1.0 / far));
}

/// How much of the pixel an ink covers whose amount is given.
float printed(float amount, float degrees) {
  float c = cos(radians(degrees));
  float s = sin(radians(degrees));
  vec2 place = mat2(c, -s, s, c) * (POSITION - 0.5 * RENDERSIZE) / width;
  float far = 2.0 * length(place - floor(place) - 0.5);
  // The rim of a dot is as wide as a pixel, but no wider than the dot, nor than what is left of the paper.
  float rest = min(amount, 1.0 - amount);
  float rim = min(3.5449077 * sqrt(rest) / width, 2.0 * rest);
  return rim > 0.0 ? clamp((amount - area(far)) / rim + 0.5, 0.0, 1.0) : amount;
}

vec4 colorKernel(vec4 color) {
  vec3 inks = color.a > 0.0 ? 1.0 - clamp(color.rgb / color.a, 0.0, 1.0) : vec3(0.0);
  float gray = black * min(inks.r, min(inks.g, inks.b));
  // What black ink leaves of the light, the others take the rest of.
  inks = clamp((inks - gray) / max(1.0 - gray, 1e-6), 0.0, 1.0);
  vec3 paper = 1.0 - vec3(printed(inks.r, angle + 15.0), printed(inks.g, angle + 75.0), printed(inks.b, angle));
  return vec4(paper * (1.0 - printed(gray, angle + 45.0)) * color.a, color.a);
}
