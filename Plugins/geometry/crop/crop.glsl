/*{
  "ETALON": 1,
  "DESCRIPTION": "Keeps a rectangle of a picture and makes the rest transparent.",
  "CATEGORIES": ["geometry"],
  "EXTENT": ["rectangle.x * width", "rectangle.y * height", "rectangle.z * width", "rectangle.w * height"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "rectangle", "TYPE": "vec4", "LABEL": "Rectangle", "MIN": 0, "MAX": 1, "DEFAULT": [0.25, 0.25, 0.5, 0.5],
      "IDENTITY": [0, 0, 1, 1], "UNIT": "normalized",
      "HELP": "Left, bottom, width and height of what stays, as fractions of the picture's sides." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec2 low = rectangle.xy * RENDERSIZE;
  vec2 high = (rectangle.xy + rectangle.zw) * RENDERSIZE;
  // A pixel is inside when its center is, so that rectangles side by side share no pixel and miss none.
  bool isInside = all(greaterThanEqual(POSITION, low)) && all(lessThan(POSITION, high));
  return isInside ? color : vec4(0.0);
}
