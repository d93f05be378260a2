/*{
  "ETALON": 1,
  "DESCRIPTION": "Keeps a rectangle of a picture.",
  "CATEGORIES": ["geometry"],
  "EXTENT": [
    "floor(rectangle.x * width + 0.5)", "floor(rectangle.y * height + 0.5)",
    "max(floor((rectangle.x + rectangle.z) * width + 0.5) - floor(rectangle.x * width + 0.5), 1.0)",
    "max(floor((rectangle.y + rectangle.w) * height + 0.5) - floor(rectangle.y * height + 0.5), 1.0)"
  ],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "rectangle", "TYPE": "vec4", "LABEL": "Rectangle", "MIN": 0, "MAX": 1, "DEFAULT": [0.25, 0.25, 0.5, 0.5],
      "IDENTITY": [0, 0, 1, 1], "UNIT": "normalized",
      "HELP": "Left, bottom, width and height of what stays, as fractions of the picture's sides." }
  ]
}*/

// All of it is said by EXTENT: the result covers the rectangle, and a picture is read where it lies.
vec4 colorKernel(vec4 color) { return color; }
