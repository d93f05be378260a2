/*{
  "ETALON": 1,
  "DESCRIPTION": "Pins the corners of a picture to four points, as a screen that is seen from the side.",
  "CREDIT": "P. S. Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3.",
  "CATEGORIES": ["geometry"], "ALIASES": ["corner-pin"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "topLeft", "TYPE": "point2D", "LABEL": "Top left", "MIN": -4, "MAX": 5, "DEFAULT": [0.15, 0.9], "IDENTITY": [0, 1], "UNIT": "normalized",
      "HELP": "Where the corner goes, as a fraction of the picture's sides." },
    { "NAME": "topRight", "TYPE": "point2D", "LABEL": "Top right", "MIN": -4, "MAX": 5, "DEFAULT": [0.85, 0.75], "IDENTITY": [1, 1], "UNIT": "normalized",
      "HELP": "Where the corner goes, as a fraction of the picture's sides." },
    { "NAME": "bottomRight", "TYPE": "point2D", "LABEL": "Bottom right", "MIN": -4, "MAX": 5, "DEFAULT": [0.85, 0.25], "IDENTITY": [1, 0], "UNIT": "normalized",
      "HELP": "Where the corner goes, as a fraction of the picture's sides." },
    { "NAME": "bottomLeft", "TYPE": "point2D", "LABEL": "Bottom left", "MIN": -4, "MAX": 5, "DEFAULT": [0.15, 0.1], "IDENTITY": [0, 0], "UNIT": "normalized",
      "HELP": "Where the corner goes, as a fraction of the picture's sides." }
  ],
  "CONSTRAINTS": [
    "determinant(mat2(bottomRight - bottomLeft, topRight - bottomRight)) * determinant(mat2(topRight - bottomRight, topLeft - topRight)) > 0.0",
    "determinant(mat2(topRight - bottomRight, topLeft - topRight)) * determinant(mat2(topLeft - topRight, bottomLeft - topLeft)) > 0.0",
    "determinant(mat2(topLeft - topRight, bottomLeft - topLeft)) * determinant(mat2(bottomLeft - topLeft, bottomRight - bottomLeft)) > 0.0"
  ]
}*/

float cross2(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

vec2 warpKernel(vec2 position) {
  // From the unit square to the four points: (A u + B v + C) / (g u + h v + 1).
  vec2 right = bottomRight - topRight;
  vec2 left = topLeft - topRight;
  vec2 sum = bottomLeft - bottomRight + topRight - topLeft;
  float area = cross2(right, left);
  float g = cross2(sum, left) / area;
  float h = cross2(right, sum) / area;
  vec2 a = bottomRight - bottomLeft + g * bottomRight;
  vec2 b = topLeft - bottomLeft + h * topLeft;
  // Solved for u and v: two equations, each linear.
  vec2 place = position / RENDERSIZE;
  vec2 along = a - g * place;
  vec2 across = b - h * place;
  vec2 offset = place - bottomLeft;
  float scale = cross2(along, across);
  vec2 source = vec2(cross2(offset, across), cross2(along, offset)) / (scale == 0.0 ? 1.0 : scale);
  // Beyond the horizon there is nothing.
  bool seen = scale != 0.0 && (1.0 + g * source.x + h * source.y) > 0.0;
  return seen ? clamp(source, -4.0, 5.0) * RENDERSIZE : vec2(-4.0) * RENDERSIZE;
}
