/*{ "ETALON": 1, "INPUTS": [{ "NAME": "amount", "TYPE": "float", "DEFAULT": 1 }, { "NAME": "scale", "TYPE": "float", "DEFAULT": 1 }] }*/
#define amount 2.0
const float scale = 1.0, TIME = 2.0;
vec4 IMG_PIXEL(vec2 p) { return vec4(1.0); }
vec4 imageKernel(vec2 position) { return vec4(1.0); }
