/*{
  "ETALON": 1,
  "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "edge", "TYPE": "int", "DEFAULT": 3 }],
  "EXTENT": ["edge", "edge - 4", "width - 2 * edge", 8],
  "REACH": 0
}*/

vec4 imageKernel(vec2 position) { return IMG_PIXEL(inputImage, position); }
