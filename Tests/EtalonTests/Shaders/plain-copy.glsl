/*{
  "ETALON": 1,
  "INPUTS": [{ "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" }]
}*/
vec4 colorKernel(vec4 color) { return color; }
