/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a four-sided part of a picture a rectangle: a page or a front, seen from ahead.",
  "CREDIT": "P. S. Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3.",
  "CATEGORIES": ["geometry"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "topLeft", "TYPE": "point2D", "LABEL": "Top left", "MIN": -4, "MAX": 5, "DEFAULT": [0.15, 0.9], "IDENTITY": [0, 1], "UNIT": "normalized",
      "HELP": "The corner of the part, as a fraction of the picture's sides." },
    { "NAME": "topRight", "TYPE": "point2D", "LABEL": "Top right", "MIN": -4, "MAX": 5, "DEFAULT": [0.85, 0.75], "IDENTITY": [1, 1], "UNIT": "normalized",
      "HELP": "The corner of the part, as a fraction of the picture's sides." },
    { "NAME": "bottomRight", "TYPE": "point2D", "LABEL": "Bottom right", "MIN": -4, "MAX": 5, "DEFAULT": [0.85, 0.25], "IDENTITY": [1, 0], "UNIT": "normalized",
      "HELP": "The corner of the part, as a fraction of the picture's sides." },
    { "NAME": "bottomLeft", "TYPE": "point2D", "LABEL": "Bottom left", "MIN": -4, "MAX": 5, "DEFAULT": [0.15, 0.1], "IDENTITY": [0, 0], "UNIT": "normalized",
      "HELP": "The corner of the part, as a fraction of the picture's sides." }
  ],
  "CONSTRAINTS": [
    "determinant(mat2(bottomRight - bottomLeft, topRight - bottomRight)) * determinant(mat2(topRight - bottomRight, topLeft - topRight)) > 0.0",
    "determinant(mat2(topRight - bottomRight, topLeft - topRight)) * determinant(mat2(topLeft - topRight, bottomLeft - topLeft)) > 0.0",
    "determinant(mat2(topLeft - topRight, bottomLeft - topLeft)) * determinant(mat2(bottomLeft - topLeft, bottomRight - bottomLeft)) > 0.0"
  ]
}*/

float cross2(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

vec2 warpKernel(vec2 position) {
  // From the unit square to the four points: (A u + B v + C) / (g u + h v + 1), which is positive inside of a convex shape.
  vec2 right = bottomRight - topRight;
  vec2 left = topLeft - topRight;
  vec2 sum = bottomLeft - bottomRight + topRight - topLeft;
  float area = cross2(right, left);
  float g = cross2(sum, left) / area;
  float h = cross2(right, sum) / area;
  vec2 place = position / RENDERSIZE;
  vec2 source = (bottomRight - bottomLeft + g * bottomRight) * place.x + (topLeft - bottomLeft + h * topLeft) * place.y + bottomLeft;
  return source / (g * place.x + h * place.y + 1.0) * RENDERSIZE;
}
