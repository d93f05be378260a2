/*{ "etalon": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "colorKernel", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1 }] }*/
vec4 colorKernel(vec4 color) { return color; }
