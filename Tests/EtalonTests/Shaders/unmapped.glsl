/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }], "REACH": 1 }*/
#define READ(place) IMG_PIXEL(inputImage, place)

vec4 imageKernel(vec2 position) { return READ(position + 1.0); }
