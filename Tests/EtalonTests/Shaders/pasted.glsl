/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }], "REACH": 1 }*/
#define PASTED(one, other) one ## other

vec4 imageKernel(vec2 position) {
  vec2 last = IMG_SIZE(inputImage) - 1.0;
  return IMG_LOAD(PASTED(input, Image), ivec2(min(position + 1.0, last)));
}
