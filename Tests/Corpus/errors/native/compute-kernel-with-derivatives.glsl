/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }*/
#define SLOPE(x) fwidth(x)
float slope(vec2 p) { return dFdx(p.x) + SLOPE(p.y); }
vec4 unused(vec2 p) { return vec4(dFdy(p.x)); }
void computeKernel(ivec2 position) {
  IMG_STORE(outputImage, position, texture(inputImage, vec2(position)) * slope(vec2(position)));
}
