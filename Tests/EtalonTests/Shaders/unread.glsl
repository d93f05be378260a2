/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }*/
vec4 imageKernel(vec2 position) { return vec4(position / RENDERSIZE, 0.0, 1.0); }
