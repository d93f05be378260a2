/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image", "ADDRESS": "#ff0000" }] }*/
vec4 twice(sampler2D image, vec2 p) { return 2.0 * IMG_PIXEL(image, p); }
vec4 imageKernel(vec2 position) { return twice(inputImage, position) + texture(inputImage, vec2(0.0)) + IMG_PIXEL(inputImage, position); }
