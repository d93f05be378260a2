/*{
  "ETALON": 1,
  "DESCRIPTION": "Prints a picture with dots of one ink, larger where it is darker.",
  "CREDIT": "R. Ulichney, Digital Halftoning, MIT Press 1987: clustered dots.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 2, "MAX": 1024, "DEFAULT": 8, "UNIT": "px", "HELP": "How far dots are apart." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 45, "UNIT": "deg", "HELP": "How far the rows of dots are turned." },
    { "NAME": "form", "TYPE": "long", "LABEL": "Form", "VALUES": [0, 1], "LABELS": ["round", "diamond"], "DEFAULT": 0, "HELP": "What the dots look like." },
    { "NAME": "inkColor", "TYPE": "color", "LABEL": "Ink", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1] },
    { "NAME": "paperColor", "TYPE": "color", "LABEL": "Paper", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] }
  ]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

/// The share of its square that a dot covers which goes as far as a distance, where 1 is the middle of a side.
float area(float far) {
  far = max(far, 0.0);
  if (form == 1) return far <= 1.0 ? 0.5 * far * far : 1.0 - 0.5 * max(2.0 - far, 0.0) * max(2.0 - far, 0.0);
  if (far <= 1.0) return 0.785398163 * far * far;
  if (far >= 1.41421356) return 1.0;
  return sqrt(far * far - 1.0) + far * far * (0.785398163 - acos(1.0 / far));
}

vec4 colorKernel(vec4 color) {
  float light = color.a > 0.0 ? dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)) / color.a : 1.0;
  float c = cos(radians(angle));
  float s = sin(radians(angle));
  vec2 place = mat2(c, -s, s, c) * (POSITION - 0.5 * RENDERSIZE) / width;
  vec2 offset = abs(place - floor(place) - 0.5) * 2.0;
  float far = form == 1 ? offset.x + offset.y : length(offset);
  float dark = 1.0 - clamp(light, 0.0, 1.0);
  // The rim of a dot is as wide as a pixel, but no wider than the dot, nor than what is left of the paper.
  float rest = min(dark, 1.0 - dark);
  float rim = min((form == 1 ? 4.0 : 3.5449077) * sqrt(rest) / width, 2.0 * rest);
  float ink = rim > 0.0 ? clamp((dark - area(far)) / rim + 0.5, 0.0, 1.0) : dark;
  return mix(premultiplied(paperColor), premultiplied(inkColor), ink) * color.a;
}
