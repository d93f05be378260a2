/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }], "EXTENT": "grow" }*/
vec4 imageKernel(vec2 position) { return IMG_PIXEL(inputImage, position * 0.5); }
