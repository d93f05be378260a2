/*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" },
  { "NAME": "radius", "TYPE": "float", "MIN": 0, "MAX": 8, "DEFAULT": 1 } ] }*/
#if __VERSION__ <= 120
varying vec2 left, offsets[2];
#else
in vec2 left;
in vec2 offsets[2];
#endif
#define STEP 3
vec4 strength = IMG_NORM_PIXEL(inputImage, left);
vec4 clamped(vec4 c) { return min(c, 1.0 / float(STEP)); }
void main() { gl_FragColor = clamped(strength + IMG_NORM_PIXEL(inputImage, offsets[1], 1.0)); }
