/*{
  "ETALON": 1,
  "DESCRIPTION": "Keeps a rectangle of a picture.",
  "CATEGORIES": ["geometry"],
  "EXTENT": [
    "ceil(rectangle.x * width - 0.5)", "ceil(rectangle.y * height - 0.5)",
    "ceil((rectangle.x + rectangle.z) * width - 0.5) - ceil(rectangle.x * width - 0.5)",
    "ceil((rectangle.y + rectangle.w) * height - 0.5) - ceil(rectangle.y * height - 0.5)"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "rectangle", "TYPE": "vec4", "LABEL": "Rectangle", "MIN": 0, "MAX": 1, "DEFAULT": [0.25, 0.25, 0.5, 0.5],
      "IDENTITY": [0, 0, 1, 1], "UNIT": "normalized",
      "HELP": "Left, bottom, width and height of what stays, as fractions of the picture's sides." }
  ]
}*/

// A pixel stays when its center is inside, so that rectangles side by side share no pixel and miss none; 'EXTENT' says which those are.
vec4 colorKernel(vec4 color) { return color; }
